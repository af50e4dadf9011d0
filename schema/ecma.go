package schema

import (
	"fmt"
	"strings"
)

// What ECMA-262 means by white space and by a line's end differs from Go.
const (
	ecmaSpace    = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	ecmaNotSpace = `\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
		`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	ecmaDot = `[^\n\r\x{2028}\x{2029}]`
)

// translate rewrites a pattern of ECMA-262 for Go's regexp. What has no
// counterpart is left as it is, so that Go refuses it, or made unacceptable
// where Go would read it otherwise.
func translate(source string) string {
	t := translator{in: source}
	for t.at < len(source) {
		t.next()
	}
	return t.out.String()
}

type translator struct {
	in    string
	at    int
	out   strings.Builder
	class bool // within [ ]
}

// refused is text that Go's regexp never accepts.
const refused = `(?!`

func (t *translator) next() {
	c := t.in[t.at]
	rest := t.in[t.at:]
	switch {
	case c == '\\' && len(rest) > 1:
		t.escape(rest[1:])
	case t.class:
		t.classByte(rest)
	case c == '[':
		t.openClass(rest)
	case c == '.':
		t.put(1, ecmaDot)
	default:
		t.put(1, rest[:1])
	}
}

// put writes text in the place of the next n bytes.
func (t *translator) put(n int, text string) {
	t.out.WriteString(text)
	t.at += n
}

func (t *translator) openClass(rest string) {
	switch {
	case strings.HasPrefix(rest, "[]"): // nothing at all
		t.put(2, `[^\x{0}-\x{10ffff}]`)
	case strings.HasPrefix(rest, "[^]"): // anything at all
		t.put(3, `[\x{0}-\x{10ffff}]`)
	default:
		t.class = true
		t.put(1, "[")
	}
}

func (t *translator) classByte(rest string) {
	switch {
	case rest[0] == ']':
		t.class = false
		t.put(1, "]")
	case rest[0] == '[': // a POSIX class in Go, a plain character in ECMA-262
		t.put(1, `\[`)
	default:
		t.put(1, rest[:1])
	}
}

// escape rewrites an escape; rest is what follows the backslash.
func (t *translator) escape(rest string) {
	switch c := rest[0]; c {
	case 's':
		t.put(2, t.set(ecmaSpace))
	case 'S':
		t.put(2, t.set(ecmaNotSpace))
	case 'u':
		t.unicode(rest)
	case 'c':
		t.control(rest)
	case 'b':
		if t.class {
			t.put(2, `\x08`)
			return
		}
		t.put(2, `\b`)
	case 'p', 'P':
		t.property(rest)
	case '0':
		if len(rest) > 1 && rest[1]-'0' <= 9 {
			t.put(2, refused)
			return
		}
		t.put(2, `\x00`)
	case 'A', 'z', 'Z', 'Q', 'E', 'C', 'a', 'G':
		t.put(2, refused) // with a meaning in Go only
	default:
		t.put(2, `\`+rest[:1])
	}
}

// set writes a set of characters inside a class or as one.
func (t *translator) set(members string) string {
	if t.class {
		return members
	}
	return "[" + members + "]"
}

// unicode rewrites \uXXXX and \u{X}; rest begins with the u.
func (t *translator) unicode(rest string) {
	if strings.HasPrefix(rest, "u{") {
		if end := strings.IndexByte(rest, '}'); end > 0 {
			t.put(end+2, `\x`+rest[1:end+1])
			return
		}
	}
	if r := hex4([]byte(rest), 1); r >= 0 && (r < 0xD800 || r > 0xDFFF) {
		t.put(6, fmt.Sprintf(`\x{%x}`, r))
		return
	}
	t.put(2, refused)
}

func (t *translator) control(rest string) {
	if len(rest) > 1 && (rest[1]|0x20) >= 'a' && (rest[1]|0x20) <= 'z' {
		t.put(3, fmt.Sprintf(`\x{%x}`, rest[1]&31))
		return
	}
	t.put(2, refused)
}

// property rewrites \p{Script=Greek} and the like, which Go writes \p{Greek}.
func (t *translator) property(rest string) {
	end := strings.IndexByte(rest, '}')
	if !strings.HasPrefix(rest[1:], "{") || end < 0 {
		t.put(2, refused)
		return
	}
	name := rest[2:end]
	for _, prefix := range []string{"Script=", "sc=", "General_Category=", "gc="} {
		name = strings.TrimPrefix(name, prefix)
	}
	t.put(end+2, `\`+rest[:1]+"{"+name+"}")
}
