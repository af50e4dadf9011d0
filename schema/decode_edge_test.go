package schema_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/schema"
)

// edges are values around the ends of Go's types, in JSON.
var edges = strings.Fields(`null true 0 -1 1 127 128 -128 -129 255 256 65535 65536 9223372036854775807 9223372036854775808
	-9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 0.5 1e2 1e400 -0
	"" "x" "0" "-0" "00" "7" "-128" "128" "+1" "1.0" "1e1" "true" "null" "\"q\"" "\"\\u0041\"" "\"\\ud800\"" "9223372036854775808" [] [1] {} {"0":1} {"128":2} {"x":null}`)

// beyond64 is what Decode says of an integer that only a 64-bit type's bounds
// exclude, which a schema does not write.
var beyond64 = regexp.MustCompile(`\d{19,} is no u?int(64)?(;|$)`)

// nearly draws JSON text that looks like a t, with edges in its leaves.
func nearly(t *rapid.T, typ reflect.Type) string {
	if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
		return rapid.SampledFrom(edges).Draw(t, "edge")
	}
	switch typ.Kind() {
	case reflect.Struct:
		var members []string
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			members = append(members, `"`+name+`":`+nearly(t, typ.Field(i).Type))
		}
		return "{" + strings.Join(members, ",") + "}"
	case reflect.Slice, reflect.Array:
		var items []string
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			items = append(items, nearly(t, typ.Elem()))
		}
		return "[" + strings.Join(items, ",") + "]"
	case reflect.Map:
		key := rapid.SampledFrom([]string{"", "0", "-0", "01", "-1", "127", "128", "-128", "-129", "255", "18446744073709551616", "x"}).Draw(t, "key")
		return `{"` + key + `":` + nearly(t, typ.Elem()) + `}`
	case reflect.Pointer:
		return nearly(t, typ.Elem())
	}
	return rapid.SampledFrom(edges).Draw(t, "edge")
}

// TestWhatTheSchemaAllowsDecodes: for types without a text form of their own
// and without floats, nobody is asked about arguments that cannot be decoded.
// proves: T5
func TestWhatTheSchemaAllowsDecodes(t *testing.T) {
	leaves := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any](),
		reflect.TypeFor[json.Number](), reflect.TypeFor[map[int8]int8](), reflect.TypeFor[map[uint64]bool](), reflect.TypeFor[map[string]int](),
		reflect.TypeFor[[]int8](), reflect.TypeFor[[2]bool](), reflect.TypeFor[*int16](), reflect.TypeFor[inner](), reflect.TypeFor[[]inner](),
	}
	allowed := 0
	rapid.Check(t, func(t *rapid.T) {
		fields := make([]reflect.StructField, rapid.IntRange(1, 4).Draw(t, "fields"))
		for i := range fields {
			typ, tag := rapid.SampledFrom(leaves).Draw(t, "type"), string(rune('a'+i))
			if plainScalar(typ) && rapid.Bool().Draw(t, "quoted") {
				tag += ",string"
			} else if rapid.Bool().Draw(t, "optional") {
				tag += ",omitempty"
			}
			tag = `json:"` + tag + `"`
			if nilable(typ) && rapid.Bool().Draw(t, "nullable") {
				tag += ` nullable:"true"`
			}
			fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: typ, Tag: reflect.StructTag(tag)}
		}
		typ := reflect.StructOf(fields)
		raw, err := schema.Of(typ)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := schema.Compile(raw, nil)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		for range 10 {
			args, err := compiled.Check([]byte(nearly(t, typ)))
			if err != nil {
				continue
			}
			allowed++
			if err := schema.NewDecoder(typ).Decode(args.Canonical, reflect.New(typ).Interface()); err != nil && !beyond64.MatchString(err.Error()) {
				t.Fatalf("the schema allows %s but %v\n%s", args.Canonical, err, raw)
			}
		}
	})
	if t.Logf("%d values were allowed", allowed); allowed == 0 {
		t.Error("no value was allowed: the test tries too little")
	}
}
