package schema

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads the string at i, which is a quote, and returns where it ends.
func (p *parser) string(i int) int {
	src, start, flags := p.src, i+1, uint8(0)
	for i++; ; {
		if i = ordinary(src, i); i >= len(src) {
			return p.fail(i, "the text ends within a string")
		}
		switch c := src[i]; {
		case c == '"':
			p.leaf(kString, flags, start, i)
			return i + 1
		case c == '\\':
			flags |= escaped
			if i = p.escape(i); i < 0 {
				return -1
			}
		case c < ' ':
			return p.fail(i, "a control character in a string")
		default:
			r, size := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && size == 1 {
				return p.fail(i, "invalid UTF-8")
			}
			flags |= wide
			i += size
		}
	}
}

// ordinary returns the first position from i on that does not hold a plain
// ASCII character of a string. It looks at eight bytes at a time.
func ordinary(src []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(src); i += 8 {
		w := binary.LittleEndian.Uint64(src[i:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		// The high bit of a byte is set if the byte is above 7F, below 20, or one
		// of the two. A borrow can set it wrongly, but only above a right one.
		if odd := (w | (w - ones*' ') | (quote - ones) | (slash - ones)) & highs; odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
	}
	for i < len(src) && src[i] >= ' ' && src[i] < utf8.RuneSelf && src[i] != '"' && src[i] != '\\' {
		i++
	}
	return i
}

// escape checks the escape at i and returns where it ends.
func (p *parser) escape(i int) int {
	if i+1 >= len(p.src) {
		return p.fail(i, "the text ends within a string")
	}
	switch p.src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		return p.unicode(i)
	}
	return p.fail(i, "an unknown escape in a string")
}

func (p *parser) unicode(i int) int {
	r := hex4(p.src, i+2)
	if r < 0 {
		return p.fail(i, "an unknown escape in a string")
	}
	if !utf16.IsSurrogate(r) {
		return i + 6
	}
	if utf16.DecodeRune(r, low(p.src, i+6)) == utf8.RuneError {
		return p.fail(i, "a lone surrogate in a string")
	}
	return i + 12
}

// low reads the second half of a surrogate pair, -1 if there is none.
func low(src []byte, i int) rune {
	if i+1 >= len(src) || src[i] != '\\' || src[i+1] != 'u' {
		return -1
	}
	return hex4(src, i+2)
}

// hex4 reads four hexadecimal digits, -1 if they are not there.
func hex4(src []byte, i int) (r rune) {
	if i+4 > len(src) {
		return -1
	}
	for _, c := range src[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// unescape appends the decoded text of a checked string to buf.
func unescape(buf, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(buf, s...)
		}
		buf = append(buf, s[:i]...)
		if s[i+1] != 'u' {
			buf = append(buf, shortEscape(s[i+1]))
			s = s[i+2:]
			continue
		}
		r := hex4(s, i+2)
		s = s[i+6:]
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, low(s, 0))
			s = s[6:]
		}
		buf = utf8.AppendRune(buf, r)
	}
}

func shortEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// number reads the number at i and returns where it ends.
func (p *parser) number(i int) int {
	src, start := p.src, i
	if src[i] == '-' {
		i++
	}
	first := i
	i = digits(src, i)
	if i == first || src[first] == '0' && i > first+1 {
		return p.fail(start, "no JSON number")
	}
	if i < len(src) && (src[i] == '.' || src[i]|0x20 == 'e') {
		return p.fraction(start, i)
	}
	if i-first > maxDigits {
		return p.fail(start, "a number of more than 1,000 digits")
	}
	flags := whole | plain
	if first > start && src[first] == '0' { // -0
		flags = whole
	}
	p.leaf(kNumber, flags, start, i)
	return i
}

// fraction reads the rest of a number, from the point or the exponent at i.
func (p *parser) fraction(start, i int) int {
	src := p.src
	if src[i] == '.' {
		from := i + 1
		if i = digits(src, from); i == from {
			return p.fail(start, "no JSON number")
		}
	}
	mantissa := i - start
	if i < len(src) && src[i]|0x20 == 'e' {
		if i++; i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		from := i
		if i = digits(src, from); i == from {
			return p.fail(start, "no JSON number")
		}
	}
	if mantissa > maxDigits || i-start > maxDigits+20 {
		return p.fail(start, "a number of more than 1,000 digits")
	}
	d := parseDecimal(src[start:i])
	if !d.inRange(src[start:i]) {
		return p.fail(start, "a number beyond the range of a double")
	}
	flags := uint8(0)
	if d.whole() {
		flags = whole
	}
	p.leaf(kNumber, flags, start, i)
	return i
}

func digits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}
