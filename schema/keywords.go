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

// listKeyword compiles what speaks of arrays.
func (c *compiler) listKeyword(r *rule, n uint32, word string, v uint32) (known bool, err error) {
	switch word {
	case "items":
		return true, c.itemsOf(r, v)
	case "prefixItems":
		if c.dialect >= draft2020 {
			r.items().prefix, err = c.rulesOf(word, v)
		}
	case "additionalItems":
		if items, ok := c.doc.member(n, "items"); ok && c.tuple(items) {
			r.items().rest, err = c.restOf(v)
		}
	case "minItems":
		err = c.count(&r.items().min, word, v)
	case "maxItems":
		err = c.count(&r.items().max, word, v)
	case "uniqueItems":
		return true, c.unique(r, v)
	case "contains":
		if !c.shape && c.dialect >= draft6 {
			r.items().contains, err = c.rule(v)
		}
	case "minContains":
		if c.dialect >= draft2019 {
			err = c.count(&r.items().least, word, v)
		}
	case "maxContains":
		if c.dialect >= draft2019 {
			err = c.count(&r.items().most, word, v)
		}
	default:
		return false, nil
	}
	return true, err
}

func (r *rule) items() *listRule {
	if r.list == nil {
		r.list = &listRule{max: -1, least: 1, most: -1}
	}
	return r.list
}

func (c *compiler) unique(r *rule, v uint32) error {
	switch c.doc.nodes[v].kind {
	case kTrue:
		r.items().unique = !c.shape
	case kFalse:
	default:
		return c.bad("uniqueItems", v, "it must be true or false")
	}
	return nil
}

// tuple says whether `items` is the list of schemas of older dialects. A schema
// that names no dialect is read so too, since a list can mean nothing else.
func (c *compiler) tuple(items uint32) bool {
	_, named := c.doc.member(0, "$schema")
	return c.doc.nodes[items].kind == kArray && (c.dialect < draft2020 || !named)
}

func (c *compiler) itemsOf(r *rule, v uint32) (err error) {
	switch {
	case !c.tuple(v):
		r.items().rest, err = c.restOf(v)
	case c.doc.nodes[v].size > 0:
		r.items().prefix, err = c.rulesOf("items", v)
	}
	return err
}

// valueKeyword compiles what speaks of any value, of strings and of numbers.
func (c *compiler) valueKeyword(r *rule, n uint32, word string, v uint32) (known bool, err error) {
	if word == "default" {
		if c.opts.FillDefaults {
			r.preset = c.doc.canonical(v)
		}
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
