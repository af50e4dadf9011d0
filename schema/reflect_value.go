package schema

import (
	"bytes"
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
		return t.errorf("the value %s contradicts the field's other tags or its type", raw)
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
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.append(nil)))
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("field.json", doc); err != nil {
		return err
	}
	compiled, err := c.Compile("field.json")
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}
