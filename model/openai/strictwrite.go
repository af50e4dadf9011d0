package openai

import "slices"

// append appends the strict schema.
func (s *shaped) append(b []byte) []byte {
	b = s.root.appendKeywords(append(b, '{'), false)
	key := ""
	for _, def := range s.defs {
		switch {
		case def.key == key:
			b = append(b, ',')
		case key != "":
			b = append(b, '}')
			fallthrough
		default:
			b = append(append(append(b, `,"`...), def.key...), `":{`...)
		}
		key = def.key
		b = append(appendString(b, def.name), ':')
		b = def.node.append(b, false)
	}
	if key != "" {
		b = append(b, '}')
	}
	return append(b, '}')
}

// append appends n, which also allows null if null is set.
func (n *node) append(b []byte, null bool) []byte {
	return append(n.appendKeywords(append(b, '{'), null), '}')
}

func (n *node) appendKeywords(b []byte, null bool) []byte {
	for _, k := range n.keep {
		b = append(appendString(b, string(k.name)), ':')
		b = append(append(b, k.value...), ',')
	}
	switch {
	case n.ref != "":
		b = n.appendRef(b, null)
	case n.anyOf != nil:
		b = append(b, `"anyOf":[`...)
		for i, a := range n.anyOf {
			if i > 0 {
				b = append(b, ',')
			}
			b = a.append(b, false)
		}
		if null {
			b = append(b, `,{"type":"null"}`...)
		}
		b = append(b, ']')
	default:
		b = n.appendTyped(b, null)
	}
	return b
}

// appendRef puts a reference that has words or null beside it into an anyOf,
// because strict mode takes a $ref only alone.
func (n *node) appendRef(b []byte, null bool) []byte {
	ref := appendString([]byte(`"$ref":`), n.ref)
	if len(n.keep) == 0 && !null {
		return append(b, ref...)
	}
	b = append(append(append(b, `"anyOf":[{`...), ref...), '}')
	if null {
		b = append(b, `,{"type":"null"}`...)
	}
	return append(b, ']')
}

func (n *node) appendTyped(b []byte, null bool) []byte {
	types := n.types
	if null && !slices.Contains(types, "null") {
		types = append(slices.Clone(types), "null")
	}
	b = appendTypes(append(b, `"type":`...), types)
	if n.enum != nil {
		b = append(b, `,"enum":[`...)
		for i, v := range n.enum {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, v...)
		}
		if null {
			b = append(b, ",null"...)
		}
		b = append(b, ']')
	}
	if slices.Contains(types, "array") {
		b = n.items.append(append(b, `,"items":`...), false)
	}
	if slices.Contains(types, "object") {
		b = n.appendObject(b)
	}
	return b
}

func (n *node) appendObject(b []byte) []byte {
	b = append(b, `,"properties":{`...)
	for i, p := range n.props {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.node.append(append(appendString(b, p.name), ':'), p.optional)
	}
	b = append(b, `},"required":[`...)
	for i, p := range n.props {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, p.name)
	}
	return append(b, `],"additionalProperties":false`...)
}

func appendTypes(b []byte, types []string) []byte {
	if len(types) == 1 {
		return appendString(b, types[0])
	}
	b = append(b, '[')
	for i, t := range types {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, t)
	}
	return append(b, ']')
}
