package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assentdev/assent/model"
)

// maxArgDepth is as deep as SPEC A5 lets arguments be. Deeper text is invalid
// anyway and passed on as it is.
const maxArgDepth = 64

// withoutNulls returns the argument text of a call to t without the nulls that
// strict mode made the model write for optional properties (SPEC A7). All other
// bytes stay. Text that is no JSON, that has nothing to remove, or whose tool
// was not shaped comes back as it is.
func withoutNulls(args string, t model.Tool) string {
	if !strings.Contains(args, "null") || !json.Valid([]byte(args)) {
		return args
	}
	if !json.Valid(t.Input) {
		return args
	}
	s, err := shape(t.Input)
	if err != nil {
		return args
	}
	raw := []byte(args)
	c := &cutter{shaped: s}
	start := space(raw, 0)
	end := valueEnd(raw, start)
	out := c.value(slices.Clone(raw[:start]), raw[start:end], []*node{s.root}, 1)
	if !c.cut || c.tooDeep {
		return args
	}
	return string(append(out, raw[end:]...))
}

// cutter copies a value without the nulls that it finds.
type cutter struct {
	*shaped
	cut, tooDeep bool
}

// value appends v, which one of the schemas describes.
func (c *cutter) value(b, v []byte, schemas []*node, depth int) []byte {
	if depth > maxArgDepth {
		c.tooDeep = true
		return append(b, v...)
	}
	if schemas = c.flat(nil, schemas, maxDepth); len(schemas) == 0 {
		return append(b, v...)
	}
	switch v[0] {
	case '{':
		return c.object(b, v, schemas, depth)
	case '[':
		return c.array(b, v, schemas, depth)
	}
	return append(b, v...)
}

// flat appends the schemas with references and alternatives resolved.
func (c *cutter) flat(dst, schemas []*node, hops int) []*node {
	for _, n := range schemas {
		switch {
		case hops == 0:
		case n.ref != "":
			dst = c.flat(dst, []*node{c.target(n.ref)}, hops-1)
		case n.anyOf != nil:
			dst = c.flat(dst, n.anyOf, hops-1)
		default:
			dst = append(dst, n)
		}
	}
	return dst
}

// object copies an object. One that names a property twice is copied whole: it
// is invalid (SPEC A5), and must not become valid here.
func (c *cutter) object(b, v []byte, schemas []*node, depth int) []byte {
	seen := map[string][]byte{}
	for name, value := range members(v) {
		if seen[string(name)] != nil {
			return append(b, v...)
		}
		seen[string(name)] = value
	}
	schemas = meant(seen, schemas)
	b = append(b, '{')
	first := true
	for quoted, value := range quotedMembers(v) {
		name := text(quoted)
		if isNull(value) && removable(name, schemas) {
			c.cut = true
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, quoted...), ':')
		b = c.value(b, value, children(name, schemas), depth+1)
	}
	return append(b, '}')
}

func (c *cutter) array(b, v []byte, schemas []*node, depth int) []byte {
	var items []*node
	for _, n := range schemas {
		if n.items != nil {
			items = append(items, n.items)
		}
	}
	b = append(b, '[')
	first := true
	for value := range elements(v) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = c.value(b, value, items, depth+1)
	}
	return append(b, ']')
}

// meant returns those of the alternatives that an object can be: they know all
// its properties, and its constants agree. If that leaves none, any may be meant.
func meant(object map[string][]byte, schemas []*node) []*node {
	var fit []*node
	for _, n := range schemas {
		known := 0
		agree := true
		for _, p := range n.props {
			value, ok := object[p.name]
			if !ok {
				continue
			}
			known++
			agree = agree && (p.node.enum == nil || isNull(value) || slices.ContainsFunc(p.node.enum, func(e []byte) bool { return bytes.Equal(e, value) }))
		}
		if known == len(object) && agree {
			fit = append(fit, n)
		}
	}
	if fit == nil {
		return schemas
	}
	return fit
}

// removable says whether a null for the property can only stand for its
// absence: it was optional, and no schema that may be meant says otherwise.
func removable(name string, schemas []*node) bool {
	found := false
	for _, n := range schemas {
		for _, p := range n.props {
			if p.name != name {
				continue
			}
			if !p.optional {
				return false
			}
			found = true
		}
	}
	return found
}

func children(name string, schemas []*node) []*node {
	var found []*node
	for _, n := range schemas {
		for _, p := range n.props {
			if p.name == name {
				found = append(found, p.node)
			}
		}
	}
	return found
}
