package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// TestEveryByteInAString holds, for each byte and at each distance from a
// string's ends, what a string may hold.
//
// proves: A5
func TestEveryByteInAString(t *testing.T) {
	for b := range 256 {
		for before := range 10 {
			raw := fmt.Appendf(nil, `["%s%s%s"]`, strings.Repeat("x", before), []byte{byte(b)}, strings.Repeat("y", 9-before))
			_, err := schema.Canonical(raw, nil)
			want := json.Valid(raw) && utf8.Valid(raw)
			if (err == nil) != want {
				t.Fatalf("%q: %v", raw, err)
			}
		}
	}
}

// TestEveryEscape holds that decoded and canonical text agree with encoding/json.
//
// proves: A5
func TestEveryEscape(t *testing.T) {
	for r := rune(0); r <= 0xFFFF; r++ {
		raw := fmt.Appendf(nil, `["a\u%04Xb"]`, r)
		canonical, err := schema.Canonical(raw, nil)
		if r >= 0xD800 && r <= 0xDFFF {
			if err == nil {
				t.Fatalf("%s is valid", raw)
			}
			continue
		}
		var got []string
		if err != nil || json.Unmarshal(canonical, &got) != nil || got[0] != "a"+string(r)+"b" {
			t.Fatalf("%s: %s, %v", raw, canonical, err)
		}
	}
}

// TestParseErrors proves: A5
func TestParseErrors(t *testing.T) {
	for _, raw := range []string{`null`, `[]`, `1`, `{"a":1,"a":2}`, `{"a":1} x`} {
		_, err := schema.Parse([]byte(raw), nil)
		if fault.CodeOf(err) != fault.BadArguments {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, raw := range []string{``, ` `, "\n\t"} {
		if canonical, err := schema.Parse([]byte(raw), nil); err != nil || string(canonical) != "{}" {
			t.Errorf("%q: %s, %v", raw, canonical, err)
		}
		if _, err := schema.Canonical([]byte(raw), nil); err == nil {
			t.Errorf("%q is a value", raw)
		}
	}
}

// TestNumbersInOrder compares neighbours whose order only exact arithmetic knows.
//
// proves: A3
func TestNumbersInOrder(t *testing.T) {
	ordered := []string{"-1e308", "-9007199254740993", "-9007199254740992", "-1.5", "-1", "-0.5", "-1e-300", "0", "1e-300",
		"0.0625", "0.09", "0.1", "0.10000000000000000000001", "0.5", "1", "1.5", "2", "9.99", "10", "100.5",
		"9007199254740992", "9007199254740992.5", "9007199254740993", "1e19", "1e308", "1" + strings.Repeat("0", 400)}
	for i, bound := range ordered {
		s := compile(t, fmt.Appendf(nil, `{"properties":{"n":{"minimum":%s}}}`, bound), nil)
		below := compile(t, fmt.Appendf(nil, `{"properties":{"n":{"exclusiveMaximum":%s}}}`, bound), nil)
		for j, n := range ordered {
			raw := fmt.Appendf(nil, `{"n":%s}`, n)
			if s.Valid(raw) != (j >= i) || below.Valid(raw) != (j < i) {
				t.Errorf("%s against %s", n, bound)
			}
		}
	}
}

// TestMultiples proves: A3
func TestMultiples(t *testing.T) {
	for _, one := range []struct {
		n, step string
		is      bool
	}{
		{"0", "3", true}, {"9", "3", true}, {"10", "3", false}, {"-9", "3", true}, {"4.5", "1.5", true}, {"4.6", "1.5", false},
		{"0.3", "0.1", true}, {"0.35", "0.05", true}, {"0.35", "0.1", false}, {"1", "0.3", false}, {"7", "1e-9", true},
		{"0.0075", "0.0001", true}, {"1e300", "7", false}, {"1e300", "1e-300", true}, {"19.99", "0.01", true},
		{"123456789012345678901234567890", "10", true}, {"123456789012345678901234567891", "10", false},
	} {
		s := compile(t, fmt.Appendf(nil, `{"properties":{"n":{"multipleOf":%s}}}`, one.step), nil)
		if s.Valid(fmt.Appendf(nil, `{"n":%s}`, one.n)) != one.is {
			t.Errorf("%s of %s is not %t", one.n, one.step, one.is)
		}
	}
}

// Arguments are an object: nothing is unwrapped, nothing is coerced.
//
// proves: A6
func TestOnlyAnObjectIsArguments(t *testing.T) {
	anything, err := schema.Compile(json.RawMessage(`{}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{`[]`, `[{}]`, `"{}"`, `"{\"a\":1}"`, `1`, `true`, `null`} {
		if _, err := schema.Parse([]byte(raw), nil); fault.CodeOf(err) != fault.BadArguments {
			t.Errorf("Parse(%s): %v", raw, err)
		}
		if _, err := anything.Check([]byte(raw)); fault.CodeOf(err) != fault.BadArguments {
			t.Errorf("Check(%s) without a type: %v", raw, err)
		}
	}
	integer, err := schema.Compile(json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := integer.Check([]byte(`{"n":"3"}`)); fault.CodeOf(err) != fault.BadArguments {
		t.Errorf("a string was taken for an integer: %v", err)
	}
}
