package schema

// objectKeyword compiles what speaks of objects.
func (c *compiler) objectKeyword(r *rule, n uint32, word string, v uint32) (known bool, err error) {
	switch word {
	case "properties":
		return true, c.properties(r, v)
	case "required":
		return true, c.required(r, n, v)
	case "patternProperties":
		return true, c.patternProperties(r, v)
	case "additionalProperties":
		r.keys().rest, err = c.restOf(v)
	case "propertyNames":
		if !c.shape {
			r.keys().names, err = c.rule(v)
		}
	case "minProperties":
		err = c.count(&r.keys().min, word, v)
	case "maxProperties":
		err = c.count(&r.keys().max, word, v)
	default:
		return false, nil
	}
	return true, err
}

// restOf compiles additionalProperties or what follows a list's prefix; nil is
// a schema that refuses nothing by itself.
func (c *compiler) restOf(v uint32) (*rule, error) {
	if c.doc.nodes[v].kind == kTrue || c.shape && c.doc.nodes[v].kind == kFalse {
		return nil, nil
	}
	return c.rule(v)
}

func (r *rule) keys() *objectRule {
	if r.object == nil {
		r.object = &objectRule{index: map[string]int{}, max: -1}
	}
	return r.object
}

// property returns the entry of a name, which it adds if need be.
func (o *objectRule) property(name string) *property {
	i, ok := o.index[name]
	if !ok {
		i = len(o.props)
		o.index[name] = i
		o.props = append(o.props, property{name: []byte(name)})
	}
	return &o.props[i]
}

func (c *compiler) properties(r *rule, v uint32) error {
	if c.doc.nodes[v].kind != kObject {
		return c.bad("properties", v, "it must be an object")
	}
	o := r.keys()
	o.declares = true
	for k, s := range c.doc.members(v) {
		sub, err := c.rule(s)
		if err != nil {
			return err
		}
		o.property(c.doc.str(k)).rule = sub
	}
	return nil
}

func (c *compiler) required(r *rule, n, v uint32) error {
	names, err := c.names("required", v)
	if err != nil {
		return err
	}
	o := r.keys()
	for _, name := range names {
		if p := o.property(name); !p.required {
			p.required = true
			if !c.shape || n == 0 { // elsewhere a shape does not know whether it applies
				o.required++
			}
		}
	}
	return nil
}

func (c *compiler) patternProperties(r *rule, v uint32) error {
	if c.doc.nodes[v].kind != kObject {
		return c.bad("patternProperties", v, "it must be an object")
	}
	for k, s := range c.doc.members(v) {
		sub, err := c.rule(s)
		if err != nil {
			return err
		}
		if p := c.pattern(k, s); p != nil {
			r.keys().patterns = append(r.keys().patterns, patternRule{p, sub})
		}
	}
	return nil
}
