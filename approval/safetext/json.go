package safetext

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeJSON returns JSON text whose strings show hidden characters as JSON's
// own escapes. It is JSON of the same value, so it can be copied. s is JSON text
// in the canonical form of SPEC A5, which holds no white space between its parts.
// In text that is no JSON the same characters are escaped; a byte that is not
// UTF-8 is shown as \ufffd.
func EscapeJSON(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == ' ' || r == '\\' || visible(r):
			b.WriteString(s[i : i+size])
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}
