// Package safetext turns foreign text into text that can be shown to a person
// who decides by it (SPEC P14).
//
// What [Escape] returns holds visible characters only. Everything else is shown
// as an escape, and no two texts are shown alike byte for byte. Markup stays
// inert text; a view that writes HTML still has to quote it for HTML.
//
// The escapes are:
//
//	\\          a backslash
//	\n \t \r    a line break, a tab, a carriage return
//	\s          a space at the beginning or the end, where nobody would see it
//	\u202E      a hidden character, four digits
//	\U000E0041  a hidden character beyond them, eight digits
//	\xFF        a byte that is not UTF-8
//	\[4000 x \n]  a run of one or two of these, or of spaces, with its count
package safetext

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRepeat is how often a space or an escape is written out before it is
// counted; maxMarks how many combining marks one letter may carry.
const (
	maxRepeat = 4
	maxMarks  = 4
)

// Escape returns s as visible text. It is injective: different texts, also
// different bytes that are no text, give different results. It gives plain
// printable text back as it is.
func Escape(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for p := range pieces(s, visible) {
		b.WriteString(p.text)
	}
	return b.String()
}

// Name returns the name of a tool, or of another thing that a person knows by
// its name, as visible ASCII text: no letter of another script can pass for one
// of its own. A name that would take more than 128 characters is shortened; see
// Short.String.
func Name(s string) string { return shorten(s, 128, ascii).String() }

// Lines returns what Escape returns, cut after each line break, so that a view
// can set each piece on a line of its own. The escape of the line break is kept
// at the end of its piece. A counted run of line breaks is not cut.
func Lines(s string) []string {
	var lines []string
	var b strings.Builder
	for p := range pieces(s, visible) {
		b.WriteString(p.text)
		if p.text == `\n` {
			lines = append(lines, b.String())
			b.Reset()
		}
	}
	if b.Len() > 0 || lines == nil {
		lines = append(lines, b.String())
	}
	return lines
}

// plain says whether s is its own escape, for the common case of ASCII text.
func plain(s string) bool {
	if s == "" {
		return true
	}
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == '\\' || c == ' ' && (i == 0 || s[i-1] == ' ') {
			return false
		}
	}
	return s[len(s)-1] != ' '
}

// piece is a part of the escaped text that is never cut.
type piece struct {
	text  string
	width int // characters of text
	runes int // characters of the original that it stands for
}

// pieces yields the escaped text of s. Each shown character is a piece of its
// own, and so is each escape.
func pieces(s string, shown func(rune) bool) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		marks := maxMarks // a mark at the beginning has nothing to stand on
		leading := true   // nothing but spaces so far
		for i := 0; i < len(s); {
			if unit, runes, n := run(s[i:], shown); n > maxRepeat {
				text := "\\[" + strconv.Itoa(n) + " x " + escapeAll(unit) + "]"
				if !yield(piece{text, utf8.RuneCountInString(text), runes * n}) {
					return
				}
				i += len(unit) * n
				leading = leading && unit == " "
				marks = maxMarks
				continue
			}
			r, size := utf8.DecodeRuneInString(s[i:])
			text := s[i : i+size]
			switch {
			case r == ' ':
				if leading || strings.Trim(s[i:], " ") == "" {
					text = `\s`
				}
				marks = maxMarks
			case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Mc):
				if marks >= maxMarks || !shown(r) {
					text, marks = escape(s[i:]), maxMarks
				}
				marks++
			case shown(r): // never a broken byte: U+FFFD is not visible
				marks = 0
			default:
				text, marks = escape(s[i:]), maxMarks
			}
			leading = leading && r == ' '
			if !yield(piece{text, utf8.RuneCountInString(text), 1}) {
				return
			}
			i += size
		}
	}
}

// run returns the shortest unit of one or two spaces or hidden characters whose
// repetition s begins with, its length in characters and how often it comes.
// n is 0 where s begins with something that is shown.
func run(s string, shown func(rune) bool) (unit string, runes, n int) {
	end := 0
	for runes := 1; runes <= 2; runes++ {
		r, size := utf8.DecodeRuneInString(s[end:])
		if size == 0 || shown(r) {
			return "", 0, 0
		}
		end += size
		unit := s[:end]
		n := 1
		for begins(s[n*end:], unit) {
			n++
		}
		if n > maxRepeat {
			return unit, runes, n
		}
	}
	return "", 0, 0
}

// begins says whether s begins with the characters of unit. A broken byte may
// also be the first byte of a whole character, which then is another one.
func begins(s, unit string) bool {
	if !strings.HasPrefix(s, unit) {
		return false
	}
	for i := 0; i < len(unit); {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if i > len(unit) {
			return false
		}
	}
	return true
}

// escapeAll returns the escapes of all of s, spaces included.
func escapeAll(s string) string {
	var b strings.Builder
	for s != "" {
		_, size := utf8.DecodeRuneInString(s)
		b.WriteString(escape(s))
		s = s[size:]
	}
	return b.String()
}

// escape returns the escape of the first character of s, or of its first byte
// where that is not UTF-8.
func escape(s string) string {
	switch r, size := utf8.DecodeRuneInString(s); {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02X`, s[0])
	case r == '\\':
		return `\\`
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r == ' ':
		return `\s`
	case r > 0xFFFF:
		return fmt.Sprintf(`\U%08X`, r)
	default:
		return fmt.Sprintf(`\u%04X`, r)
	}
}
