package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/assentdev/assent/fault"
)

// decodeLimits are wide: the arguments were parsed within their own limits before.
var decodeLimits = Limits{Bytes: 64 << 20, Levels: 1000, Keys: 1 << 20}

// Decode reads canonical argument bytes into the value that v points to, so
// that what was shown to a person is what the tool receives. It reads what
// encoding/json reads, with these differences, each of which is an error:
//
//   - a name that is not exactly that of a field, case included
//   - a name that is given twice, and whatever else [Parse] refuses
//   - null for a type that cannot hold it: a pointer, a slice, a map or an any
//     becomes nil, a json.RawMessage becomes null, anything else is refused
//   - an integer that a float cannot hold and print back; fractions become the
//     nearest float
//   - an array of another length than the Go array
//   - base64 that is not in its one standard form
//   - a map's integer key in another form than its plain digits
//   - a string for a json.Number
//
// Numbers in an any become json.Number, with their text. A field that is absent
// keeps the value that it had, so v should point to a zero value.
//
// An error of the arguments has code fault.BadArguments; it is an [*Invalid].
// After an error the value is incomplete and must not be used. A v that is no
// pointer, or a nil one, is an error with code fault.BadTool.
//
// Some values keep to a schema and still do not decode, such as a date that does
// not exist. A caller that decodes before it asks a person asks no one in vain.
func Decode(canonical []byte, v any) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fault.New(fault.BadTool, "arguments are decoded into a pointer that is not nil, not into %T", v)
	}
	return NewDecoder(p.Type().Elem()).Decode(canonical, v)
}

// Decoder decodes into one type. It prepares once what [Decode] prepares for
// each call. It is safe for concurrent use.
type Decoder struct {
	typ     reflect.Type
	root    *guard
	numbers bool      // an any is within reach, whose numbers keep their text
	free    sync.Pool // of *parser
}

// NewDecoder returns a decoder for values of type t.
func NewDecoder(t reflect.Type) *Decoder {
	b := guardBuilder{}
	d := &Decoder{typ: t, root: b.guard(t)}
	for inside := range b {
		d.numbers = d.numbers || inside.Kind() == reflect.Interface
	}
	return d
}

// Decode is [Decode] for a v that points to a value of the decoder's type.
func (d *Decoder) Decode(canonical []byte, v any) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Type().Elem() != d.typ {
		return fault.New(fault.BadTool, "arguments are decoded into a pointer to %s that is not nil, not into %T", d.typ, v)
	}
	text, ok := d.free.Get().(*parser)
	if !ok {
		text = &parser{}
	}
	defer d.free.Put(text)
	if err := text.read(canonical, decodeLimits); err != nil {
		return invalidText(text, err)
	}
	w := guardWalk{tape: &text.tape}
	if w.value(d.root, 0); w.bad != nil {
		return w.bad
	}
	if err := d.fill(canonical, v); err != nil {
		return d.explain(&text.tape, err)
	}
	return nil
}

// fill is encoding/json's part.
func (d *Decoder) fill(canonical []byte, v any) error {
	if !d.numbers {
		return json.Unmarshal(canonical, v)
	}
	dec := json.NewDecoder(bytes.NewReader(canonical))
	dec.UseNumber()
	return dec.Decode(v)
}

// explain finds the places of errors that a type's own method reported without
// one, by decoding each value of such a type alone.
func (d *Decoder) explain(t *tape, cause error) error {
	w := guardWalk{tape: t, own: true}
	if w.value(d.root, 0); w.bad == nil {
		w.fail(0, "does not fit the tool's type: "+cause.Error())
	}
	return w.bad
}
