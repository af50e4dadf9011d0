package safetext

import "unicode"

// visible says whether a character may be shown as it is. It is an allow list:
// letters, marks, numbers, punctuation and symbols of the categories below, as
// far as they draw something that cannot be taken for an escape. Spaces are not
// in it. unicode.IsPrint would let fillers through that draw nothing.
func visible(r rune) bool {
	if r < 0x7F {
		return r > ' ' && r != '\\'
	}
	return unicode.IsOneOf(drawn, r) && !unicode.IsOneOf(blank, r)
}

// ascii says whether a character is visible ASCII.
func ascii(r rune) bool { return r < 0x7F && visible(r) }

// drawn are the categories of visible characters. Enclosing marks (Me) are not
// among them: they draw over their neighbours.
var drawn = []*unicode.RangeTable{unicode.L, unicode.Mn, unicode.Mc, unicode.N, unicode.P, unicode.S}

// blank are the characters of those categories that draw nothing or pose as
// something else.
var blank = []*unicode.RangeTable{
	unicode.Other_Default_Ignorable_Code_Point, // Hangul and Khmer fillers, the grapheme joiner
	unicode.Variation_Selector,
	table(
		0x1680,         // Ogham space
		0x2800,         // Braille without dots
		0x2D7F,         // Tifinagh consonant joiner
		0x303F,         // half fill space
		0xFFFC, 0xFFFD, // object and character replacement: an escape tells them from damage
		0x1107F,          // Brahmi number joiner
		0x13441, 0x13442, // hieroglyphs full and half blank
		0x16FE4, // Khitan filler
		0x1D159, // musical null note head
	),
	// They look like a backslash, which begins our escapes.
	table(0x2216, 0x244A, 0x27CD, 0x29F5, 0x29F7, 0x29F9, 0xFE68, 0xFF3C, 0x1F67C, 0x1F67D),
}

// table returns a range table of single characters in ascending order.
func table(runes ...rune) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for _, r := range runes {
		if r <= 0xFFFF {
			t.R16 = append(t.R16, unicode.Range16{Lo: uint16(r), Hi: uint16(r), Stride: 1})
		} else {
			t.R32 = append(t.R32, unicode.Range32{Lo: uint32(r), Hi: uint32(r), Stride: 1})
		}
	}
	return t
}
