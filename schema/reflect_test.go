package schema_test

//lint:file-ignore SA5008 some tags are wrong on purpose: they must be refused
//lint:file-ignore U1000 fields are there for the reflector

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

var updateReflected = flag.Bool("update-reflected", false, "rewrite the golden files of reflected schemas")

type common struct {
	ID   string `json:"id" doc:"The id of the <record> & nothing else." minLength:"1"`
	Note string `json:"note,omitempty"`
}

type money struct {
	Cents    int64  `json:"cents" min:"0"`
	Currency string `json:"currency,omitempty" enum:"EUR,USD" default:"EUR"`
}

type everything struct {
	common
	Flag     bool                  `json:"flag"`
	Int      int                   `json:"int"`
	Int8     int8                  `json:"int8"`
	Uint16   uint16                `json:"uint16,omitempty"`
	Uint64   uint64                `json:"uint64,omitzero"`
	Float    float64               `json:"float" exclusiveMin:"0" max:"1.5"`
	Float32  float32               `json:"float32"`
	Big      *big.Int              `json:"big"`
	Number   json.Number           `json:"number"`
	Raw      json.RawMessage       `json:"raw"`
	Any      any                   `json:"any"`
	Bytes    []byte                `json:"bytes"`
	ByteList [3]byte               `json:"byte_list"`
	Time     time.Time             `json:"time" doc:"When."`
	Wait     time.Duration         `json:"wait,omitempty" doc:"How long." max:"60000000000"`
	Addr     netip.Addr            `json:"addr"`
	Names    []string              `json:"names" doc:"Who." enum:"ann,bob" minItems:"1" maxItems:"2" unique:"true"`
	Codes    []int16               `json:"codes,omitempty" min:"100" max:"999" default:"[200]"`
	Prices   map[string]money      `json:"prices" maxProperties:"5"`
	ByPort   map[uint8]netip.Addr  `json:"by_port"`
	ByAddr   map[netip.Addr]string `json:"by_addr,omitempty"`
	Inner    *money                `json:"inner" nullable:"true"`
	Maybe    *string               `json:"maybe" nullable:"true" enum:"a,b"`
	Mail     string                `json:"mail" format:"email" title:"E-mail"`
	Code     string                `json:"code" pattern:"^[A-Z]{3}(?!X)" maxLength:"8"`
	Secret   string                `json:"secret,omitempty" secret:"true"`
	Quoted   int64                 `json:"quoted,string"`
	Byte     *uint8                `json:"byte,string"`
	Ratio    float64               `json:"ratio,string"`
	Yes      bool                  `json:"yes,string"`
	Text     string                `json:"text,string"`
	Skipped  string                `json:"-"`
	Dash     string                `json:"-,"`
	hidden   string
	Untagged string
}

// TestReflectedGolden compares whole schemas with golden files.
// proves: T5
func TestReflectedGolden(t *testing.T) {
	for name, reflected := range map[string]func() (json.RawMessage, error){
		"arguments": schema.For[everything],
		"result":    schema.ForResult[everything],
		"none":      schema.For[struct{}],
		"map":       schema.For[map[string]money],
		"list":      schema.ForResult[[]*money],
	} {
		t.Run(name, func(t *testing.T) {
			got, err := reflected()
			if err != nil {
				t.Fatal(err)
			}
			again, _ := reflected()
			if !bytes.Equal(got, again) {
				t.Fatalf("two calls differ:\n%s\n%s", got, again)
			}
			checkGolden(t, filepath.Join("testdata", "reflected", name+".json"), got)
			if _, err := schema.Compile(got, &schema.Options{AnyValue: true}); err != nil {
				t.Errorf("the checker does not take the schema: %v", err)
			}
		})
	}
}

func checkGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, got, "", "  "); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	if *updateReflected {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, indented.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: write it with -update-reflected", err)
	}
	if !bytes.Equal(indented.Bytes(), want) {
		t.Errorf("differs from %s:\n%s", file, indented.Bytes())
	}
}

// TestReflectedShape looks at one decision at a time.
func TestReflectedShape(t *testing.T) {
	for _, c := range []struct {
		name string
		typ  reflect.Type
		want string
	}{
		{"T5 an object at the root without properties", reflect.TypeFor[struct{}](),
			`{"type":"object","properties":{},"additionalProperties":false}`},
		{"T5 a pointer at the root is its struct", reflect.TypeFor[*struct{}](),
			`{"type":"object","properties":{},"additionalProperties":false}`},
		{"T5 declared order, not alphabetical", reflect.TypeFor[struct {
			Z bool `json:"z"`
			A bool `json:"a"`
		}](), object(`"z":{"type":"boolean"},"a":{"type":"boolean"}`, "z", "a")},
		{"T5 omitempty, omitzero and pointers are optional and not nullable", reflect.TypeFor[struct {
			A string  `json:"a,omitempty"`
			B string  `json:"b,omitzero"`
			C *string `json:"c"`
		}](), object(`"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}`)},
		{"T5 nullable only by tag", reflect.TypeFor[struct {
			A *string `json:"a" nullable:"true"`
		}](), object(`"a":{"type":["string","null"]}`)},
		{"T5 fields through an embedded pointer are optional", reflect.TypeFor[struct{ *Embedded }](),
			object(`"e":{"type":"boolean"}`)},
		{"T5 an embedded struct with a name is a property", reflect.TypeFor[struct {
			Embedded `json:"in"`
		}](), object(`"in":`+object(`"e":{"type":"boolean"}`, "e"), "in")},
		{"T5 one type twice is inlined twice", reflect.TypeFor[struct{ A, B Embedded }](),
			object(`"A":`+object(`"e":{"type":"boolean"}`, "e")+`,"B":`+object(`"e":{"type":"boolean"}`, "e"), "A", "B")},
		{"B20 integers below 64 bits carry their bounds", reflect.TypeFor[struct {
			A int8   `json:"a"`
			B uint64 `json:"b"`
			C int64  `json:"c"`
		}](), object(`"a":{"type":"integer","minimum":-128,"maximum":127},"b":{"type":"integer","minimum":0},`+
			`"c":{"type":"integer"}`, "a", "b", "c")},
		{"a type with its own form says what it is", reflect.TypeFor[struct {
			C colour `json:"c,omitempty" doc:"Which."`
		}](), object(`"c":{"type":"array","description":"Which.","items":{"type":"integer"}}`)},
		{"letters that HTML escapes stay readable", reflect.TypeFor[struct {
			A string `json:"a,omitempty" doc:"a < b && \"c\"\n é"`
		}](), object(`"a":{"type":"string","description":"a < b && \"c\"\n é"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := schema.Of(c.typ)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func object(properties string, required ...string) string {
	s := `{"type":"object","properties":{` + properties + `}`
	if len(required) > 0 {
		s += `,"required":["` + strings.Join(required, `","`) + `"]`
	}
	return s + `,"additionalProperties":false}`
}

type Embedded struct {
	E bool `json:"e"`
}

// colour has its own JSON form and says which.
type colour struct{ r, g, b uint8 }

func (c *colour) UnmarshalJSON(b []byte) error {
	var list [3]uint8
	err := json.Unmarshal(b, &list)
	c.r, c.g, c.b = list[0], list[1], list[2]
	return err
}

func (colour) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"items":{"type":"integer"},"type":"array"}`)
}

type (
	node   struct{ Kids []*node }
	forest struct {
		Root struct{ Trees map[string]node }
	}
	loop    []loop
	ownForm struct{}
	badDesc struct{}
	refDesc struct{}
	doubled struct{ A, B, C, D, E, F, G, H doubledA }
)

type (
	doubledA struct{ A, B, C, D, E, F, G, H doubledB }
	doubledB struct{ A, B, C, D, E, F, G, H doubledC }
	doubledC struct{ A, B, C, D, E, F, G, H doubledD }
	doubledD struct{ A, B, C, D, E, F, G, H bool }
)

func (*ownForm) UnmarshalJSON([]byte) error  { return nil }
func (badDesc) JSONSchema() json.RawMessage  { return json.RawMessage(`[]`) }
func (refDesc) JSONSchema() json.RawMessage  { return json.RawMessage(`{"items":[{"$ref":"#/a"}]}`) }
func (ownForm) MarshalJSON() ([]byte, error) { return nil, nil }

// TestReflectedErrors: each wrong definition is an error that names the place.
// proves: T5
func TestReflectedErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		typ  reflect.Type
		want string
	}{
		{"a recursive type names its path", reflect.TypeFor[forest](), "schema_test.forest.Root.Trees[].Kids[]: the type schema_test.node contains itself (it begins at schema_test.forest.Root.Trees[])"},
		{"a slice of itself", reflect.TypeFor[struct{ L loop }](), ".L[]: the type schema_test.loop contains itself"},
		{"a type that grows when inlined", reflect.TypeFor[doubled](), "nest fewer types"},
		{"a channel", reflect.TypeFor[struct{ C chan int }](), ".C: chan int has no JSON form"},
		{"a function", reflect.TypeFor[struct{ F func() }](), ".F: func() has no JSON form"},
		{"a complex number", reflect.TypeFor[struct{ Z complex64 }](), ".Z: complex64 has no JSON form"},
		{"an interface with methods", reflect.TypeFor[struct{ E error }](), ".E: nothing can be decoded into the interface error"},
		{"a map with boolean keys", reflect.TypeFor[struct{ M map[bool]int }](), ".M: a map's keys are"},
		{"a form of its own", reflect.TypeFor[struct{ O ownForm }](), ".O: schema_test.ownForm has a JSON form of its own"},
		{"a description that is no object", reflect.TypeFor[struct{ O badDesc }](), "must return one JSON object"},
		{"a description with $ref", reflect.TypeFor[struct{ O refDesc }](), "uses $ref"},
		{"a root that is no object", reflect.TypeFor[[]int](), "arguments are a JSON object"},
		{"a root that is a time", reflect.TypeFor[time.Time](), "arguments are a JSON object"},
		{"a root that is anything", reflect.TypeFor[json.RawMessage](), "arguments are a JSON object"},
		{"an embedded pointer that cannot be set", reflect.TypeFor[struct{ *common }](), ".common.ID: it is reached through an embedded pointer"},
		{",string on a type with a text form", reflect.TypeFor[struct {
			N json.Number `json:",string"`
		}](), ",string does not work with json.Number"},

		{"min above max", reflect.TypeFor[struct {
			A int `min:"3" max:"2"`
		}](), ".A: minimum 3 and maximum 2 leave no value"},
		{"exclusive bounds that meet", reflect.TypeFor[struct {
			A float64 `min:"1" exclusiveMax:"1.0"`
		}](), "leave no value"},
		{"min below the type", reflect.TypeFor[struct {
			A uint `min:"-1"`
		}](), ".A: the tag min is -1, but the type ends at 0"},
		{"max above the type", reflect.TypeFor[struct {
			A int8 `max:"128"`
		}](), "but the type ends at 127"},
		{"min that is no number", reflect.TypeFor[struct {
			A float64 `min:"one"`
		}](), `the tag min is "one": write a number`},
		{"a fraction for an integer", reflect.TypeFor[struct {
			A int `min:"1.5"`
		}](), "write an integer"},
		{"min on a string", reflect.TypeFor[struct {
			A string `min:"1"`
		}](), "the tag min speaks of integer or number, but the field is string"},
		{"min on anything", reflect.TypeFor[struct {
			A any `min:"1"`
		}](), "but the field is anything"},
		{"multipleOf zero", reflect.TypeFor[struct {
			A int `multipleOf:"0"`
		}](), "must be more than 0"},
		{"minLength above maxLength", reflect.TypeFor[struct {
			A string `minLength:"3" maxLength:"2"`
		}](), "leave no value"},
		{"a negative length", reflect.TypeFor[struct {
			A string `minLength:"-1"`
		}](), "write a number of 0 or more"},
		{"minItems on an array", reflect.TypeFor[struct {
			A [2]int `minItems:"1"`
		}](), "has a fixed length"},
		{"a bad pattern", reflect.TypeFor[struct {
			A string `pattern:"("`
		}](), `the pattern "(" is no regular expression`},
		{"a pattern against ,string", reflect.TypeFor[struct {
			A int `json:",string" pattern:"^1"`
		}](), "contradicts ,string"},
		{"an unknown format", reflect.TypeFor[struct {
			A string `format:"colour"`
		}](), `unknown format "colour"`},
		{"another format than the type's", reflect.TypeFor[struct {
			A time.Time `format:"date"`
		}](), "contradicts the type"},
		{"an enum value of another type", reflect.TypeFor[struct {
			A int `enum:"1,b"`
		}](), `the value "b" is no integer`},
		{"an enum value beyond the type", reflect.TypeFor[struct {
			A int8 `enum:"1,300"`
		}](), "the value 300 does not fit the type int8"},
		{"an enum value beyond a bound", reflect.TypeFor[struct {
			A []int `max:"5" enum:"1,6"`
		}](), "the value 6 contradicts the field"},
		{"an enum value twice", reflect.TypeFor[struct {
			A string `enum:"a,a"`
		}](), `enum names "a" twice`},
		{"an enum on a boolean", reflect.TypeFor[struct {
			A bool `enum:"true"`
		}](), "the tag enum speaks of"},
		{"a default that is not in the enum", reflect.TypeFor[struct {
			A string `json:",omitempty" enum:"a,b" default:"c"`
		}](), `the value "c" contradicts the field`},
		{"a default beyond a bound", reflect.TypeFor[struct {
			A int `json:",omitempty" max:"5" default:"6"`
		}](), "the value 6 contradicts the field"},
		{"a default of another type", reflect.TypeFor[struct {
			A []int `json:",omitempty" default:"[1,\"x\"]"`
		}](), "does not fit the type []int"},
		{"a default that is no JSON", reflect.TypeFor[struct {
			A int `json:",omitempty" default:"six"`
		}](), "is no JSON"},
		{"a default that breaks the pattern", reflect.TypeFor[struct {
			A string `json:",omitempty" pattern:"^a" default:"b"`
		}](), "contradicts the field"},
		{"a default of a required field", reflect.TypeFor[struct {
			A int `default:"1"`
		}](), "never used"},
		{"nullable without a place for null", reflect.TypeFor[struct {
			A string `nullable:"true"`
		}](), "string cannot hold null"},
		{"a flag that is not true", reflect.TypeFor[struct {
			A *string `nullable:"yes"`
		}](), `the tag nullable is "yes"`},
		{"unique on a string", reflect.TypeFor[struct {
			A string `unique:"true"`
		}](), "the tag unique speaks of array"},
		{"another library's word", reflect.TypeFor[struct {
			A int `minimum:"1"`
		}](), "the tag minimum is not read: write min"},
		{"a tag in other letters", reflect.TypeFor[struct {
			A string `minlength:"1"`
		}](), "the tag minlength is not read: write minLength"},
		{"a tag twice", reflect.TypeFor[struct {
			A string `doc:"a" doc:"b"`
		}](), "the tag doc is given twice"},
		{"the error is in a nested struct", reflect.TypeFor[struct {
			L []struct {
				A string `format:"x"`
			}
		}](), ".L[].A: unknown format"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := schema.Of(c.typ)
			if err == nil {
				t.Fatalf("no error: %s", got)
			}
			if fault.CodeOf(err) != fault.BadTool || !strings.Contains(fault.TextOf(err), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestReflectedMalformedTag builds the type at run time, because go vet refuses
// such tags in source.
func TestReflectedMalformedTag(t *testing.T) {
	for _, tag := range []string{`doc:nothing`, `doc`, `doc:"open`, `:"x"`} {
		typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](), Tag: reflect.StructTag(tag)}})
		if _, err := schema.Of(typ); fault.CodeOf(err) != fault.BadTool || !strings.Contains(err.Error(), "is not a list of name") {
			t.Errorf("tag `%s`: %v", tag, err)
		}
	}
}

// TestResultOfString: a string goes to the model as it is and has no schema.
// proves: T2
func TestResultOfString(t *testing.T) {
	if got, err := schema.ForResult[string](); got != nil || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := schema.ForResult[netip.Addr](); string(got) != `{"type":"string"}` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}
