package schema_test

//lint:file-ignore SA5008 some tags are wrong on purpose: they must be refused
//lint:file-ignore U1000 fields are there for the reflector

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/schema"
)

type (
	Left struct {
		Same   int `json:"same"`
		Left   int `json:"left"`
		Deep   int `json:"deep"`
		Tagged int `json:"named"`
	}
	Right struct {
		Same  int `json:"same"`
		Right int
		named int
	}
	Named  struct{ Named int }
	Tagged struct {
		Other string `json:"Named"`
	}
	lower  struct{ FromLower int }
	Word   string
	number int
	Any    interface{}
	Self   struct {
		*Self
		X int
	}
	Ping struct {
		*Pong
		P int
	}
	Pong struct {
		*Ping
		Q int
	}
	Twice struct{ Left }
)

// These are made at run time, because go vet takes the doubled name for a mistake.
var (
	shadow = reflect.StructOf([]reflect.StructField{
		{Name: "Left", Type: reflect.TypeFor[Left](), Anonymous: true},
		{Name: "Same", Type: reflect.TypeFor[string](), Tag: `json:"same"`},
	})
	both = reflect.StructOf([]reflect.StructField{
		{Name: "Left", Type: reflect.TypeFor[Left](), Anonymous: true},
		{Name: "Right", Type: reflect.TypeFor[Right](), Anonymous: true},
	})
)

// TestReflectedFieldsAreThoseOfEncodingJSON writes a value with encoding/json
// and compares the names.
// proves: T5
func TestReflectedFieldsAreThoseOfEncodingJSON(t *testing.T) {
	for name, v := range map[string]any{
		"two embedded structs with one name each": reflect.Zero(both).Interface(),
		"the outer name wins":                     reflect.Zero(shadow).Interface(),
		"a tag wins over a Go name": struct {
			Named
			Tagged
		}{},
		"one type by two ways": struct {
			Twice
			*Left
		}{Left: &Left{}},
		"an unexported struct":       struct{ lower }{},
		"an embedded string":         struct{ Word }{},
		"an unexported embedded int": struct{ number }{},
		"an embedded interface":      struct{ Any }{Any: 1},
		"two that embed each other":  Ping{Pong: &Pong{Ping: &Ping{}}},
		"a pointer to itself":        struct{ Self }{},
		"a name that is no tag name": struct {
			A int `json:"a\\b"`
		}{},
		"a name of punctuation": struct {
			A int `json:"a/b.c-d"`
		}{},
		"a name in other letters": struct {
			A int `json:"größe"`
		}{},
		"options without a name": struct {
			A int `json:",string"`
		}{},
		"an embedded struct with a tag": struct {
			Left `json:"in"`
		}{},
		"an embedded pointer": struct{ *Left }{Left: &Left{}},
		"omitted and dashed": struct {
			A int `json:"-"`
			B int `json:"-,"`
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			written, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var keys map[string]any
			if err := json.Unmarshal(written, &keys); err != nil {
				t.Fatal(err)
			}
			raw, err := schema.ResultOf(reflect.TypeOf(v))
			if err != nil {
				t.Fatal(err)
			}
			want, got := slices.Sorted(maps.Keys(keys)), slices.Sorted(maps.Keys(properties(t, raw)))
			if !slices.Equal(got, want) {
				t.Errorf("got %q, encoding/json writes %q", got, want)
			}
			compiled, err := schema.Compile(raw, &schema.Options{AnyValue: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := compiled.Check(written); err != nil {
				t.Errorf("the schema %s refuses what encoding/json writes: %v", raw, err)
			}
		})
	}
}

func properties(t testing.TB, raw json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	var s struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s.Properties
}

// TestReflectedQuotedBounds: the pattern of a ,string integer allows the values
// of its type in their plain form, and nothing else.
// proves: T5
func TestReflectedQuotedBounds(t *testing.T) {
	type quoted struct {
		I8  int8   `json:"i8,string"`
		U8  uint8  `json:"u8,string"`
		I16 int16  `json:"i16,string"`
		I32 int32  `json:"i32,string"`
		U32 uint32 `json:"u32,string"`
		I64 int64  `json:"i64,string"`
		U64 uint64 `json:"u64,string"`
	}
	raw, err := schema.For[quoted]()
	if err != nil {
		t.Fatal(err)
	}
	patterns := map[string]*regexp.Regexp{}
	for name, p := range properties(t, raw) {
		var s struct{ Pattern string }
		if err := json.Unmarshal(p, &s); err != nil {
			t.Fatal(err)
		}
		patterns[name] = regexp.MustCompile(s.Pattern)
	}
	allowed := func(name, text string) bool {
		bits, _ := strconv.Atoi(name[1:])
		if name[0] == 'u' {
			u, err := strconv.ParseUint(text, 10, bits)
			return err == nil && strconv.FormatUint(u, 10) == text
		}
		i, err := strconv.ParseInt(text, 10, bits)
		return err == nil && strconv.FormatInt(i, 10) == text
	}
	check := func(t interface{ Errorf(string, ...any) }, text string) {
		for name, p := range patterns {
			if got := p.MatchString(text); got != allowed(name, text) {
				t.Errorf("%s: the pattern %s says %v of %q", name, p, got, text)
			}
		}
	}
	for n := range 70_000 { // all of the small types and around them
		check(t, strconv.Itoa(n-35_000))
	}
	for _, text := range []string{"", "-0", "00", "01", "+1", "1.0", "1e1", " 1", "1\n"} {
		check(t, text)
	}
	near := []string{"2147483647", "4294967295", "9223372036854775807", "18446744073709551615", "9223372036854775808"}
	rapid.Check(t, func(t *rapid.T) {
		digits := []byte(rapid.SampledFrom(near).Draw(t, "limit"))
		if at := rapid.IntRange(0, len(digits)).Draw(t, "at"); at < len(digits) {
			digits[at] = byte('0' + rapid.IntRange(0, 9).Draw(t, "digit"))
		}
		check(t, rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")+string(digits))
	})
}
