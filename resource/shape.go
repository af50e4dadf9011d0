package resource

import (
	"bytes"
	"encoding/json"

	"github.com/assentdev/assent/fault"
)

// shape is a JSON Schema of a plain object, read for its properties in order.
type shape struct {
	props []*property
	defs  json.RawMessage // "$defs", which properties may refer to
	shut  bool            // it says itself that there are no other properties
}

// property is one property of a shape.
type property struct {
	name     string
	raw      json.RawMessage // its schema
	required bool
	lookup   string // the lookup that feeds it, resource.name; "" for none
}

func (s *shape) property(name string) *property {
	for _, p := range s.props {
		if p.name == name {
			return p
		}
	}
	return nil
}

// plain are the keywords that an object's root may have. Whatever else stands
// there, such as a union, is refused by model providers, or would be lost where
// the payload is joined with the address (SPEC R4).
var plain = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "$defs": true,
	"title": true, "description": true, "$schema": true, "$id": true, "$comment": true, "examples": true,
}

// closed says in the schema, where it does not, that there are no other properties.
func (s *shape) closed(raw json.RawMessage) json.RawMessage {
	if s.shut {
		return raw
	}
	comma := ","
	if len(raw) == len("{}") {
		comma = ""
	}
	return append(append(raw[:len(raw)-1:len(raw)-1], comma...), `"additionalProperties":false}`...)
}

// readShape reads a schema whose root is a plain object that does not allow other
// properties than those it names.
func readShape(raw json.RawMessage) (*shape, error) {
	s := &shape{}
	var required []string
	err := members(raw, func(key string, value json.RawMessage) error {
		switch key {
		case "type":
			if string(bytes.TrimSpace(value)) != `"object"` {
				return notObject("its type is %s", value)
			}
		case "properties":
			return members(value, func(name string, prop json.RawMessage) error {
				s.props = append(s.props, &property{name: name, raw: prop})
				return nil
			})
		case "required":
			if json.Unmarshal(value, &required) != nil {
				return notObject("its required is no list of names")
			}
		case "additionalProperties":
			if string(bytes.TrimSpace(value)) != "false" {
				return notObject("it allows properties that it does not name: say additionalProperties false")
			}
			s.shut = true
		case "$defs":
			s.defs = value
		}
		if !plain[key] {
			return notObject("%q stands at its root", key)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, s.require(required)
}

func (s *shape) require(names []string) error {
	for _, name := range names {
		p := s.property(name)
		if p == nil {
			return notObject("it requires %q and has no such property", name)
		}
		p.required = true
	}
	return nil
}

func notObject(format string, args ...any) error {
	e := fault.New(SchemaNotObject, format, args...)
	e.Text = "the payload's JSON Schema is no plain object: " + e.Text
	return e
}
