package keys

import (
	"slices"
	"unicode"
)

// Line is a line of text that is being typed. The zero Line is empty.
type Line struct {
	text []rune
	at   int // the cursor
}

// NewLine returns a line with text in it and the cursor at its end.
func NewLine(text string) *Line {
	r := []rune(text)
	return &Line{text: r, at: len(r)}
}

// String returns the text.
func (l *Line) String() string { return string(l.text) }

// Cursor returns the text before and behind the cursor.
func (l *Line) Cursor() (before, behind string) {
	return string(l.text[:l.at]), string(l.text[l.at:])
}

// Type applies a key. Keys that do not edit change nothing.
func (l *Line) Type(k Key) {
	switch k.Name {
	case Char:
		l.text = slices.Insert(l.text, l.at, k.Char)
		l.at++
	case Backspace:
		l.erase(max(l.at-1, 0))
	case Delete:
		if l.at < len(l.text) {
			l.at++
			l.erase(l.at - 1)
		}
	case Left:
		l.at = max(l.at-1, 0)
	case Right:
		l.at = min(l.at+1, len(l.text))
	case Home:
		l.at = 0
	case Last:
		l.at = len(l.text)
	case Clear:
		l.erase(0)
	case EraseWord:
		l.erase(l.word())
	}
}

// erase removes what stands from a place to the cursor.
func (l *Line) erase(from int) {
	l.text = slices.Delete(l.text, from, l.at)
	l.at = from
}

// word is where the word before the cursor begins.
func (l *Line) word() int {
	i := l.at
	for i > 0 && unicode.IsSpace(l.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(l.text[i-1]) {
		i--
	}
	return i
}
