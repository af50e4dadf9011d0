package schema

import "bytes"

// object checks an object. entry says that its keys are compared with all the
// names that the schema knows.
func (c *checker) object(r *rule, n uint32, entry bool) bool {
	ok := true
	if entry && r.compound {
		ok = c.keysInPlace(r.names, n)
		entry = false
	}
	o := r.object
	if o == nil {
		return ok
	}
	present, guess := 0, 0
	for k := n + 1; k < c.nodes[n].next && c.on(ok); k = c.nodes[k+1].next {
		name := c.decoded(k)
		p, i := o.find(name, guess)
		guess = i + 1
		if p != nil && p.required && c.counts(n, k+1) {
			present++
		}
		if entry && p == nil && !c.known(r.names, n, k, name) {
			ok = false
			continue
		}
		ok = c.member(o, p, n, k) && ok
	}
	if c.on(ok) && present < o.required {
		ok = c.missing(o, n)
	}
	return c.size(o, n, ok)
}

// counts says whether a required property's value makes it present.
func (c *checker) counts(object, value uint32) bool {
	return c.nodes[value].kind != kNull || object != 0 || !c.notNull || c.negated > 0
}

// member checks one key and its value; p is the property of that name or nil.
func (c *checker) member(o *objectRule, p *property, n, k uint32) bool {
	ok, named := true, p != nil && p.rule != nil
	if named {
		if c.named != nil && c.negated == 0 {
			c.named[k+1] = true
		}
		if c.counts(n, k+1) || !p.required { // else it is reported as missing
			ok = c.value(p.rule, k+1, true)
		}
	}
	for i := range o.patterns {
		pr := &o.patterns[i]
		if match, _ := c.matches(pr.pattern, c.decoded(k)); match && c.on(ok) {
			named = true
			ok = c.value(pr.rule, k+1, true) && ok
		}
	}
	if !named && o.rest != nil && c.on(ok) {
		if o.rest.never {
			return c.unknown(o, k) && ok
		}
		ok = c.value(o.rest, k+1, true) && ok
	}
	if o.names != nil && c.on(ok) {
		ok = c.value(o.names, k, false) && ok
	}
	return ok
}

// size checks minProperties and maxProperties.
func (c *checker) size(o *objectRule, n uint32, ok bool) bool {
	size := int(c.nodes[n].size)
	if c.on(ok) && size < o.min {
		ok = c.wrongCount(n, "minProperties", "at least", o.min, "property")
	}
	if c.on(ok) && o.max >= 0 && size > o.max {
		ok = c.wrongCount(n, "maxProperties", "at most", o.max, "property")
	}
	return ok
}

// keysInPlace compares an object's keys with the names of a schema with parts.
func (c *checker) keysInPlace(all *names, n uint32) bool {
	ok := true
	for k := n + 1; k < c.nodes[n].next && c.on(ok); k = c.nodes[k+1].next {
		name := c.decoded(k)
		if _, found := all.known[string(name)]; !found {
			ok = c.known(all, n, k, name) && ok
		}
	}
	return ok
}

// known looks at a key that the schema does not name. One that differs from a
// named one only by case fails, because readers in Go take them for the same
// and readers in JavaScript do not (SPEC A5). Any other is noted as extra.
func (c *checker) known(all *names, n, k uint32, name []byte) bool {
	c.steps -= len(all.list) / 8
	for _, other := range all.list {
		if bytes.EqualFold(name, other) {
			return c.twin(k, other)
		}
	}
	if all.open || !all.declares && n != 0 {
		return true
	}
	for i := range all.patterns {
		if ok, _ := c.matches(all.patterns[i].pattern, name); ok {
			return true
		}
	}
	c.extra = append(c.extra, k+1)
	return true
}
