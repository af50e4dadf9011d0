package safetext

import (
	"unicode"
	"unicode/utf8"
)

// Findings is what a person should be warned of in a text.
type Findings struct {
	Hidden int // characters that draw nothing or move others; line breaks, tabs and spaces are not counted
	Bidi   int // those of them that change the direction of text
	Broken int // bytes that are not UTF-8
	White  int // the longest run of white space, in characters
	// Mixed are up to three words, escaped, whose letters come from scripts that
	// have look-alikes of each other, such as Latin and Cyrillic.
	Mixed []string
	// Directions says that letters written from right to left stand beside
	// others, so that the order on the screen is not the order in the text.
	Directions bool
}

// maxMixed bounds Findings.Mixed.
const maxMixed = 3

// Look returns what to warn of in s.
func Look(s string) Findings {
	var f Findings
	var white, word int // length of the current white run; start of the current word
	var scripts, directions uint
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			f.Broken++
		} else if r != '\\' && !visible(r) && !isWhite(r) {
			f.Hidden++
		}
		if unicode.Is(unicode.Bidi_Control, r) {
			f.Bidi++
		}
		if white++; !isWhite(r) {
			white = 0
		}
		f.White = max(f.White, white)
		directions |= direction(r)
		if inWord(r) {
			scripts |= script(r)
		} else {
			f.word(s[word:i], scripts)
			word, scripts = i+size, 0
		}
		i += size
	}
	f.word(s[word:], scripts)
	f.Directions = directions == leftToRight|rightToLeft
	return f
}

// word adds a word to Mixed if its letters come from several scripts.
func (f *Findings) word(w string, scripts uint) {
	if scripts&(scripts-1) != 0 && len(f.Mixed) < maxMixed {
		f.Mixed = append(f.Mixed, Escape(w))
	}
}

func inWord(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isWhite says whether a character is white space, other kinds of spaces included.
func isWhite(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) }

// lookalikes are the scripts that have letters of the same shape. Words that mix
// other scripts, such as Han and Latin, are everyday text.
var lookalikes = []*unicode.RangeTable{
	unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian,
	unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Deseret,
}

// script returns the bit of r's script among lookalikes, and 0 for all others.
func script(r rune) uint {
	if r < 0x80 {
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return 1
		}
		return 0
	}
	for i, t := range lookalikes {
		if unicode.Is(t, r) {
			return 1 << i
		}
	}
	return 0
}

// The directions of text.
const (
	leftToRight uint = 1 << iota
	rightToLeft
)

var rightToLeftScripts = []*unicode.RangeTable{
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko,
	unicode.Samaritan, unicode.Mandaic, unicode.Adlam, unicode.Mende_Kikakui, unicode.Hanifi_Rohingya,
}

// direction returns the direction that a letter or digit is written in, and 0
// for all others.
func direction(r rune) uint {
	switch {
	case r >= 0x590 && unicode.IsOneOf(rightToLeftScripts, r):
		return rightToLeft
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return leftToRight
	}
	return 0
}
