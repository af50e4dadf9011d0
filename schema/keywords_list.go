package schema

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
