package schema

// inPlace checks what applies to the same value.
func (c *checker) inPlace(r *rule, n uint32, entry bool) bool {
	ok := true
	if r.ref != nil {
		ok = c.value(r.ref, n, false)
	}
	for _, part := range r.allOf {
		if !c.on(ok) {
			return false
		}
		ok = c.value(part, n, false) && ok
	}
	if r.anyOf != nil && c.on(ok) {
		ok = c.anyOf(r, n) && ok
	}
	if r.oneOf != nil && c.on(ok) {
		ok = c.oneOf(r, n) && ok
	}
	if r.not != nil && c.on(ok) {
		ok = c.not(r, n) && ok
	}
	if r.test != nil && c.on(ok) {
		ok = c.conditional(r, n) && ok
	}
	if r.dependent != nil && c.nodes[n].kind == kObject && c.on(ok) {
		ok = c.dependent(r, n) && ok
	}
	return ok
}

// fits gives a part's verdict without a trace: no problem, and no extra key of
// a part that does not fit.
func (c *checker) fits(part *rule, n uint32) bool {
	collect, extras := c.collect, len(c.extra)
	c.collect = false
	ok := c.value(part, n, false)
	c.collect = collect
	if !ok {
		c.extra = c.extra[:extras]
	}
	return ok
}

func (c *checker) anyOf(r *rule, n uint32) bool {
	for _, part := range r.anyOf {
		if c.fits(part, n) {
			return true
		}
	}
	return c.noneFits("anyOf", r.anyOf, n)
}

func (c *checker) oneOf(r *rule, n uint32) bool {
	first := -1
	for i, part := range r.oneOf {
		if !c.fits(part, n) {
			continue
		}
		if first >= 0 {
			return c.twoFit(n, first, i)
		}
		first = i
	}
	return first >= 0 || c.noneFits("oneOf", r.oneOf, n)
}

// asks gives the verdict on a part that is only a question: exactly what JSON
// Schema says of it, without the stricter rules for arguments and without a trace.
func (c *checker) asks(part *rule, n uint32) bool {
	c.negated++
	extras := len(c.extra)
	fits := c.fits(part, n)
	c.extra = c.extra[:extras]
	c.negated--
	return fits
}

func (c *checker) not(r *rule, n uint32) bool {
	return !c.asks(r.not, n) || c.fail(n, "not", "must not be of the form that `not` describes")
}

func (c *checker) conditional(r *rule, n uint32) bool {
	part := r.other
	if c.asks(r.test, n) {
		part = r.then
	}
	return part == nil || c.value(part, n, false)
}

func (c *checker) dependent(r *rule, n uint32) bool {
	ok := true
	for i := range r.dependent {
		d := &r.dependent[i]
		if _, there := c.tape.member(n, d.name); !there || !c.on(ok) {
			continue
		}
		if d.rule != nil {
			ok = c.value(d.rule, n, false) && ok
		}
		for _, name := range d.names {
			if _, there := c.tape.member(n, name); !there {
				ok = c.missingBeside(d, n, name)
			}
		}
	}
	return ok
}
