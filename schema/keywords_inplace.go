package schema

import "strings"

// inPlaceKeyword compiles what applies further schemas to the same value.
func (c *compiler) inPlaceKeyword(r *rule, n uint32, word string, v uint32) (known bool, err error) {
	switch word {
	case "$ref":
		return true, c.reference(r, v)
	case "allOf":
		err = c.alternatives(r, &r.allOf, word, v)
	case "anyOf":
		err = c.alternatives(r, &r.anyOf, word, v)
	case "oneOf":
		err = c.alternatives(r, &r.oneOf, word, v)
	case "not":
		if !c.shape {
			r.not, err = c.rule(v)
		}
	case "if", "then", "else":
		return true, c.conditional(r, n, word, v)
	case "dependentRequired", "dependentSchemas":
		if c.dialect >= draft2019 {
			err = c.dependencies(r, word, v)
		}
	case "dependencies":
		if c.dialect <= draft7 {
			err = c.dependencies(r, word, v)
		}
	default:
		return false, nil
	}
	return true, err
}

// alternatives compiles a list of schemas. A shape has no alternatives: all
// that may apply counts.
func (c *compiler) alternatives(r *rule, to *[]*rule, word string, v uint32) error {
	rules, err := c.rulesOf(word, v)
	if c.shape {
		to = &r.allOf
	}
	*to = append(*to, rules...)
	return err
}

// reference compiles a $ref.
func (c *compiler) reference(r *rule, v uint32) error {
	if c.doc.nodes[v].kind != kString {
		return c.bad("$ref", v, "it must be a string")
	}
	ref := c.doc.str(v)
	if ref != "#" && !strings.HasPrefix(ref, "#/") {
		return c.rare("$ref", v)
	}
	target, err := c.resolve(ref, v)
	if err != nil || target == nowhere {
		return err
	}
	r.ref, err = c.rule(target)
	return err
}

// conditional compiles if, then and else. The last two mean nothing alone.
func (c *compiler) conditional(r *rule, n uint32, word string, v uint32) (err error) {
	if _, ok := c.doc.member(n, "if"); !ok || c.dialect < draft7 {
		return nil
	}
	part, err := c.rule(v)
	switch {
	case c.shape:
		r.allOf = append(r.allOf, part)
	case word == "if":
		r.test = part
	case word == "then":
		r.then = part
	default:
		r.other = part
	}
	return err
}

// dependencies compiles dependentRequired, dependentSchemas, and the older
// keyword that is either.
func (c *compiler) dependencies(r *rule, word string, v uint32) error {
	if c.doc.nodes[v].kind != kObject {
		return c.bad(word, v, "it must be an object")
	}
	for k, s := range c.doc.members(v) {
		d := dependency{name: c.doc.str(k), word: word}
		var err error
		if list := c.doc.nodes[s].kind == kArray; list && word != "dependentSchemas" {
			d.names, err = c.names(word, s)
		} else if word == "dependentRequired" {
			err = c.bad(word, s, "it must be a list of names")
		} else {
			d.rule, err = c.rule(s)
		}
		if err != nil {
			return err
		}
		if !c.shape {
			r.dependent = append(r.dependent, d)
		} else if d.rule != nil {
			r.allOf = append(r.allOf, d.rule)
		}
	}
	return nil
}

// names reads a list of names.
func (c *compiler) names(word string, v uint32) (names []string, err error) {
	if c.doc.nodes[v].kind != kArray {
		return nil, c.bad(word, v, "it must be a list of names")
	}
	for i := range c.doc.items(v) {
		if c.doc.nodes[i].kind != kString {
			return nil, c.bad(word, v, "it must be a list of names")
		}
		names = append(names, c.doc.str(i))
	}
	return names, nil
}
