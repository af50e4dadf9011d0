package safetext_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assentdev/assent/approval/safetext"
	"pgregory.net/rapid"
)

func ExampleShorten() {
	s := safetext.Shorten("rm -rf /srv/"+strings.Repeat("a/", 2000)+"b;echo done", 40)
	fmt.Println(s.Head)
	fmt.Println(s.Left, "of", s.Size, "characters are not shown")
	fmt.Println(s.Tail)
	// Output:
	// rm -rf /srv/a/a/a/a/a/a/a/a/a/
	// 3983 of 4023 characters are not shown
	// ;echo done
}

// checkShort checks the laws of Shorten.
func checkShort(t interface{ Fatalf(string, ...any) }, s string, limit int) {
	short := safetext.Shorten(s, limit)
	escaped := safetext.Escape(s)
	switch whole := short.Left == 0; {
	case short.Size != utf8.RuneCountInString(s):
		t.Fatalf("%q has size %d, want %d", s, short.Size, utf8.RuneCountInString(s))
	case whole != (utf8.RuneCountInString(escaped) <= max(limit, 16)):
		t.Fatalf("%q with limit %d leaves out %d", s, limit, short.Left)
	case whole && (short.Head != escaped || short.Tail != ""):
		t.Fatalf("%q is whole, but shows %q and %q", s, short.Head, short.Tail)
	case !strings.HasPrefix(escaped, short.Head) || !strings.HasSuffix(escaped, short.Tail):
		t.Fatalf("%q is shown as %q and %q", escaped, short.Head, short.Tail)
	case utf8.RuneCountInString(short.Head+short.Tail) > max(limit, 16):
		t.Fatalf("%q with limit %d is shown with %d characters", s, limit, utf8.RuneCountInString(short.Head+short.Tail))
	}
	head, tail := unescape(t, short.Head), unescape(t, short.Tail)
	if short.Left+utf8.RuneCountInString(head)+utf8.RuneCountInString(tail) != short.Size {
		t.Fatalf("%q: %d left out of %d, with %q and %q shown", s, short.Left, short.Size, head, tail)
	}
}

// proves: P14
func TestShortenLosesNothingUnsaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkShort(t, texts().Draw(t, "s"), rapid.IntRange(-5, 80).Draw(t, "limit"))
	})
}

// proves: P14
func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"orders.cancel":             "orders.cancel",
		"\u043Erder_get":            `\u043Erder_get`,
		"get\nx":                    `get\nx`,
		"":                          "",
		"e\u0301":                   `e\u0301`,
		strings.Repeat("ab", 100):   strings.Repeat("ab", 48) + `\[72 more]` + strings.Repeat("ab", 16),
		strings.Repeat("\u00e4", 9): `\[9 x \u00E4]`,
	} {
		got := safetext.Name(in)
		if got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
}

// proves: P14
func TestLines(t *testing.T) {
	for in, want := range map[string][]string{
		"":                  {""},
		"a":                 {"a"},
		"a\nb":              {`a\n`, "b"},
		"a\n":               {`a\n`},
		`a\nb`:              {`a\\nb`},
		"a\n\n\n\n\n\nb\nc": {`a\[6 x \n]b\n`, "c"},
	} {
		if got := safetext.Lines(in); !reflect.DeepEqual(got, want) {
			t.Errorf("Lines(%q) = %q, want %q", in, got, want)
		}
	}
}

// proves: P14
func TestEscapeJSONKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := strings.ToValidUTF8(texts().Draw(t, "value"), "?")
		text, err := json.Marshal(map[string]any{value: []string{value}})
		if err != nil {
			t.Fatal(err)
		}
		shown := safetext.EscapeJSON(string(text))
		var back map[string][]string
		if err := json.Unmarshal([]byte(shown), &back); err != nil {
			t.Fatalf("%q is no JSON: %v", shown, err)
		}
		if len(back[value]) != 1 || back[value][0] != value {
			t.Fatalf("%q is shown as %q", text, shown)
		}
		if strings.ContainsAny(shown, "\u202E\u200B\u2028\U000E0041\n\r\t") {
			t.Fatalf("%q is shown as %q", text, shown)
		}
	})
	if got := safetext.EscapeJSON("{\"a\":\"\u202E\U000E0041<\"}"); got != "{\"a\":\"\\u202e\\udb40\\udc41<\"}" {
		t.Errorf("got %s", got)
	}
	if got := safetext.EscapeJSON("\xff"); got != `\ufffd` {
		t.Errorf("got %s", got)
	}
}

// proves: P14
func TestLook(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     safetext.Findings
	}{
		{"plain", "Cancel order A-1001", safetext.Findings{White: 1}},
		{"G-D01 bidi", "42\u202Efdp.\u202C", safetext.Findings{Hidden: 2, Bidi: 2}},
		{"line breaks are not hidden", "a\nb\tc", safetext.Findings{White: 1}},
		{"zero width", "a\u200Bb", safetext.Findings{Hidden: 1}},
		{"broken bytes", "a\xff\xfeb", safetext.Findings{Broken: 2}},
		{"G-D06 padding", "a" + strings.Repeat(" \n", 2000) + "\u00A0b", safetext.Findings{White: 4001}},
		{"Cyrillic a in a Latin word", "p\u0430ypal and paypal", safetext.Findings{White: 1, Mixed: []string{"p\u0430ypal"}}},
		{"Greek o", "g\u03BFogle", safetext.Findings{Mixed: []string{"g\u03BFogle"}}},
		{"two scripts in two words", "заказ order", safetext.Findings{White: 1}},
		{"Han beside Latin is everyday text", "iPhone手机", safetext.Findings{}},
		{"three at most", "a\u0430 b\u0430 c\u0430 d\u0430", safetext.Findings{White: 1, Mixed: []string{"a\u0430", "b\u0430", "c\u0430"}}},
		{"Hebrew beside digits", "הזמנה 1001", safetext.Findings{White: 1, Directions: true}},
		{"Hebrew alone", "הזמנה", safetext.Findings{}},
	} {
		t.Run("P14 "+c.name, func(t *testing.T) {
			if got := safetext.Look(c.in); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func BenchmarkEscape(b *testing.B) {
	for name, s := range map[string]string{
		"plain":  strings.Repeat("Cancel order A-1001. ", 50) + "Now.",
		"hidden": strings.Repeat("Cancel\u202E order\n", 60),
		"other":  strings.Repeat("注文を取り消す ", 60),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				safetext.Escape(s)
			}
		})
	}
}
