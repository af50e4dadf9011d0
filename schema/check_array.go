package schema

import "fmt"

func (c *checker) array(r *listRule, n uint32) bool {
	size := int(c.nodes[n].size)
	ok := size >= r.min || c.wrongCount(n, "minItems", "at least", r.min, "item")
	if c.on(ok) && r.max >= 0 {
		ok = (size <= r.max || c.wrongCount(n, "maxItems", "at most", r.max, "item")) && ok
	}
	if c.on(ok) && (r.prefix != nil || r.rest != nil) {
		ok = c.items(r, n) && ok
	}
	if c.on(ok) && r.contains != nil {
		ok = c.contains(r, n) && ok
	}
	if c.on(ok) && r.unique {
		ok = c.unique(n) && ok
	}
	return ok
}

func (c *checker) items(r *listRule, n uint32) bool {
	ok, index := true, 0
	for i := n + 1; i < c.nodes[n].next && c.on(ok); i = c.nodes[i].next {
		if sub := r.item(index); sub != nil {
			ok = c.value(sub, i, true) && ok
		}
		index++
	}
	return ok
}

// item returns the rule of an item, nil if any value will do.
func (r *listRule) item(index int) *rule {
	if index < len(r.prefix) {
		return r.prefix[index]
	}
	return r.rest
}

func (c *checker) contains(r *listRule, n uint32) bool {
	count := 0
	for i := range c.tape.items(n) {
		if c.asks(r.contains, i) {
			count++
		}
	}
	switch {
	case count < r.least:
		return c.report(n, "contains", fmt.Sprintf("%d of its items are of the form that is asked for, must be at least %d", count, r.least))
	case r.most >= 0 && count > r.most:
		return c.report(n, "maxContains", fmt.Sprintf("%d of its items are of the form that is asked for, must be at most %d", count, r.most))
	}
	return true
}

// unique checks that no two items are the same JSON value. Long arrays are
// compared by a form that is the same for the same value.
func (c *checker) unique(n uint32) bool {
	if c.nodes[n].size > 16 {
		return c.uniqueMany(n)
	}
	for i := range c.tape.items(n) {
		for j := range c.tape.items(n) {
			if j >= i {
				break
			}
			if equal(&c.tape, i, &c.tape, j) {
				return c.fail(i, "uniqueItems", "must not be there twice")
			}
		}
	}
	return true
}

func (c *checker) uniqueMany(n uint32) bool {
	seen := make(map[string]struct{}, c.nodes[n].size)
	w := writer{tape: &c.tape, byValue: true}
	for i := range c.tape.items(n) {
		w.buf = w.buf[:0]
		w.value(i)
		if _, ok := seen[string(w.buf)]; ok {
			return c.fail(i, "uniqueItems", "must not be there twice")
		}
		seen[string(w.buf)] = struct{}{}
	}
	return true
}
