package schema

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
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

// reflect describes t, which stands at path.
func (r *reflector) reflect(t reflect.Type, path string) (*shape, error) {
	if err := r.enter(t, path); err != nil {
		return nil, err
	}
	defer r.leave()
	if s, err := r.special(t, path); s != nil || err != nil {
		return s, err
	}
	switch t.Kind() {
	case reflect.Pointer:
		s, err := r.reflect(t.Elem(), path)
		return r.nilIsNull(s, err)
	case reflect.Struct:
		return r.structure(t, path)
	case reflect.Map:
		return r.mapping(t, path)
	case reflect.Slice, reflect.Array:
		return r.list(t, path)
	case reflect.Interface:
		if t.NumMethod() > 0 && !r.output {
			return nil, r.errorf(path, "nothing can be decoded into the interface %s: use a concrete type or json.RawMessage", t)
		}
		return newShape(""), nil
	}
	if s := scalar(t); s != nil {
		return s, nil
	}
	return nil, r.errorf(path, "%s has no JSON form: leave it out with the tag `json:\"-\"`", t)
}

// nilIsNull allows null where encoding/json writes it.
func (r *reflector) nilIsNull(s *shape, err error) (*shape, error) {
	if err != nil {
		return nil, err
	}
	s.nullable = r.output && s.kind != ""
	return s, nil
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

// scalar describes booleans, strings and numbers; nil for other kinds.
func scalar(t reflect.Type) *shape {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return newShape("boolean")
	case k == reflect.String:
		return newShape("string")
	case k == reflect.Float64:
		return newShape("number")
	case k == reflect.Float32:
		return newShape("number").set("minimum", "-3.4028235e+38").set("maximum", "3.4028235e+38")
	case isInteger(k):
		low, high := integerBounds(t)
		return newShape("integer").set("minimum", low).set("maximum", high)
	}
	return nil
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

func isUnsigned(k reflect.Kind) bool { return k >= reflect.Uint && k <= reflect.Uintptr }

// integerBounds returns the smallest and the largest value of an integer type.
func integerBounds(t reflect.Type) (low, high string) {
	if isUnsigned(t.Kind()) {
		return "0", strconv.FormatUint(1<<t.Bits()-1, 10)
	}
	return strconv.FormatInt(-1<<(t.Bits()-1), 10), strconv.FormatInt(1<<(t.Bits()-1)-1, 10)
}

// list describes a slice or an array. Bytes are base64, as in encoding/json.
func (r *reflector) list(t reflect.Type, path string) (*shape, error) {
	if isBase64(t) {
		s := newShape("string").quote("contentEncoding", "base64")
		return r.nilIsNull(s, nil)
	}
	items, err := r.reflect(t.Elem(), path+"[]")
	if err != nil {
		return nil, err
	}
	s := newShape("array")
	s.items = items
	if t.Kind() == reflect.Array {
		n := strconv.Itoa(t.Len())
		return s.set("minItems", n).set("maxItems", n), nil
	}
	return r.nilIsNull(s, nil)
}

// isBase64 reports whether encoding/json writes t as base64: it does for slices
// of bytes whose type has no form of its own.
func isBase64(t reflect.Type) bool {
	if t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Uint8 {
		return false
	}
	p := reflect.PointerTo(t.Elem())
	return !p.Implements(jsonMarshaler) && !p.Implements(textMarshaler)
}

// mapping describes a map.
func (r *reflector) mapping(t reflect.Type, path string) (*shape, error) {
	key := t.Key()
	s := newShape("object")
	switch ownText := implements(key, textUnmarshaler) || r.output && implements(key, textMarshaler); {
	case ownText, key.Kind() == reflect.String:
	case isInteger(key.Kind()):
		low, high := integerBounds(key)
		s.set("propertyNames", string(newShape("").quote("pattern", integerPattern(low, high)).append(nil)))
	default:
		return nil, r.errorf(path, "a map's keys are strings, integers or TextUnmarshalers, not %s", key)
	}
	values, err := r.reflect(t.Elem(), path+"[]")
	if err != nil {
		return nil, err
	}
	s.values = values
	return r.nilIsNull(s, nil)
}

// structure describes a struct.
func (r *reflector) structure(t reflect.Type, path string) (*shape, error) {
	s := newShape("object")
	s.closed = true
	for _, f := range jsonFields(t) {
		p, err := r.property(f, path+f.path)
		if err != nil {
			return nil, err
		}
		s.props = append(s.props, p)
	}
	return s, nil
}

func (r *reflector) property(f jsonField, path string) (p shapeProperty, err error) {
	if f.blocked && !r.output {
		return p, r.errorf(path, "it is reached through an embedded pointer to an unexported type, which encoding/json cannot set: embed the struct itself")
	}
	tags, err := r.readTags(f.tag, path)
	if err != nil {
		return p, err
	}
	s, err := r.reflect(f.typ, path)
	if err != nil {
		return p, err
	}
	pointer := f.typ.Kind() == reflect.Pointer
	if f.omit {
		s.nullable = false // written only where it is not nil
	}
	if f.quoted {
		if s, err = r.quotedShape(f.typ, s, path); err != nil {
			return p, err
		}
	}
	p = shapeProperty{name: f.name, shape: s, required: !f.omit && !f.through && (r.output || !pointer)}
	return p, r.applyTags(tags, f, &p, path)
}
