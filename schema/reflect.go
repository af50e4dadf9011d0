package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/assentdev/assent/fault"
)

// maxReflected is the largest schema that reflection makes, in bytes. Inlining
// repeats a type wherever it is used, so a few nested types can make megabytes.
const maxReflected = 1 << 20

// Described is a type that gives its own JSON Schema, because it has its own
// JSON form (UnmarshalJSON) that reflection cannot know. The method is called on
// a zero value. It returns one JSON object without $ref.
type Described interface {
	JSONSchema() json.RawMessage
}

// For returns the JSON Schema of arguments that are decoded into a T; see Of.
func For[T any]() (json.RawMessage, error) { return Of(reflect.TypeFor[T]()) }

// ForResult returns the JSON Schema of results of type T; see ResultOf.
func ForResult[T any]() (json.RawMessage, error) { return ResultOf(reflect.TypeFor[T]()) }

// Of returns the JSON Schema of arguments that [Decode] reads into a t: a
// struct, a map with string-like keys, or a pointer to one. The bytes are the
// same on every call and every machine of the same word size.
//
// Properties come in the order of declaration, with the names, the embedding
// and the omissions of encoding/json; everything is inlined, and
// additionalProperties is false for structs. A field is required unless it is a
// pointer, or says omitempty or omitzero, or is reached through an embedded
// pointer. Null is allowed only by the tag nullable.
//
//	bool, string            boolean, string
//	int…, uint…             integer, with the bounds of the type if it has less than 64 bits;
//	                        0 is always the least of an unsigned one
//	float32, float64        number; float32 with its bounds
//	[]byte                  string with contentEncoding base64
//	slice, array            array; an array has exactly its length
//	map                     object; keys are strings, integers, or TextUnmarshalers
//	any, json.RawMessage    anything
//	json.Number, big.Int    number, integer
//	time.Time               string with format date-time
//	time.Duration           integer, described as nanoseconds, as encoding/json reads it
//	encoding.TextUnmarshaler  string
//	[Described]             what it says
//	field with ,string      string with the pattern of the number
//
// Tags say more about a field:
//
//	doc, title              description and title
//	enum                    values, separated by commas
//	min, max, exclusiveMin, exclusiveMax, multipleOf
//	minLength, maxLength    in characters
//	pattern, format         of a string; formats are those of JSON Schema
//	minItems, maxItems, minProperties, maxProperties
//	unique:"true"           no item twice
//	default                 JSON, or the bare text of a string; for optional fields
//	nullable:"true"         null is allowed too; for types that can hold nil
//	secret:"true"           writeOnly: shown masked
//
// On a slice or an array, tags that speak of a number or a string speak of its
// elements.
//
// What cannot be described is an error with code fault.BadTool that names the
// type and the field: a recursive type (with the path to itself), a channel, a
// function, a complex number, an interface with methods, a type with its own
// JSON form that is not [Described], an unknown or contradictory tag.
func Of(t reflect.Type) (json.RawMessage, error) {
	r := &reflector{root: t}
	s, err := r.reflect(t, "")
	if err != nil {
		return nil, err
	}
	if !s.is("object") {
		return nil, r.errorf("", "arguments are a JSON object: use a struct or a map with string keys")
	}
	return r.finish(s)
}

// ResultOf returns the JSON Schema of what encoding/json writes for a t, or nil
// for a string, which goes to a model as it is. It differs from Of where
// writing differs from reading: any type may be at the root, nil slices, maps
// and pointers may be null, and a field that is always written is required.
func ResultOf(t reflect.Type) (json.RawMessage, error) {
	if t.Kind() == reflect.String && !implements(t, textMarshaler) && !implements(t, jsonMarshaler) {
		return nil, nil
	}
	r := &reflector{root: t, output: true}
	s, err := r.reflect(t, "")
	if err != nil {
		return nil, err
	}
	return r.finish(s)
}

// reflector makes the schema of one type.
type reflector struct {
	root   reflect.Type
	output bool
	// open are the types that are being described, with the path of each: a type
	// that is met while it is open contains itself.
	open []openType
	size int
}

type openType struct {
	typ  reflect.Type
	path string
}

func (r *reflector) finish(s *shape) (json.RawMessage, error) {
	b := s.append(nil)
	if len(b) > maxReflected {
		return nil, r.errorf("", "the schema has %d bytes, at most %d are allowed: nest fewer types", len(b), maxReflected)
	}
	return b, nil
}

// enter opens t, unless it is open already or too much was made of the root.
func (r *reflector) enter(t reflect.Type, path string) error {
	if i := slices.IndexFunc(r.open, func(o openType) bool { return o.typ == t }); i >= 0 {
		return r.errorf(path, "the type %s contains itself (it begins at %s): a schema without $ref cannot describe it, use json.RawMessage", t, r.at(r.open[i].path))
	}
	if r.size++; r.size > maxReflected/64 {
		return r.errorf(path, "the type has too many parts when it is inlined: nest fewer types")
	}
	r.open = append(r.open, openType{t, path})
	return nil
}

func (r *reflector) leave() { r.open = r.open[:len(r.open)-1] }

// at names a place in the root type, such as shop.Order.Items[].Price.
func (r *reflector) at(path string) string { return strings.TrimLeft(r.root.String(), "*") + path }

func (r *reflector) errorf(path, format string, args ...any) error {
	return fault.New(fault.BadTool, "%s: %s", r.at(path), fmt.Sprintf(format, args...))
}
