package schema_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// TestRefusedSchemas holds that a schema that cannot be understood is refused
// with its keyword and its pointer.
//
// proves: A3
func TestRefusedSchemas(t *testing.T) {
	for _, one := range []struct{ name, schema, keyword, pointer string }{
		{"an unknown type", `{"properties":{"a":{"type":"strng"}}}`, "type", "/properties/a/type"},
		{"an empty list of types", `{"type":[]}`, "type", "/type"},
		{"an unknown type in a list", `{"type":["string","nil"]}`, "type", "/type/1"},
		{"a type that is a number", `{"type":3}`, "type", "/type"},
		{"properties that are a list", `{"properties":[]}`, "properties", "/properties"},
		{"a property that is a string", `{"properties":{"a/b":"string"}}`, "schema", "/properties/a~1b"},
		{"required that is a word", `{"required":"a"}`, "required", "/required"},
		{"required that holds a number", `{"required":[1]}`, "required", "/required"},
		{"enum that is a word", `{"enum":"a"}`, "enum", "/enum"},
		{"a negative length", `{"minLength":-1}`, "minLength", "/minLength"},
		{"a broken length", `{"maxLength":1.5}`, "maxLength", "/maxLength"},
		{"a bound that is a string", `{"minimum":"1"}`, "minimum", "/minimum"},
		{"a bound of draft-04", `{"exclusiveMinimum":true}`, "exclusiveMinimum", "/exclusiveMinimum"},
		{"a multiple of nothing", `{"multipleOf":0}`, "multipleOf", "/multipleOf"},
		{"no alternative", `{"anyOf":[]}`, "anyOf", "/anyOf"},
		{"alternatives that are an object", `{"oneOf":{}}`, "oneOf", "/oneOf"},
		{"a pattern that is a number", `{"pattern":1}`, "pattern", "/pattern"},
		{"a reference to nothing", `{"properties":{"a":{"$ref":"#/$defs/x"}}}`, "$ref", "/properties/a/$ref"},
		{"a reference to itself", `{"$ref":"#"}`, "$ref", "the root"},
		{"references in a circle", `{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}`, "$ref", "/$defs/a"},
		{"a remote reference", `{"properties":{"a":{"$ref":"http://127.0.0.1:1/s.json"}}}`, "$ref", "/properties/a/$ref"},
		{"a file", `{"$ref":"file:///etc/passwd"}`, "$ref", "/$ref"},
		{"a relative file", `{"$ref":"other.json"}`, "$ref", "/$ref"},
		{"an unknown dialect", `{"$schema":"http://example.org/my-dialect"}`, "$schema", "/$schema"},
		{"a dialect that is a number", `{"$schema":7}`, "$schema", "/$schema"},
		{"a rare keyword of the wrong form", `{"properties":{"a":{"unevaluatedItems":7}}}`, "unevaluatedItems", "/properties/a/unevaluatedItems"},
		{"items that are a list in 2020-12", `{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}]}`, "schema", "/items"},
		{"uniqueItems that is a word", `{"uniqueItems":"yes"}`, "uniqueItems", "/uniqueItems"},
	} {
		t.Run("A3 "+one.name, func(t *testing.T) {
			_, err := schema.Compile([]byte(one.schema), nil)
			if fault.CodeOf(err) != fault.BadSchema {
				t.Fatalf("%v", err)
			}
			text := fault.TextOf(err)
			if !strings.Contains(text, `"`+one.keyword+`"`) || !strings.Contains(text, "at "+one.pointer+":") {
				t.Errorf("%s: want keyword %q at %q", text, one.keyword, one.pointer)
			}
		})
	}
}

func TestSchemaIsStrictJSON(t *testing.T) {
	for _, raw := range []string{``, `{`, `{"type":"string","type":"object"}`, `{} {}`, "{\"a\":\"\xff\"}"} {
		if _, err := schema.Compile([]byte(raw), nil); fault.CodeOf(err) != fault.BadSchema {
			t.Errorf("%q: %v", raw, err)
		}
	}
	for _, raw := range []string{`[]`, `"object"`, `null`, `1`} {
		if _, err := schema.Compile([]byte(raw), nil); fault.CodeOf(err) != fault.BadSchema {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

// TestNothingIsLoaded holds that no reference makes a request (G-J18).
//
// proves: A3
func TestNothingIsLoaded(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Write([]byte(`{}`))
	}))
	defer server.Close()
	for _, raw := range []string{
		`{"$ref":"` + server.URL + `/s.json"}`,
		`{"$schema":"` + server.URL + `/meta.json"}`,
		`{"$id":"` + server.URL + `/a.json","$ref":"b.json"}`,
		`{"properties":{"a":{"$dynamicRef":"` + server.URL + `/s.json#x"}}}`,
		`{"$recursiveRef":"` + server.URL + `/s.json","$schema":"https://json-schema.org/draft/2019-09/schema"}`,
	} {
		if _, err := schema.Compile([]byte(raw), nil); fault.CodeOf(err) != fault.BadSchema {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

// TestPatternsNeverBlock holds that a pattern never makes a tool unusable.
//
// proves: A3
func TestPatternsNeverBlock(t *testing.T) {
	for _, one := range []struct {
		name, pattern string
		fits, fails   string
		warned        bool
	}{
		{name: "look-ahead", pattern: `^(?=.*\d)[a-z\d]+$`, fits: "a1", fails: "ab"},
		{name: "look-behind", pattern: `(?<!a)b`, fits: "cb", fails: "ab"},
		{name: "a back reference", pattern: `^(a|b)\1$`, fits: "aa", fails: "ab"},
		{name: "a long repetition", pattern: `^a{1,2000}$`, fits: strings.Repeat("a", 1999), fails: strings.Repeat("a", 2001)},
		{name: "nonsense", pattern: `[`, fits: "anything", warned: true},
		{name: "white space of ECMA-262", pattern: `^\s$`, fits: "\ufeff", fails: "\u200b"},
		{name: "a code point", pattern: `^\u00e9$`, fits: "é", fails: "e"},
		{name: "a script", pattern: `^\p{Script=Greek}+$`, fits: "αβγ", fails: "abc"},
		{name: "an empty class", pattern: `^[^]$`, fits: "x", fails: ""},
		{name: "a flag of Go and Python", pattern: `(?i)^a$`, fits: "A", fails: "b"},
		{name: "a named group of Go and Python", pattern: `^(?P<x>a)$`, fits: "a", fails: "b"},
	} {
		for _, rare := range []string{"", `,"unevaluatedProperties":false`} {
			t.Run("A3 "+one.name+rare, func(t *testing.T) {
				quoted, _ := json.Marshal(one.pattern)
				s := compile(t, []byte(`{"properties":{"a":{"pattern":`+string(quoted)+`}}`+rare+`}`), nil)
				if (s.Kind() == schema.Library) != (rare != "") {
					t.Errorf("%s checks it", s.Kind())
				}
				if warned := len(s.Warnings()) > 0; warned != one.warned {
					t.Errorf("warnings: %q", s.Warnings())
				}
				check := func(text string) bool {
					value, _ := json.Marshal(text)
					return s.Valid([]byte(`{"a":` + string(value) + `}`))
				}
				if !check(one.fits) {
					t.Errorf("%q does not fit", one.fits)
				}
				if !one.warned && check(one.fails) {
					t.Errorf("%q fits", one.fails)
				}
			})
		}
	}
}

// TestSlowPattern holds that a pattern that runs away fails within its time.
//
// proves: A3
func TestSlowPattern(t *testing.T) {
	s := compile(t, []byte(`{"properties":{"a":{"pattern":"^(?=x)(x+x+)+y$"}}}`), nil)
	if s.Valid([]byte(`{"a":"` + strings.Repeat("x", 40) + `"}`)) {
		t.Error("a match that was given up counts as a match")
	}
}

// TestDialects proves: A3
func TestDialects(t *testing.T) {
	for _, one := range []struct {
		name, schema string
		valid, not   string
	}{
		{"draft-07 ignores what stands beside $ref", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}`, `{"a":"long"}`, `{"a":1}`},
		{"2020-12 does not", `{"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}`, `{"a":"l"}`, `{"a":"long"}`},
		{"draft-07 has dependencies", `{"$schema":"http://json-schema.org/draft-07/schema","dependencies":{"a":["b"]}}`, `{"a":1,"b":1}`, `{"a":1}`},
		{"draft-04 has boolean bounds", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"minimum":1,"exclusiveMinimum":true}}}`, `{"a":2}`, `{"a":1}`},
		{"2019-09 has lists of items", `{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"a":{"items":[{"type":"string"}]}}}`, `{"a":["x",1]}`, `{"a":[1]}`},
		{"a schema with an $id has references of its own", `{"properties":{"a":{"$ref":"#/$defs/x/$defs/b"}},"$defs":{"x":{"$id":"http://example.org/x","$defs":{"b":{"$ref":"#/$defs/c"},"c":{"type":"string"}}},"c":{"type":"integer"}}}`, `{"a":"x"}`, `{"a":1}`},
		{"no dialect has lists of items too", `{"properties":{"a":{"items":[{"type":"string"}],"additionalItems":false}}}`, `{"a":["x"]}`, `{"a":["x",1]}`},
	} {
		t.Run("A3 "+one.name, func(t *testing.T) {
			s := compile(t, []byte(one.schema), nil)
			if !s.Valid([]byte(one.valid)) || s.Valid([]byte(one.not)) {
				t.Errorf("%s: %t, %s: %t", one.valid, s.Valid([]byte(one.valid)), one.not, s.Valid([]byte(one.not)))
			}
		})
	}
}

// TestBadDefaults holds that a default that its schema refuses is found at
// definition time.
//
// proves: A5
func TestBadDefaults(t *testing.T) {
	for _, one := range []struct{ name, schema, want string }{
		{"another type", `{"properties":{"a":{"type":"integer","default":"1"}}}`, "/properties/a/default"},
		{"out of bounds", `{"properties":{"a":{"maximum":3,"default":4}}}`, "must be at most 3"},
		{"incomplete", `{"properties":{"a":{"required":["x"],"default":{}}}}`, "/x: is required"},
		{"incomplete where a required property has a default", `{"properties":{"a":{"required":["x"],"properties":{"x":{"default":1}},"default":{}}}}`, "/x: is required"},
		{"without end", `{"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"properties":{"n":{"$ref":"#/$defs/n"}},"default":{}}}}`, "does not end"},
	} {
		t.Run("A5 "+one.name, func(t *testing.T) {
			_, err := schema.Compile([]byte(one.schema), &schema.Options{FillDefaults: true})
			if fault.CodeOf(err) != fault.BadSchema || !strings.Contains(fault.TextOf(err), one.want) {
				t.Errorf("%v", err)
			}
			if _, err := schema.Compile([]byte(one.schema), nil); err != nil {
				t.Errorf("where defaults are not filled in, they are notes: %v", err)
			}
		})
	}
}
