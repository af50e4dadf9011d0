package schema

// topLevel compiles what the seed checks (SPEC A2): presence, types, enum and
// additionalProperties false of the root, and nothing below it.
func (c *compiler) topLevel() (*rule, error) {
	r := &rule{}
	c.order = append(c.order, r)
	for k, v := range c.doc.members(0) {
		var err error
		switch c.doc.str(k) {
		case "properties":
			err = c.flatProperties(r, v)
		case "required":
			err = c.required(r, 0, v)
		case "additionalProperties":
			if c.doc.nodes[v].kind == kFalse {
				r.keys().rest = &rule{never: true}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (c *compiler) flatProperties(r *rule, v uint32) error {
	if c.doc.nodes[v].kind != kObject {
		return c.bad("properties", v, "it must be an object")
	}
	o := r.keys()
	o.declares = true
	for k, s := range c.doc.members(v) {
		sub := &rule{at: s}
		c.order = append(c.order, sub)
		o.property(c.doc.str(k)).rule = sub
		for word, value := range c.doc.members(s) {
			switch w := c.doc.str(word); w {
			case "type", "enum", "default":
				if _, err := c.valueKeyword(sub, s, w, value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
