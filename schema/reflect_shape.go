package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// shape is a schema while it is being made. Its parts stay apart until the end,
// because the tags of a field change what its type gave.
type shape struct {
	kind     string // the JSON type; "" for anything
	nullable bool
	keys     map[string]json.RawMessage // the keywords that are not below
	items    *shape
	values   *shape          // of a map
	props    []shapeProperty // of a struct, in the order of declaration
	closed   bool            // additionalProperties is false
}

type shapeProperty struct {
	name     string
	shape    *shape
	required bool
}

func newShape(kind string) *shape { return &shape{kind: kind, keys: map[string]json.RawMessage{}} }

func (s *shape) is(kind string) bool { return s.kind == kind }

// set sets a keyword to a JSON value.
func (s *shape) set(key, raw string) *shape {
	s.keys[key] = json.RawMessage(raw)
	return s
}

// quote sets a keyword to a string.
func (s *shape) quote(key, text string) *shape { return s.set(key, string(AppendString(nil, text))) }

// shapeOrder is the order in which keywords are written. Others follow sorted.
var shapeOrder = []string{
	"title", "description", "enum", "default", "format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "propertyNames",
}

// append writes the schema: the type, the keywords, then what is nested.
func (s *shape) append(b []byte) []byte {
	w := memberWriter{b: append(b, '{')}
	if s.kind != "" {
		w.raw("type", s.typeJSON())
	}
	for _, key := range shapeOrder {
		if !widest(key, s.keys[key]) {
			w.raw(key, s.keys[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.keys)) {
		if !slices.Contains(shapeOrder, key) {
			w.raw(key, s.keys[key])
		}
	}
	s.appendNested(&w)
	return append(w.b, '}')
}

// widest reports whether a bound is that of a 64-bit type. It is not written: it
// says nothing to a model, and Decode refuses what is beyond it all the same.
func widest(key string, bound []byte) bool {
	switch string(bound) {
	case "-9223372036854775808":
		return key == "minimum"
	case "9223372036854775807", "18446744073709551615":
		return key == "maximum"
	}
	return false
}

func (s *shape) appendNested(w *memberWriter) {
	if s.items != nil {
		w.b = s.items.append(w.key("items"))
	}
	if s.closed {
		w.b = s.appendProperties(w.key("properties"))
		w.raw("required", s.requiredJSON())
		w.raw("additionalProperties", []byte("false"))
	}
	if s.values != nil {
		w.b = s.values.append(w.key("additionalProperties"))
	}
}

func (s *shape) appendProperties(b []byte) []byte {
	w := memberWriter{b: append(b, '{')}
	for _, p := range s.props {
		w.b = p.shape.append(w.key(p.name))
	}
	return append(w.b, '}')
}

func (s *shape) typeJSON() []byte {
	if s.nullable {
		return []byte(`["` + s.kind + `","null"]`)
	}
	return []byte(strconv.Quote(s.kind))
}

// requiredJSON returns the names of the required properties, nil for none.
func (s *shape) requiredJSON() []byte {
	var b []byte
	for _, p := range s.props {
		if p.required {
			b = AppendString(append(b, ','), p.name)
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '['
	return append(b, ']')
}

// memberWriter writes the members of an object whose brace is in b.
type memberWriter struct{ b []byte }

// key begins a member and returns the bytes that its value is appended to.
func (w *memberWriter) key(name string) []byte {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(AppendString(w.b, name), ':')
	return w.b
}

// raw writes a member, or nothing where there is no value.
func (w *memberWriter) raw(name string, value []byte) {
	if value != nil {
		w.b = append(w.key(name), value...)
	}
}

// AppendString appends text as a JSON string with the only escapes that JSON
// requires, as JSON.stringify writes it. Unlike json.Marshal it leaves <, > and &
// readable, because a model reads it. Invalid UTF-8 becomes U+FFFD.
func AppendString(b []byte, text string) []byte {
	b = appendEscaped(append(b, '"'), strings.ToValidUTF8(text, "\uFFFD"))
	return append(b, '"')
}
