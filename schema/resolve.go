package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// dialect is a version of JSON Schema.
type dialect uint8

const (
	draft4 dialect = iota
	draft6
	draft7
	draft2019
	draft2020
)

var dialects = map[string]dialect{
	"json-schema.org/draft-04/schema":      draft4,
	"json-schema.org/draft-06/schema":      draft6,
	"json-schema.org/draft-07/schema":      draft7,
	"json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft/2020-12/schema": draft2020,
	"json-schema.org/schema":               draft2020,
}

// setDialect reads `$schema`.
func (c *compiler) setDialect() error {
	c.dialect = draft2020
	v, ok := c.doc.member(0, "$schema")
	if !ok {
		return nil
	}
	if c.doc.nodes[v].kind != kString {
		return c.bad("$schema", v, "it must be a string")
	}
	name := c.doc.str(v)
	_, place, _ := strings.Cut(strings.TrimSuffix(name, "#"), "://")
	d, ok := dialects[place]
	if _, given := c.opts.Documents[name]; given {
		return c.rare("$schema", v)
	}
	if !ok {
		return c.bad("$schema", v, "the dialect "+show(name, maxEcho)+" is not known, and nothing is loaded")
	}
	if c.dialect = d; d == draft4 {
		return c.rare("$schema", v)
	}
	return nil
}

// nowhere stands for a reference that the shape leaves out.
const nowhere = ^uint32(0)

// resolve finds what a reference of the form # or #/a/b names.
func (c *compiler) resolve(ref string, at uint32) (uint32, error) {
	fragment, err := url.PathUnescape(ref[1:])
	if err != nil {
		return 0, c.bad("$ref", at, "it is not well-formed")
	}
	n := uint32(0)
	for token := range strings.SplitSeq(fragment, "/") {
		if token == "" && n == 0 && !strings.HasPrefix(fragment, "//") {
			continue // what is before the first slash
		}
		next, ok := c.child(n, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		if !ok {
			if c.shape {
				return nowhere, nil
			}
			return 0, c.bad("$ref", at, show(ref, maxEcho)+" names nothing in the document")
		}
		if n = next; c.hasID(n) {
			return nowhere, c.rare("$id", n)
		}
	}
	return n, nil
}

// hasID says whether a nested schema has a base of its own, so that references
// in it do not begin at the document's root.
func (c *compiler) hasID(n uint32) bool {
	id, ok := c.doc.member(n, "$id")
	return ok && c.doc.nodes[id].kind == kString
}

// child returns a member of an object or an item of an array.
func (c *compiler) child(n uint32, token string) (uint32, bool) {
	if c.doc.nodes[n].kind != kArray {
		return c.doc.member(n, token)
	}
	index, err := strconv.Atoi(token)
	if err != nil {
		return 0, false
	}
	for i := range c.doc.items(n) {
		if index == 0 {
			return i, true
		}
		index--
	}
	return 0, false
}
