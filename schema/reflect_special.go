package schema

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"time"
)

// Types whose JSON form is known, or that give one.
var (
	rawMessageType  = reflect.TypeFor[json.RawMessage]()
	numberType      = reflect.TypeFor[json.Number]()
	bigIntType      = reflect.TypeFor[big.Int]()
	timeType        = reflect.TypeFor[time.Time]()
	durationType    = reflect.TypeFor[time.Duration]()
	describedType   = reflect.TypeFor[Described]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// implements reports whether t or a pointer to it has the methods of iface.
func implements(t, iface reflect.Type) bool {
	return t.Implements(iface) || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(iface)
}

// special describes types that do not go by their kind; nil for all others.
func (r *reflector) special(t reflect.Type, path string) (*shape, error) {
	switch t {
	case rawMessageType:
		return newShape(""), nil
	case numberType:
		return newShape("number"), nil
	case bigIntType:
		return newShape("integer"), nil
	case timeType:
		return newShape("string").quote("format", "date-time"), nil
	case durationType:
		return scalar(t).quote("description", "Nanoseconds."), nil
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return nil, nil
	}
	if implements(t, describedType) {
		return r.described(t, path)
	}
	if r.output {
		return written(t), nil
	}
	if implements(t, jsonUnmarshaler) {
		return nil, r.errorf(path, "%s has a JSON form of its own (UnmarshalJSON): give it a method JSONSchema() json.RawMessage", t)
	}
	if implements(t, textUnmarshaler) {
		return newShape("string"), nil
	}
	return nil, nil
}

// written describes what a type's own methods write. Methods of the pointer are
// called only where a value can be addressed, so they leave anything possible.
func written(t reflect.Type) *shape {
	switch {
	case implements(t, jsonMarshaler):
		return newShape("")
	case t.Implements(textMarshaler):
		return newShape("string")
	case implements(t, textMarshaler):
		return newShape("")
	}
	return nil
}

// described asks a type for its schema.
func (r *reflector) described(t reflect.Type, path string) (*shape, error) {
	raw := reflect.New(t).Interface().(Described).JSONSchema()
	s := newShape("")
	if err := json.Unmarshal(raw, &s.keys); err != nil || s.keys == nil {
		return nil, r.errorf(path, "JSONSchema of %s must return one JSON object", t)
	}
	if mentionsRef(raw) {
		return nil, r.errorf(path, "JSONSchema of %s uses $ref: write the schema out in its place", t)
	}
	if json.Unmarshal(s.keys["type"], &s.kind) == nil {
		delete(s.keys, "type")
	}
	return s, nil
}

// mentionsRef reports whether a JSON value has a member $ref or $dynamicRef anywhere.
func mentionsRef(raw json.RawMessage) bool {
	var members map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(raw, &members) == nil {
		for key, value := range members {
			if key == "$ref" || key == "$dynamicRef" || mentionsRef(value) {
				return true
			}
		}
	} else if json.Unmarshal(raw, &items) == nil {
		for _, value := range items {
			if mentionsRef(value) {
				return true
			}
		}
	}
	return false
}
