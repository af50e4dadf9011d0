package schema

import (
	"reflect"

	"github.com/assentdev/assent/fault"
)

// allows refuses a value of an enum or a default tag that the field itself
// would refuse: another type, or beyond the field's other tags.
func (t *tagging) allows(s *shape, raw string) error {
	if s.nullable && raw == "null" {
		return nil
	}
	var value parser
	if err := value.read([]byte(raw), decodeLimits); err != nil {
		return t.errorf("the value %s is no strict JSON", raw)
	}
	if s == t.whole && !t.fits(&value.tape) {
		return t.errorf("the value %s does not fit the type %s", raw, t.field.typ)
	}
	if err := s.refuses([]byte(raw)); err != nil {
		return t.errorf("the value %s contradicts the field: %s", raw, fault.TextOf(err))
	}
	return nil
}

// fits reports whether a value decodes into the field.
func (t *tagging) fits(value *tape) bool {
	switch k := value.nodes[0].kind; {
	case k == kNull:
		return false
	case t.field.quoted:
		return k == kString
	}
	return NewDecoder(t.field.typ).Decode(value.canonical(0), reflect.New(t.field.typ).Interface()) == nil
}

// refuses checks a value against the schema made so far.
func (s *shape) refuses(raw []byte) error {
	made, err := Compile(s.append(nil), &Options{AnyValue: true})
	if err != nil {
		return err
	}
	_, err = made.Check(raw)
	return err
}
