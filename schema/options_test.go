package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// TestLibraryKeepsOurRules holds that a schema with a rare keyword obeys the
// rules that go beyond JSON Schema all the same.
//
// proves: A2, A5
func TestLibraryKeepsOurRules(t *testing.T) {
	const raw = `{"type":"object","properties":{"id":{"type":["string","null"]},"n":{"type":"integer","default":7},
		"o":{"properties":{"x":{"default":[1.0]}}}},"required":["id"],"$defs":{"rare":{"$anchor":"here"}},
		"allOf":[{"$ref":"#here"}],"unevaluatedProperties":{"type":"string"}}`
	s := compile(t, []byte(raw), &schema.Options{FillDefaults: true})
	if s.Kind() != schema.Library {
		t.Fatalf("%s checks it", s.Kind())
	}
	args, err := s.Check([]byte(`{"o":{},"id":"a","more":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(args.Canonical), `{"id":"a","more":"x","n":7,"o":{"x":[1]}}`; got != want {
		t.Errorf("canonical %s, want %s", got, want)
	}
	if !slices.Equal(args.Filled, []string{"/n", "/o/x"}) || !slices.Equal(args.Extra, []string{"/more"}) {
		t.Errorf("filled %q, extra %q", args.Filled, args.Extra)
	}
	for _, one := range []struct{ name, raw, pointer, keyword string }{
		{"A2 null", `{"id":null}`, "/id", "required"},
		{"A2 missing", `{}`, "/id", "required"},
		{"A2 type", `{"id":7}`, "/id", "type"},
		{"A5 case", `{"id":"a","ID":"b"}`, "/ID", "case"},
		{"A5 nested case", `{"id":"a","o":{"X":1}}`, "/o/X", "case"},
		{"A3 rare", `{"id":"a","more":1}`, "/more", "type"},
	} {
		t.Run(one.name, func(t *testing.T) {
			_, err := s.Check([]byte(one.raw))
			problems := problemsOf(t, err)
			if len(problems) != 1 || problems[0].Pointer != one.pointer || problems[0].Keyword != one.keyword {
				t.Errorf("%+v", problems)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	opts := &schema.Options{Documents: map[string]json.RawMessage{
		"https://example.org/money.json": []byte(`{"type":"object","properties":{"cents":{"type":"integer"}},"required":["cents"]}`),
	}}
	s := compile(t, []byte(`{"properties":{"price":{"$ref":"https://example.org/money.json"}}}`), opts)
	if !s.Valid([]byte(`{"price":{"cents":1}}`)) || s.Valid([]byte(`{"price":{"cents":"1"}}`)) {
		t.Error("the further document does not count")
	}
	if _, err := schema.Compile([]byte(`{"$ref":"https://example.org/other.json"}`), opts); fault.CodeOf(err) != fault.BadSchema {
		t.Errorf("a document that was not given: %v", err)
	}
}

// TestAnyValue holds that AnyValue is JSON Schema and nothing else.
func TestAnyValue(t *testing.T) {
	s := compile(t, []byte(`{"properties":{"id":{"type":["string","null"]}},"required":["id"]}`), &schema.Options{AnyValue: true})
	for raw, valid := range map[string]bool{`[]`: true, `3`: true, `null`: true, `{"id":null}`: true, `{"id":"a","ID":1}`: true,
		``: false, ` `: false, `{}`: false, `{"id":1}`: false, `{"id":"a","id":"a"}`: false} {
		if s.Valid([]byte(raw)) != valid {
			t.Errorf("%q is not %t", raw, valid)
		}
	}
}

// TestExtraAcrossParts holds that a key which any part of the schema names is
// not called extra, also in a nested object that two parts describe.
//
// proves: A5
func TestExtraAcrossParts(t *testing.T) {
	s := compile(t, []byte(`{"allOf":[{"properties":{"o":{"properties":{"a":{}}}}},{"properties":{"o":{"properties":{"b":{}}}}}]}`), nil)
	args, err := s.Check([]byte(`{"o":{"a":1,"b":2,"c":3}}`))
	if err != nil || !slices.Equal(args.Extra, []string{"/o/c"}) {
		t.Errorf("%q, %v", args.Extra, err)
	}
}

// TestDefaultsThatAreNotSent proves: A5
func TestDefaultsThatAreNotSent(t *testing.T) {
	const raw = `{"properties":{"force":{"type":"boolean","default":true},"n":{"default":"not a number","type":"number"},
		"o":{"properties":{"depth":{"default":1.0}}},"given":{"default":1}},"required":["given"]}`
	foreign := compile(t, []byte(raw), &schema.Options{Foreign: true})
	args, err := foreign.Check([]byte(`{"o":{},"given":null}`))
	if err != nil || string(args.Canonical) != `{"given":null,"o":{}}` || args.Filled != nil {
		t.Fatalf("%s, filled %q, %v", args.Canonical, args.Filled, err)
	}
	var got []string
	for _, d := range foreign.Defaults(args.Canonical) {
		got = append(got, d.Pointer+" "+string(d.Value))
	}
	if want := []string{"/force true", `/n "not a number"`, "/o/depth 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := schema.Compile([]byte(raw), &schema.Options{FillDefaults: true}); fault.CodeOf(err) != fault.BadSchema {
		t.Errorf("a host tool with a default of the wrong type: %v", err)
	}
	host := compile(t, []byte(`{"properties":{"a":{"default":1}}}`), &schema.Options{FillDefaults: true})
	if args, _ := host.Check(nil); len(host.Defaults(args.Canonical)) != 0 {
		t.Error("a filled default is named again")
	}
	if foreign.Defaults([]byte(`{"a"`)) != nil {
		t.Error("text that is no JSON lacks a default")
	}
}

// TestCallersBytes holds that a check keeps nothing of the caller's bytes and
// changes none.
func TestCallersBytes(t *testing.T) {
	s := compile(t, []byte(`{}`), nil)
	raw := []byte(`{"b":1,"a":"x"}`)
	args, err := s.Check(raw)
	if err != nil || string(raw) != `{"b":1,"a":"x"}` {
		t.Fatalf("%s, %v", raw, err)
	}
	for i := range raw {
		raw[i] = 'z'
	}
	if string(args.Canonical) != `{"a":"x","b":1}` || args.Extra[0] != "/a" {
		t.Errorf("%s, %q", args.Canonical, args.Extra)
	}
}

func problemsOf(t *testing.T, err error) []schema.Problem {
	t.Helper()
	if fault.CodeOf(err) != fault.BadArguments {
		t.Fatalf("want invalid arguments, got %v", err)
	}
	invalid, ok := err.(*schema.Invalid)
	if !ok {
		t.Fatalf("a %T", err)
	}
	return invalid.Problems
}

// TestLibraryConcurrently is for the race detector: older dialects compile
// patterns while they check.
func TestLibraryConcurrently(t *testing.T) {
	s := compile(t, []byte(`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"format":"regex","pattern":"["}}}`), nil)
	if s.Kind() != schema.Library || len(s.Warnings()) != 1 {
		t.Fatalf("%s checks it, warnings %q", s.Kind(), s.Warnings())
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 20 {
				if raw := fmt.Appendf(nil, `{"a":"[%d.%d"}`, i, j); !s.Valid(raw) {
					t.Errorf("%s: a format is a note", raw)
				}
			}
		})
	}
	wg.Wait()
	if len(s.Warnings()) != 1 {
		t.Errorf("a check adds warnings: %q", s.Warnings())
	}
}
