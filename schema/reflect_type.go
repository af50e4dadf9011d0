package schema

import (
	"reflect"
	"strconv"
)

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
