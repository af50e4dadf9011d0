// Package ink sets text for a terminal: width, line breaks and a few styles.
//
// A style never says anything that the words do not say as well.
package ink

import (
	"strings"
	"unicode/utf8"

	"github.com/assentdev/assent/policy"
)

// Ink is how to write. The zero Ink writes 80 columns without styles.
type Ink struct {
	Color bool
	Width int // columns; below 24 counts as 24, 0 as 80
}

// Columns returns the width to write for.
func (k Ink) Columns() int {
	if k.Width == 0 {
		return 80
	}
	return max(k.Width, 24)
}

// Bold, Dim and Alert set a piece of text apart.
func (k Ink) Bold(s string) string { return k.style("1", s) }

// Dim is for what can be skipped.
func (k Ink) Dim(s string) string { return k.style("2", s) }

// Alert is for what must not be overlooked.
func (k Ink) Alert(s string) string { return k.style("1;31", s) }

func (k Ink) style(code, s string) string {
	if !k.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Class returns a class as a badge: its word in brackets, the strict ones in
// capitals, and a colour.
func (k Ink) Class(c policy.Class) string {
	switch c.Known() {
	case policy.Read:
		return k.style("32", "[read]")
	case policy.Write:
		return k.style("33", "[write]")
	case policy.Destructive:
		return k.style("1;31", "[DESTRUCTIVE]")
	}
	return k.style("1;35", "[UNKNOWN]")
}

// Wrap breaks text into lines of at most width columns, at spaces where there
// are some. The text has no line breaks and no styles.
func Wrap(text string, width int) (lines []string) {
	var line strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.SplitSeq(text, " ") {
		n := Columns(word)
		if used > 0 && used+1+n > width {
			flush()
		} else if used > 0 {
			line.WriteByte(' ')
			used++
		}
		for n > width {
			head, rest := cut(word, width-used)
			line.WriteString(head)
			flush()
			word, n = rest, Columns(rest)
		}
		line.WriteString(word)
		used += n
	}
	return append(lines, line.String())
}

// cut returns the part of s that fits in width columns, at least one character,
// and the rest.
func cut(s string, width int) (head, rest string) {
	used := 0
	for i, r := range s {
		if used += columns(r); used > width && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// Columns returns how many columns text without styles takes.
func Columns(s string) (n int) {
	if len(s) == utf8.RuneCountInString(s) {
		return len(s)
	}
	for _, r := range s {
		n += columns(r)
	}
	return n
}

// wide are the ranges of characters that terminals draw two columns wide.
var wide = [][2]rune{
	{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
	{0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
}

func columns(r rune) int {
	for _, w := range wide {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	return 1
}
