package safetext_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/assentdev/assent/approval/safetext"
	"pgregory.net/rapid"
)

func ExampleEscape() {
	fmt.Println(safetext.Escape("Cancel order A-1001"))
	fmt.Println(safetext.Escape("42\u202Efdp.exe"))
	fmt.Println(safetext.Escape(`not an escape: \u202E`))
	fmt.Println(safetext.Escape("a" + strings.Repeat("\n", 4000) + "b"))
	// Output:
	// Cancel order A-1001
	// 42\u202Efdp.exe
	// not an escape: \\u202E
	// a\[4000 x \n]b
}

// proves: P14
func TestEscape(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text stays", "Cancel order A-1001?", "Cancel order A-1001?"},
		{"nothing stays nothing", "", ""},
		{"other scripts stay", "Zoë 注文 заказ طلب ऑर्डर", "Zoë 注文 заказ طلب ऑर्डर"},
		{"symbols stay", "€ × ½ → 🙂", "€ × ½ → 🙂"},
		{"G-D01 bidi", "42\u202Efdp.\u202C", `42\u202Efdp.\u202C`},
		{"G-D02 terminal escapes", "\x1b[2K\r\x1b[1Aorder_get A1", `\u001B[2K\r\u001B[1Aorder_get A1`},
		{"C1 control", "a\u009bb", `a\u009Bb`},
		{"delete", "a\x7fb", `a\u007Fb`},
		{"NUL", "a\x00b", `a\u0000b`},
		{"G-D04 zero width and tags", "a\u200Bb\U000E0041", `a\u200Bb\U000E0041`},
		{"variation selector", "a\uFE0F\U000E0100", `a\uFE0F\U000E0100`},
		{"Hangul filler", "a\u3164b\uFFA0\u115F", `a\u3164b\uFFA0\u115F`},
		{"Braille without dots", "\u2800", `\u2800`},
		{"line and paragraph separators", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"other spaces", "a\u00A0b\u3000c", `a\u00A0b\u3000c`},
		{"private use", "\uE000\U000F0000", `\uE000\U000F0000`},
		{"unassigned", "\u0378", `\u0378`},
		{"soft hyphen", "a\u00ADb", `a\u00ADb`},
		{"replacement character", "\uFFFD", `\uFFFD`},
		{"broken UTF-8", "A\xff1", `A\xFF1`},
		{"a lone surrogate", "\xed\xa0\x80", `\xED\xA0\x80`},
		{"line breaks and tabs are seen", "a\nb\tc\r\nd", `a\nb\tc\r\nd`},
		{"a backslash is doubled", `C:\new`, `C:\\new`},
		{"a letter that looks like a backslash", "\uFF3Cu202E \u2216n", `\uFF3Cu202E \u2216n`},
		{"a space between words stays", "a b  c", "a b  c"},
		{"spaces at the ends are seen", "  a ", `\s\sa\s`},
		{"only spaces", "   ", `\s\s\s`},
		{"four spaces stay", "a    b", "a    b"},
		{"five spaces are counted", "a     b", `a\[5 x \s]b`},
		{"G-D06 padding", "a" + strings.Repeat("\n", 4000) + "x", `a\[4000 x \n]x`},
		{"padding by pairs", strings.Repeat("\r\n", 300) + "x", `\[300 x \r\n]x`},
		{"padding with what nobody sees", strings.Repeat("\u200B", 900), `\[900 x \u200B]`},
		{"broken bytes before a character that begins alike", strings.Repeat("\xc8", 5) + "\u0233", `\[5 x \xC8]` + "\u0233"},
		{"a literal count", "\n" + `\[9 x \n]`, `\n\\[9 x \\n]`},
		{"G-D08 markup stays text", `<img src=x onerror="f()">`, `<img src=x onerror="f()">`},
		{"a fence stays text", "```\n# yes", "```\\n# yes"},
		{"marks on a letter", "e\u0301", "e\u0301"},
		{"four marks at most", "e" + strings.Repeat("\u0301", 6), "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
		{"a mark with nothing to stand on", "\u0301a \u0301", `\u0301a \u0301`},
		{"a mark on an escape", "\u200B\u0301", `\u200B\u0301`},
		{"an enclosing mark", "1\u20E3", `1\u20E3`},
	} {
		t.Run("P14 "+c.name, func(t *testing.T) {
			if got := safetext.Escape(c.in); got != c.want {
				t.Errorf("Escape(%+q)\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

// ignorable are the characters that Unicode calls default ignorable, by the
// ranges of its DerivedCoreProperties: a list of its own, to check ours by.
var ignorable = [][2]rune{
	{0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
	{0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
	{0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
}

// proves: P14
func TestEveryCharacterIsVisibleOrEscaped(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		kept := safetext.Escape("a"+string(r)+"b") == "a"+string(r)+"b"
		bad := r != ' ' && !unicode.IsPrint(r) || unicode.In(r, unicode.C, unicode.Me)
		for _, span := range ignorable {
			bad = bad || r >= span[0] && r <= span[1]
		}
		if kept && bad {
			t.Errorf("%U is shown as it is", r)
		}
		if !kept && r > ' ' && r < 0x7F && r != '\\' {
			t.Errorf("%U is escaped", r)
		}
	}
}

// unescape undoes Escape. That it can shows that Escape is injective.
func unescape(t interface{ Fatalf(string, ...any) }, s string) string {
	var b strings.Builder
	for s != "" {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		text, size := unescapeOne(t, s)
		b.WriteString(text)
		s = s[size:]
	}
	return b.String()
}

func unescapeOne(t interface{ Fatalf(string, ...any) }, s string) (text string, size int) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	simple := map[byte]string{'\\': `\`, 'n': "\n", 't': "\t", 'r': "\r", 's': " "}
	if len(s) < 2 {
		t.Fatalf("a backslash ends %q", s)
	}
	if text, ok := simple[s[1]]; ok {
		return text, 2
	}
	if n := digits[s[1]]; n > 0 && len(s) >= 2+n {
		v, err := strconv.ParseUint(s[2:2+n], 16, 32)
		if err != nil {
			t.Fatalf("no digits in %q", s)
		}
		if s[1] == 'x' {
			return string([]byte{byte(v)}), 4
		}
		return string(rune(v)), 2 + n
	}
	count, rest, ok := strings.Cut(strings.TrimPrefix(s, `\[`), " x ")
	n, err := strconv.Atoi(count)
	unit, _, closed := strings.Cut(rest, "]")
	if !ok || err != nil || !closed {
		t.Fatalf("unknown escape in %q", s)
	}
	return strings.Repeat(unescape(t, unit), n), len(`\[`) + len(count) + len(" x ") + len(unit) + len("]")
}

// texts generates what an attacker would write.
func texts() *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			`\`, `\n`, `\u202E`, `\[9 x \n]`, `\s`, " ", "     ", "\n\n\n\n\n", "\u202E", "\u200B", "\u0301",
			"\xff", "\xed\xa0\x80", "\r\n\r\n\r\n\r\n\r\n", "]", " x ", "\U000E0041", "a",
		}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(part, 0, 12), func(parts []string) string { return strings.Join(parts, "") })
}

// proves: P14
func TestDifferentTextsLookDifferent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "s")
		if back := unescape(t, safetext.Escape(s)); back != s {
			t.Fatalf("%q is shown as %q, which reads %q", s, safetext.Escape(s), back)
		}
	})
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a\u202Eb", `\u202E`, "\xff\n\n\n\n\n\n", `\[9 x \n]`, "e\u0301\u0301\u0301\u0301\u0301", "\r\n\r\n\r\n\r\n\r\n"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		escaped := safetext.Escape(s)
		if back := unescape(t, escaped); back != s {
			t.Fatalf("%q is shown as %q, which reads %q", s, escaped, back)
		}
		for _, r := range escaped {
			if r != ' ' && (!unicode.IsPrint(r) || r == utf8.RuneError) {
				t.Fatalf("%q is shown as %q, which holds %U", s, escaped, r)
			}
		}
		if lines := strings.Join(safetext.Lines(s), ""); lines != escaped {
			t.Fatalf("the lines of %q join to %q, want %q", s, lines, escaped)
		}
		checkShort(t, s, min(limit, 1000))
		safetext.Look(s)
	})
}
