package schema_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

type decoded struct {
	ID    string            `json:"id"`
	Int   int32             `json:"int"`
	Uint  uint8             `json:"uint"`
	Float float64           `json:"float"`
	F32   float32           `json:"f32"`
	Flag  bool              `json:"flag"`
	Big   *big.Int          `json:"big"`
	Num   json.Number       `json:"num"`
	Raw   json.RawMessage   `json:"raw"`
	Any   any               `json:"any"`
	Bytes []byte            `json:"bytes"`
	Pair  [2]int            `json:"pair"`
	List  []inner           `json:"list"`
	Map   map[string]*inner `json:"map"`
	Ports map[int8]bool     `json:"ports"`
	Time  time.Time         `json:"time"`
	Addr  netip.Addr        `json:"addr"`
	Q     int64             `json:"q,string"`
	QS    *string           `json:"qs,string"`
	QF    float64           `json:"qf,string"`
	QB    bool              `json:"qb,string"`
	Ptr   **int             `json:"ptr"`
	Key   string            `json:"a/b~c"`
}

type inner struct {
	Name string `json:"name"`
}

// TestDecodeRefuses: what encoding/json would read as another value than the
// text shows is refused, with its place.
// proves: A5, A6
func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"A5 a name in other letters", `{"ID":"x"}`, "/ID: unknown property"},
		{"A5 a name in other letters beside the right one", `{"id":"a","ID":"ALL"}`, "/ID: unknown property"},
		{"a name that folds to another by Unicode", `{"uınt":1}`, "unknown property"},
		{"an unknown name deep inside", `{"list":[{"name":"a"},{"name":"b","Name":"c"}]}`, "/list/1/Name: unknown property"},
		{"an unknown name in a map's value", `{"map":{"k":{"x":1}}}`, "/map/k/x: unknown property"},
		{"a name with slash and tilde is a pointer token", `{"a/b~c":1}`, "/a~1b~0c: expected a string"},
		{"A5 a doubled name", `{"id":"a","id":"b"}`, "not strict JSON"},
		{"text after the value", `{} {}`, "not strict JSON"},
		{"invalid UTF-8", "{\"id\":\"\xff\"}", "not strict JSON"},
		{"a lone surrogate", `{"id":"\ud800"}`, "not strict JSON"},
		{"a root of another type", `[]`, "expected an object, got an array"},
		{"null at the root", `null`, "null has no place in schema_test.decoded"},
		{"null for a string", `{"id":null}`, "/id: null has no place in string"},
		{"null for a time", `{"time":null}`, "/time: null has no place in time.Time"},
		{"null in an array", `{"pair":[1,null]}`, "/pair/1: null has no place in int"},
		{"null for a number in quotes", `{"q":null}`, "/q: null has no place in int64"},
		{"A6 a string for an integer", `{"int":"3"}`, "/int: expected an integer, got a string"},
		{"an integer beyond the type", `{"int":2147483648}`, "/int: 2147483648 is no int32"},
		{"a negative integer for an unsigned one", `{"uint":-1}`, "/uint: -1 is no uint8"},
		{"a fraction for an integer", `{"int":1.5}`, "/int: 1.5 is no int32"},
		{"an integer in another form", `{"int":1e2}`, "/int: 1e2 is no int32"},
		{"B20 an integer that a double rounds", `{"float":9007199254740993}`, "/float: 9007199254740993 would become 9.007199254740992e+15 as a float64"},
		{"an integer that a float32 rounds", `{"f32":16777217}`, "/f32: 16777217 would become"},
		{"a number beyond a float32", `{"f32":1e39}`, "/f32: 1e39 is beyond the range of float32"},
		{"a string for a float", `{"float":"1"}`, "/float: expected a number, got a string"},
		{"a number for a boolean", `{"flag":1}`, "/flag: expected a boolean, got an integer"},
		{"a string for a json.Number", `{"num":"1"}`, "/num: expected a number, got a string"},
		{"an object for a string", `{"id":{}}`, "/id: expected a string, got an object"},
		{"an object for a list", `{"list":{}}`, "/list: expected an array, got an object"},
		{"a list for a map", `{"map":[]}`, "/map: expected an object, got an array"},
		{"too few items", `{"pair":[1]}`, "/pair: expected exactly 2 items, got 1"},
		{"too many items", `{"pair":[1,2,3]}`, "/pair: expected exactly 2 items, got 3"},
		{"base64 with spare bits", `{"bytes":"QR=="}`, "/bytes: not standard base64"},
		{"base64 with a line end", `{"bytes":"QQ\n=="}`, "/bytes: not standard base64"},
		{"base64 without padding", `{"bytes":"QQ"}`, "/bytes: not standard base64"},
		{"a number for bytes", `{"bytes":1}`, "/bytes: expected a string"},
		{"a key with a leading zero", `{"ports":{"01":true}}`, "/ports/01: the key is no int8"},
		{"a key beyond the type", `{"ports":{"128":true}}`, "/ports/128: the key is no int8"},
		{"a date that does not exist", `{"time":"2026-02-30T00:00:00Z"}`, "/time: does not fit time.Time"},
		{"a text that its type refuses", `{"addr":"300.1.1.1","id":"x"}`, "/addr: does not fit netip.Addr"},
		{"a big integer that is none", `{"big":1.5}`, "/big: does not fit big.Int"},
		{"a plain number where it is quoted", `{"q":1}`, "/q: expected a string"},
		{"a quoted number with a leading zero", `{"q":"007"}`, "/q: expected the JSON text of a int64"},
		{"a quoted number with a space", `{"q":" 7"}`, "/q: expected the JSON text"},
		{"a quoted number beyond the type", `{"q":"9223372036854775808"}`, "/q: 9223372036854775808 is no int64"},
		{"a quoted null", `{"q":"null"}`, "/q: expected the JSON text"},
		{"a quoted string without its quotes", `{"qs":"abc"}`, "/qs: expected the JSON text of a string"},
		{"a quoted float that rounds", `{"qf":"9007199254740993"}`, "/qf: 9007199254740993 would become"},
		{"a quoted boolean that is none", `{"qb":"yes"}`, "/qb: expected the JSON text of a bool"},
		{"a pointer to a pointer", `{"ptr":"x"}`, "/ptr: expected an integer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v decoded
			err := schema.Decode([]byte(c.text), &v)
			if fault.CodeOf(err) != fault.BadArguments || !strings.Contains(fault.TextOf(err), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if !strings.HasPrefix(fault.TextOf(err), "Invalid arguments: ") {
				t.Errorf("A1: the text begins otherwise: %v", err)
			}
		})
	}
}

// TestDecodeReads: exact values, and how null and absent behave.
// proves: A5
func TestDecodeReads(t *testing.T) {
	text := `{"any":{"n":9007199254740993,"x":[null,1.50]},"big":123456789012345678901234567890,"bytes":"QQ==","f32":0.1,` +
		`"float":100000000000000000000000,"num":12345678901234567890,"ports":{"-128":true},"ptr":7,"q":"-9223372036854775808",` +
		`"qs":"\"a\\n\"","raw":{"z":1,"a":null}}`
	var v decoded
	if err := schema.Decode([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	seven, text2 := 7, "a\n"
	p := &seven
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	want := decoded{
		Any:   map[string]any{"n": json.Number("9007199254740993"), "x": []any{nil, json.Number("1.50")}},
		Big:   huge,
		Bytes: []byte("A"), F32: 0.1, Float: 1e23, Num: "12345678901234567890", Ports: map[int8]bool{-128: true}, Ptr: &p,
		Q: -1 << 63, QS: &text2, Raw: json.RawMessage(`{"z":1,"a":null}`),
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
}

func TestDecodeNullAndAbsent(t *testing.T) {
	seven := 7
	p := &seven
	v := decoded{ID: "kept", Ptr: &p, List: []inner{{"x"}}, Any: 1, Bytes: []byte("x"), Map: map[string]*inner{}}
	text := `{"any":null,"big":null,"bytes":null,"list":null,"map":null,"ptr":null,"qs":null,"raw":null}`
	if err := schema.Decode([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	want := decoded{ID: "kept", Raw: json.RawMessage("null")}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
}

// TestDecodeNamesAllProblems. proves: A1
func TestDecodeNamesAllProblems(t *testing.T) {
	var v map[string]bool
	err := schema.Decode([]byte(`{"a":1,"b":true,"c":2}`), &v)
	if want := "/a: expected a boolean, got an integer; /c: expected a boolean, got an integer"; !strings.Contains(fault.TextOf(err), want) {
		t.Errorf("got %v", err)
	}
	many := "{" + strings.TrimSuffix(strings.Repeat(`"#":1,`, 12), ",") + "}"
	for i := range 12 {
		many = strings.Replace(many, "#", string(rune('a'+i)), 1)
	}
	err = schema.Decode([]byte(many), &v)
	if text := fault.TextOf(err); strings.Count(text, "expected") != 10 || !strings.HasSuffix(text, "and more") {
		t.Errorf("got %q", text)
	}
}

func TestDecodeWrongTarget(t *testing.T) {
	var nilPointer *decoded
	d := schema.NewDecoder(reflect.TypeFor[decoded]())
	for name, err := range map[string]error{
		"no pointer":      schema.Decode([]byte(`{}`), decoded{}),
		"nil":             schema.Decode([]byte(`{}`), nil),
		"a nil pointer":   schema.Decode([]byte(`{}`), nilPointer),
		"another type":    d.Decode([]byte(`{}`), new(inner)),
		"a nil, prepared": d.Decode([]byte(`{}`), nilPointer),
	} {
		if fault.CodeOf(err) != fault.BadTool {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecoderIsShared uses one decoder from many goroutines; the race detector
// looks on.
func TestDecoderIsShared(t *testing.T) {
	d := schema.NewDecoder(reflect.TypeFor[inner]())
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 100 {
				name := fmt.Sprintf("%d of %d", i, n)
				var v inner
				if err := d.Decode(fmt.Appendf(nil, `{"name":%q}`, name), &v); err != nil || v.Name != name {
					t.Errorf("%+v, %v", v, err)
				}
				if err := d.Decode(fmt.Appendf(nil, `{"name":%d}`, i), &v); fault.CodeOf(err) != fault.BadArguments {
					t.Errorf("%v", err)
				}
			}
		})
	}
	wg.Wait()
}

type tree struct {
	Name string  `json:"name"`
	Kids []*tree `json:"kids"`
}

// TestDecodeRecursiveType: there is no schema for one, but undo arguments and
// results of others may have one.
func TestDecodeRecursiveType(t *testing.T) {
	var v tree
	if err := schema.Decode([]byte(`{"kids":[{"kids":[null],"name":"b"}],"name":"a"}`), &v); err != nil || v.Kids[0].Name != "b" {
		t.Errorf("%+v, %v", v, err)
	}
	err := schema.Decode([]byte(`{"kids":[{"kids":[{"Name":"c"}]}]}`), &v)
	if !strings.Contains(fault.TextOf(err), "/kids/0/kids/0/Name: unknown property") {
		t.Errorf("got %v", err)
	}
}
