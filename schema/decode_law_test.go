package schema_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/schema"
)

// randomType draws a type out of the family that reflection describes.
func randomType(depth int) *rapid.Generator[reflect.Type] {
	return rapid.Custom(func(t *rapid.T) reflect.Type {
		kinds := len(leafTypes) + 5
		if depth == 0 {
			kinds = len(leafTypes)
		}
		k := rapid.IntRange(0, kinds-1).Draw(t, "kind")
		if k < len(leafTypes) {
			return leafTypes[k]
		}
		if k == len(leafTypes) {
			return randomStruct(t, depth-1)
		}
		elem := randomType(depth-1).Draw(t, "elem")
		switch k - len(leafTypes) {
		case 1:
			return reflect.SliceOf(elem)
		case 2:
			return reflect.ArrayOf(rapid.IntRange(0, 3).Draw(t, "length"), elem)
		case 3:
			if nilable(elem) {
				return elem // null would not say which of the two is nil
			}
			return reflect.PointerTo(elem)
		default:
			key := rapid.SampledFrom(keyTypes).Draw(t, "key")
			return reflect.MapOf(key, elem)
		}
	})
}

var leafTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[*big.Int](), reflect.TypeFor[json.Number](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any](), reflect.TypeFor[inner](),
}

var keyTypes = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](), reflect.TypeFor[netip.Addr]()}

// randomStruct draws a struct whose fields have names in several forms, some of
// them equal but for their case.
func randomStruct(t *rapid.T, depth int) reflect.Type {
	names := []string{"id", "ID", "a/b", "größe", "x_1", "-", "Name"}
	fields := make([]reflect.StructField, rapid.IntRange(0, len(names)).Draw(t, "fields"))
	for i := range fields {
		typ := randomType(depth).Draw(t, "type")
		options := ""
		if rapid.Bool().Draw(t, "quoted") && plainScalar(typ) {
			options = ",string"
		} else if rapid.Bool().Draw(t, "omit") {
			options = ",omitempty"
			if plainScalar(typ) { // what is empty inside of a struct is left out, and the struct is then zero
				options = rapid.SampledFrom([]string{",omitempty", ",omitzero"}).Draw(t, "how")
			}
		} else if names[i] == "-" {
			options = ","
		}
		tag := fmt.Sprintf(`json:"%s%s"`, names[i], options)
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: typ, Tag: reflect.StructTag(tag)}
	}
	return reflect.StructOf(fields)
}

func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return true
	}
	return false
}

func plainScalar(t reflect.Type) bool {
	return t.PkgPath() == "" && t.Kind() <= reflect.Float64 && t.Kind() >= reflect.Bool || t == reflect.TypeFor[string]()
}

// fill sets v to a random value. Text is valid UTF-8, numbers are finite.
func fill(t *rapid.T, v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(rapid.Int64Range(-1<<32, 1<<33).Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec")).UTC()
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{byte(rapid.IntRange(0, 255).Draw(t, "ip")), 0, 0, 1})
		return
	case **big.Int:
		*p, _ = new(big.Int).SetString(rapid.StringMatching(`-?[1-9][0-9]{0,40}`).Draw(t, "big"), 10)
		return
	case *json.Number:
		*p = json.Number(rapid.StringMatching(`-?[1-9][0-9]{0,30}(\.[0-9]{0,4}[1-9])?`).Draw(t, "number"))
		return
	case *json.RawMessage:
		*p = json.RawMessage(rapid.SampledFrom([]string{`null`, `{"a":[1,"x"]}`, `12345678901234567890`, `"é"`}).Draw(t, "raw"))
		return
	case *any:
		*p = rapid.SampledFrom([]any{nil, true, "x", json.Number("9007199254740993"), []any{"a", nil}, map[string]any{"k": json.Number("1")}}).Draw(t, "any")
		return
	}
	fillKind(t, v)
}

func fillKind(t *rapid.T, v reflect.Value) {
	switch k := v.Kind(); k {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int") >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint") >> (64 - v.Type().Bits()))
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32().Draw(t, "float32")))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float64"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Slice:
		if n := rapid.IntRange(-1, 3).Draw(t, "length"); n >= 0 { // -1 leaves it nil
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(t, v.Index(i))
			}
		}
	case reflect.Map:
		fillMap(t, v)
	}
}

func fillMap(t *rapid.T, v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	for range rapid.IntRange(0, 3).Draw(t, "size") {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key)
		fill(t, elem)
		v.SetMapIndex(key, elem)
	}
}

// TestDecodeIsWhatWasShown: what is written with encoding/json, brought into the
// canonical form and decoded, is the same value; and what is decoded, written
// and brought into the canonical form is what was shown.
// proves: A5
func TestDecodeIsWhatWasShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := randomStruct(t, 2)
		v := reflect.New(typ).Elem()
		fill(t, v)
		shown := canonicalOf(t, v)
		got := reflect.New(typ)
		if err := schema.NewDecoder(typ).Decode(shown, got.Interface()); err != nil {
			t.Fatalf("%s of %s: %v", shown, typ, err)
		}
		if again := canonicalOf(t, got.Elem()); string(again) != string(shown) {
			t.Fatalf("shown   %s\ndecoded %s", shown, again)
		}
		if !sameValue(got.Elem(), v) {
			t.Fatalf("shown %s\nwas     %#v\ndecoded %#v", shown, v, got.Elem())
		}
	})
}

func canonicalOf(t *rapid.T, v reflect.Value) []byte {
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := schema.Canonical(raw, nil)
	if err != nil && strings.Contains(err.Error(), "beyond the range") {
		t.Skip("a subnormal number that the strict parse refuses")
	}
	if err != nil {
		t.Fatal(err)
	}
	return canonical
}

// sameValue is reflect.DeepEqual, but that negative zero is zero, a json.RawMessage
// is its canonical text, and what omitempty leaves out comes back as nil.
func sameValue(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float()
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[time.Time]() {
			return a.Interface().(time.Time).Equal(b.Interface().(time.Time))
		}
		if a.Type().PkgPath() != "" {
			return reflect.DeepEqual(a.Interface(), b.Interface())
		}
		for i := range a.NumField() {
			if !sameValue(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if n, ok := a.Interface().(*big.Int); ok {
			return n.Cmp(b.Interface().(*big.Int)) == 0
		}
		return a.IsNil() == b.IsNil() && (a.IsNil() || sameValue(a.Elem(), b.Elem()))
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			if other := b.MapIndex(key); !other.IsValid() || !sameValue(a.MapIndex(key), other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// TestResultSchemaAllowsWhatIsWritten: whatever encoding/json writes for a type
// keeps to the type's result schema; and, unless something is nil, to the
// schema of its arguments.
// proves: T5
func TestResultSchemaAllowsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := randomStruct(t, 2)
		v := reflect.New(typ).Elem()
		fill(t, v)
		shown := canonicalOf(t, v)
		checkAgainst(t, schema.ResultOf, typ, shown)
		if !strings.Contains(string(shown), "null") {
			checkAgainst(t, schema.Of, typ, shown)
		}
	})
}

func checkAgainst(t *rapid.T, of func(reflect.Type) (json.RawMessage, error), typ reflect.Type, shown []byte) {
	raw, err := of(typ)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	compiled, err := schema.Compile(raw, &schema.Options{AnyValue: true})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if _, err := compiled.Check(shown); err != nil {
		t.Fatalf("%s\nagainst %s: %v", shown, raw, err)
	}
}

// FuzzDecode: whatever is decoded is also read by encoding/json, into the same
// value, and its names stand in the text.
// proves: A5
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"id":"a","int":1,"float":1.5,"bytes":"QQ==","pair":[1,2],"list":[{"name":"x"}],"q":"12","qs":"\"a\""}`,
		`{"ID":"a"}`, `{"any":{"x":[1e5,null]},"raw":[1],"time":"2026-11-30T00:00:00Z"}`, `{"float":9007199254740993}`, `{"ports":{"01":true}}`,
	} {
		f.Add([]byte(text))
	}
	raw, err := schema.For[decoded]()
	if err != nil {
		f.Fatal(err)
	}
	known := properties(f, raw)
	f.Fuzz(func(t *testing.T, text []byte) {
		canonical, err := schema.Parse(text, nil)
		if err != nil {
			return
		}
		var v, plain decoded
		if schema.Decode(canonical, &v) != nil {
			return
		}
		dec := json.NewDecoder(strings.NewReader(string(canonical)))
		dec.UseNumber()
		dec.DisallowUnknownFields()
		if err := dec.Decode(&plain); err != nil || !reflect.DeepEqual(v, plain) {
			t.Fatalf("%s: %v\n%+v\n%+v", canonical, err, v, plain)
		}
		var names map[string]json.RawMessage
		if err := json.Unmarshal(canonical, &names); err != nil {
			t.Fatal(err)
		}
		for name := range names {
			if _, ok := known[name]; !ok {
				t.Fatalf("%q was decoded, but is no field", name)
			}
		}
	})
}
