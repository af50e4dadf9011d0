package schema

// link finds references that never end and the names that in-place keywords add.
func (c *compiler) link() error {
	state := map[*rule]uint8{}
	for _, r := range c.order {
		if err := c.endless(r, state); err != nil {
			return err
		}
	}
	for _, r := range c.order {
		r.compound = r.appliesInPlace()
		if r.onlyRef() {
			r.alias = r.ref
		}
		if r == c.order[0] && !r.compound {
			r.keys() // keys of the root are extra also where nothing speaks of objects
		}
		if r.object != nil || r.compound {
			r.names = namesOf(r)
		}
	}
	return nil
}

// parts calls yield for each schema that applies to the same value.
func (r *rule) parts(yield func(*rule) bool) {
	for _, one := range []*rule{r.ref, r.not, r.test, r.then, r.other} {
		if one != nil && !yield(one) {
			return
		}
	}
	for _, list := range [][]*rule{r.allOf, r.anyOf, r.oneOf} {
		for _, one := range list {
			if !yield(one) {
				return
			}
		}
	}
	for _, d := range r.dependent {
		if d.rule != nil && !yield(d.rule) {
			return
		}
	}
}

func (r *rule) appliesInPlace() bool {
	return r.ref != nil || r.not != nil || r.allOf != nil || r.anyOf != nil || r.oneOf != nil ||
		r.test != nil || r.dependent != nil
}

// onlyRef says whether a schema asks for nothing but what it refers to.
func (r *rule) onlyRef() bool {
	return r.ref != nil && r.types == 0 && r.enum == nil && r.text == nil && r.number == nil && r.list == nil &&
		r.object == nil && r.not == nil && r.allOf == nil && r.anyOf == nil && r.oneOf == nil &&
		r.test == nil && r.dependent == nil
}

// endless refuses a schema that applies itself to the same value.
func (c *compiler) endless(r *rule, state map[*rule]uint8) error {
	const open, done = 1, 2
	switch state[r] {
	case open:
		return c.bad("$ref", r.at, "the schema refers to itself without end")
	case done:
		return nil
	}
	state[r] = open
	for part := range r.parts {
		if err := c.endless(part, state); err != nil {
			return err
		}
	}
	state[r] = done
	return nil
}

// namesOf collects the properties that r and its parts name, except under `not`.
func namesOf(r *rule) *names {
	all := &names{known: map[string]struct{}{}}
	seen := map[*rule]bool{r.not: true}
	var visit func(r *rule)
	visit = func(r *rule) {
		if seen[r] {
			return
		}
		seen[r] = true
		if o := r.object; o != nil {
			for _, p := range o.props {
				if _, ok := all.known[string(p.name)]; !ok {
					all.known[string(p.name)] = struct{}{}
					all.list = append(all.list, p.name)
				}
			}
			all.patterns = append(all.patterns, o.patterns...)
			all.open = all.open || o.rest != nil && !o.rest.never
			all.declares = all.declares || o.declares
		}
		for part := range r.parts {
			if part != r.not {
				visit(part)
			}
		}
	}
	visit(r)
	return all
}
