package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/schema"
)

// stricter are the reasons for which text that encoding/json takes is refused.
var stricter = []string{"is there twice", "invalid UTF-8", "lone surrogate", "nested too deeply", "too many keys",
	"too long", "more than 1,000 digits", "beyond the range of a double"}

// FuzzParse compares the strict parse with encoding/json.
//
// proves: A5
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.50,-0,"\u00e9\ud83d\ude00"],"b":{"c":null}}`, `{"a":1,"a":2}`, `[1e400]`, "{\"a\":\"\xff\"}",
		`"\ud800"`, ` {"b":1, "a":2} `, `{"a":1}x`, `1.0e2`, `{"k":"\u0000"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, err := schema.Canonical(raw, nil)
		if err != nil {
			if json.Valid(raw) && !isStricter(err) {
				t.Fatalf("%q is JSON, but: %v", raw, err)
			}
			if !utf8.ValidString(err.Error()) {
				t.Fatalf("the message %q is not UTF-8", err)
			}
			return
		}
		if !json.Valid(raw) || !json.Valid(canonical) || !utf8.Valid(canonical) {
			t.Fatalf("%q was taken, canonical %q", raw, canonical)
		}
		again, err := schema.Canonical(canonical, &schema.Limits{Bytes: 1 << 24})
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%q: canonical %q, of that %q, %v", raw, canonical, again, err)
		}
		if !reflect.DeepEqual(exactly(t, raw), exactly(t, canonical)) {
			t.Fatalf("%q and %q are different values", raw, canonical)
		}
	})
}

func isStricter(err error) bool {
	for _, reason := range stricter {
		if strings.Contains(err.Error(), reason) {
			return true
		}
	}
	return false
}

// family are schemas on which foreign bytes are checked by both checkers.
var family = []string{
	`{"type":"object","properties":{"a":{"type":"integer","minimum":1},"b":{"type":"string","maxLength":3,"pattern":"^[a-z]*$"}},"required":["a"],"additionalProperties":false}`,
	`{"$defs":{"n":{"type":"object","properties":{"v":{"type":["number","null"],"multipleOf":0.5},"next":{"$ref":"#/$defs/n"}},"required":["v"]}},"$ref":"#/$defs/n"}`,
	`{"oneOf":[{"properties":{"k":{"const":"x"}},"required":["k"]},{"properties":{"k":{"enum":["y",1.0,null,{"a":[]}]}},"required":["k"]}],"not":{"required":["never"]}}`,
	`{"items":{"anyOf":[{"type":"string","minLength":2},{"type":"array","uniqueItems":true,"items":{"type":"integer"}}]},"maxItems":4,"patternProperties":{"^p":{"type":"boolean"}},"propertyNames":{"maxLength":4}}`,
	`{"if":{"type":"object","required":["a"]},"then":{"dependentRequired":{"b":["c"]},"minProperties":2},"else":{"contains":{"const":1},"maxContains":2}}`,
}

// FuzzCheck compares both checkers, quick and thorough, on a family of schemas
// and on drawn ones.
//
// proves: A1, A3
func FuzzCheck(f *testing.F) {
	type pair struct{ own, library, args *schema.Schema }
	var pairs []pair
	for _, raw := range family {
		opts := &schema.Options{AnyValue: true}
		library, err := schema.CompileLibrary([]byte(raw), opts)
		if err != nil {
			f.Fatal(err)
		}
		pairs = append(pairs, pair{compile(f, []byte(raw), opts), library, compile(f, []byte(raw), nil)})
	}
	for _, seed := range []string{`{"a":1,"b":"xyz"}`, `{"a":0,"B":"X"}`, `{"v":1.5,"next":{"v":null}}`, `{"k":{"a":[]}}`,
		`["ab",[1,2],[1,1.0]]`, `{"p":true,"q":1}`, `[1,1,1]`, `{"a":1,"b":2,"c":3}`, `""`} {
		f.Add([]byte(seed))
	}
	drawn := rapid.MakeFuzz(lawCheckers)
	f.Fuzz(func(t *testing.T, raw []byte) {
		for i, p := range pairs {
			valid := p.own.Valid(raw)
			if valid != p.library.Valid(raw) {
				t.Fatalf("schema %d, %q: own %t, library %t", i, raw, valid, !valid)
			}
			if _, err := p.own.Check(raw); (err == nil) != valid {
				t.Fatalf("schema %d, %q: quick %t, thorough %v", i, raw, valid, err)
			}
			checkMessage(t, p.args, raw)
		}
		drawn(t, raw)
	})
}

// checkMessage holds what every message keeps: at most ten problems, no long
// echo, and nothing that a terminal or a card could be fooled with.
func checkMessage(t *testing.T, s *schema.Schema, raw []byte) {
	args, err := s.Check(raw)
	if (err == nil) != s.Valid(raw) {
		t.Fatalf("%q: Check says %v, Valid the opposite", raw, err)
	}
	if err == nil {
		if again, err := s.Check(args.Canonical); err != nil || again.Digest != args.Digest {
			t.Fatalf("%q: checked again: %v", raw, err)
		}
		return
	}
	invalid, ok := errors.AsType[*schema.Invalid](err)
	if !ok || len(invalid.Problems) == 0 || len(invalid.Problems) > 10 {
		t.Fatalf("%q: %v", raw, err)
	}
	_, text := invalid.Fault()
	if len(text) > 10*3000 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x202e || r == 0x200b }) {
		t.Fatalf("%q: the message is %q", raw, text)
	}
}

// FuzzCondition holds the laws of conditions on foreign bytes.
//
// proves: D5b
func FuzzCondition(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"minimum":3}}}`), []byte(`{"a":4}`))
	f.Add([]byte(`{"anyOf":[{"required":["a"]},{"not":{"properties":{"b":{"pattern":"x+"}}}}]}`), []byte(`{"b":"xx"}`))
	f.Add([]byte(`{"properties":{"l":{"items":{"enum":[1,null]},"maxItems":2}}}`), []byte(`{"l":[1.0]}`))
	f.Fuzz(func(t *testing.T, when, args []byte) {
		c, err := schema.CompileCondition(when, nil)
		if err != nil {
			return
		}
		match, known := c.Match(args)
		if match && !known {
			t.Fatalf("%q on %q matches and is not known", when, args)
		}
		opposite, err := schema.CompileCondition([]byte(`{"not":`+string(when)+`}`), nil)
		if err != nil {
			return // one level too deep
		}
		if m, k := opposite.Match(args); k != known || known && m == match {
			t.Fatalf("%q on %q: %t, %t, and its opposite %t, %t", when, args, match, known, m, k)
		}
		if m, k := c.Match(nil); m || k {
			t.Fatalf("%q is known of no arguments", when)
		}
	})
}
