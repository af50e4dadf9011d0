package resource

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// payload checks and decodes what an action is given.
type payload struct {
	typ     reflect.Type
	raw     json.RawMessage // its JSON Schema; nil: there is none
	err     error           // why there is none
	schema  *schema.Schema  // nil: only the validator or the decoder checks
	decoder *schema.Decoder
	own     Validator
	shape   *shape // the properties, in order; nil without a schema
}

// payloadOf describes the payloads of a type. A type without a description
// works for people all the same: then decoding is the check.
func payloadOf(t reflect.Type) *payload {
	p := &payload{typ: t, decoder: schema.NewDecoder(t)}
	if t.Kind() != reflect.Struct {
		p.err = fault.New(SchemaWithoutJSON, "the payload type %s has no JSON Schema: use a struct, or a validator that is a JSONConverter", t)
		return p
	}
	raw, err := schema.Of(t)
	if err != nil {
		p.err = fault.Wrap(err, SchemaWithoutJSON, "the payload has no JSON Schema: %s", fault.TextOf(err))
		return p
	}
	p.describe(raw)
	p.lookups(t)
	return p
}

// ownPayload describes the payloads that a validator accepts.
func ownPayload(t reflect.Type, v Validator) *payload {
	p := &payload{typ: t, decoder: schema.NewDecoder(t), own: v}
	c, ok := v.(JSONConverter)
	if !ok {
		p.err = fault.New(SchemaWithoutJSON, "the validator of the payload has no JSON Schema: give it the method JSONSchema")
		return p
	}
	raw, err := c.JSONSchema()
	if err != nil {
		p.err = fault.Wrap(err, SchemaWithoutJSON, "the validator of the payload cannot give its JSON Schema")
		return p
	}
	p.describe(raw)
	return p
}

// describe reads a schema. One that does not say whether other properties are
// allowed allows none, as the tool's description says.
func (p *payload) describe(raw json.RawMessage) {
	var tight bytes.Buffer
	if err := json.Compact(&tight, raw); err != nil {
		p.err = notObject("it is no JSON: %v", err)
		return
	}
	p.raw = tight.Bytes()
	if p.shape, p.err = readShape(p.raw); p.err != nil {
		return
	}
	p.raw = p.shape.closed(p.raw)
	compiled, err := schema.Compile(p.raw, &schema.Options{FillDefaults: true})
	if err != nil {
		p.err = fault.Wrap(err, SchemaNotObject, "the payload's JSON Schema cannot be used: %s", fault.TextOf(err))
		return
	}
	p.schema = compiled
}

// lookups notes which lookup feeds a field.
func (p *payload) lookups(t reflect.Type) {
	if p.shape == nil {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		lookup := f.Tag.Get("lookup")
		if lookup == "" {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if prop := p.shape.property(name); prop != nil {
			prop.lookup = lookup
		}
	}
}

// check returns the payload in canonical form, with defaults filled in.
func (p *payload) check(raw json.RawMessage) (canonical json.RawMessage, err error) {
	if p.schema == nil {
		canonical, err = schema.Canonical(orEmpty(raw), nil)
	} else {
		var args schema.Args
		args, err = p.schema.Check(raw)
		canonical = args.Canonical
	}
	if err != nil {
		return nil, asIssues(err)
	}
	if p.own != nil {
		if issues := p.own.Validate(canonical); len(issues) > 0 {
			return nil, Issues(issues)
		}
	}
	return canonical, nil
}

// filled validates and decodes the payload of a call.
func filled[P any](d *Definition, c *Context) (p P, err error) {
	pay := d.action.payload
	if !c.checked {
		canonical, err := pay.check(c.Payload)
		if err != nil {
			return p, err
		}
		c.Payload, c.checked = canonical, true
	}
	if raw, ok := any(&p).(*json.RawMessage); ok {
		*raw = bytes.Clone(c.Payload)
		return p, nil
	}
	return p, asIssues(pay.decoder.Decode(c.Payload, &p))
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// asIssues turns what package schema found into issues with paths.
func asIssues(err error) error {
	var invalid *schema.Invalid
	if err == nil || !errors.As(err, &invalid) {
		return err
	}
	var l Issues
	for _, p := range invalid.Problems {
		l = append(l, Issue{pathOf(p.Pointer), p.Text})
	}
	if invalid.More {
		l = append(l, Issue{nil, "there is more that is wrong"})
	}
	return l
}

// pathOf splits a JSON Pointer, and pointer makes one.
func pathOf(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(pointer[1:], "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
	}
	return parts
}

func pointer(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(p, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// marshal writes a value as JSON without HTML escapes.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
