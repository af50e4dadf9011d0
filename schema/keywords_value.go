package schema

// valueKeyword compiles what speaks of any value, of strings and of numbers.
func (c *compiler) valueKeyword(r *rule, n uint32, word string, v uint32) (known bool, err error) {
	if word == "default" {
		r.preset = c.doc.canonical(v)
		return true, nil
	}
	if c.shape {
		return false, nil
	}
	switch word {
	case "type":
		return true, c.types(r, v)
	case "enum":
		return true, c.enum(r, v)
	case "const":
		if r.enum != nil { // both must hold
			r.allOf = append(r.allOf, &rule{enum: &enum{doc: c.doc, values: []uint32{v}, word: word}})
		} else {
			r.enum = &enum{doc: c.doc, values: []uint32{v}, word: word}
		}
		return true, nil
	case "minLength":
		return true, c.count(&r.string().min, word, v)
	case "maxLength":
		return true, c.count(&r.string().max, word, v)
	case "pattern":
		if c.doc.nodes[v].kind != kString {
			return true, c.bad(word, v, "it must be a string")
		}
		r.string().pattern = c.pattern(v, v)
		return true, nil
	}
	return c.numberKeyword(r, word, v)
}

func (c *compiler) numberKeyword(r *rule, word string, v uint32) (known bool, err error) {
	var bound *[]byte
	switch word {
	case "minimum":
		bound = &r.numeric().min
	case "maximum":
		bound = &r.numeric().max
	case "exclusiveMinimum":
		bound = &r.numeric().over
	case "exclusiveMaximum":
		bound = &r.numeric().under
	case "multipleOf":
		bound = &r.numeric().step
	default:
		return false, nil
	}
	if c.doc.nodes[v].kind != kNumber {
		return true, c.bad(word, v, "it must be a number")
	}
	if *bound = c.doc.canonical(v); word == "multipleOf" && compareNumbers(*bound, []byte("0")) <= 0 {
		return true, c.bad(word, v, "it must be above 0")
	}
	return true, nil
}

func (r *rule) string() *textRule {
	if r.text == nil {
		r.text = &textRule{max: -1}
	}
	return r.text
}

func (r *rule) numeric() *numberRule {
	if r.number == nil {
		r.number = &numberRule{}
	}
	return r.number
}

// count reads a keyword whose value is how many.
func (c *compiler) count(to *int, word string, v uint32) error {
	if c.shape {
		return nil
	}
	d := c.doc.nodes[v]
	if d.kind != kNumber || d.flags&whole == 0 || c.doc.raw(v)[0] == '-' && d.flags&plain != 0 {
		return c.bad(word, v, "it must be a whole number and not negative")
	}
	n, ok := small(c.doc.canonical(v))
	if !ok || n > 1<<30 {
		n = 1 << 30 // no text that is accepted has so many
	}
	*to = int(n)
	return nil
}

func (c *compiler) types(r *rule, v uint32) error {
	switch d := c.doc.nodes[v]; {
	case d.kind == kString:
		return c.addType(r, v)
	case d.kind != kArray || d.size == 0:
		return c.bad("type", v, "it must be a type or a list of types that is not empty")
	}
	for i := range c.doc.items(v) {
		if err := c.addType(r, i); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) addType(r *rule, v uint32) error {
	if c.doc.nodes[v].kind == kString {
		word := c.doc.str(v)
		for _, t := range typeNames {
			if t.word == word {
				r.types |= t.set
				return nil
			}
		}
	}
	return c.bad("type", v, c.doc.echo(v)+" is no type")
}

func (c *compiler) enum(r *rule, v uint32) error {
	if c.doc.nodes[v].kind != kArray {
		return c.bad("enum", v, "it must be a list of values")
	}
	e := &enum{doc: c.doc, word: "enum"}
	for i := range c.doc.items(v) {
		e.values = append(e.values, i)
	}
	if len(e.values) > 8 {
		e.texts = map[string]struct{}{}
		for _, i := range e.values {
			if c.doc.nodes[i].kind == kString {
				e.texts[c.doc.str(i)] = struct{}{}
			}
		}
	}
	if r.enum != nil {
		r.allOf = append(r.allOf, &rule{enum: e})
		return nil
	}
	r.enum = e
	return nil
}
