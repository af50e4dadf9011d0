package schema

import "encoding/json"

// place is where a condition speaks of in a tool's schema: all the rules that
// may apply there. The nil place is one of which nothing is known.
type place []*rule

// toolShape reads a tool's input schema for its properties only.
func toolShape(input json.RawMessage) place {
	if input == nil {
		return nil
	}
	doc, err := parseSchema(input)
	if err != nil {
		return nil
	}
	c := newCompiler(doc, &Options{})
	c.shape = true
	root, err := c.root()
	if err != nil {
		return nil
	}
	return place{root}
}

// has says whether a value at this place can have a property of that name.
// Where nothing is known of the place, or its keys are free, it can.
func (p place) has(name string) bool {
	declares := false
	for _, r := range p {
		if r.names == nil {
			continue
		}
		if _, ok := r.names.known[name]; ok || r.names.allows(name) {
			return true
		}
		declares = declares || r.names.declares || r.at == 0
	}
	return !declares
}

// allows says whether a key that no `properties` names has a schema nevertheless.
func (n *names) allows(name string) bool {
	if n.open {
		return true
	}
	for _, p := range n.patterns {
		if p.pattern.match([]byte(name)) {
			return true
		}
	}
	return false
}

// property returns the place of a property.
func (p place) property(name string) place {
	var next place
	p.each(func(r *rule) {
		if r.object == nil {
			return
		}
		if i, ok := r.object.index[name]; ok && r.object.props[i].rule != nil {
			next = append(next, r.object.props[i].rule)
		}
	})
	return next
}

// items returns the place of an array's items.
func (p place) items() place {
	var next place
	p.each(func(r *rule) {
		if r.list == nil {
			return
		}
		next = append(next, r.list.prefix...)
		if r.list.rest != nil {
			next = append(next, r.list.rest)
		}
	})
	return next
}

// each visits the place's rules and what may apply in place with them.
func (p place) each(visit func(*rule)) {
	seen := map[*rule]bool{}
	var walk func(r *rule)
	walk = func(r *rule) {
		if seen[r] {
			return
		}
		seen[r] = true
		visit(r)
		for part := range r.parts {
			walk(part)
		}
	}
	for _, r := range p {
		walk(r)
	}
}
