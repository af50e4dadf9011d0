package openai

import (
	"bytes"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions of this file walk JSON text that encoding/json has found valid.
// They exist because a stream has many small events of which little is needed,
// and because A7 must cut members out of a text and leave every other byte.

// quotedMembers yields the members of an object in order, duplicates included:
// the name's and the value's text. What is no object has none.
func quotedMembers(v []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(quoted, value []byte) bool) {
		i := space(v, 0)
		if i == len(v) || v[i] != '{' {
			return
		}
		for i = space(v, i+1); v[i] != '}'; {
			end := stringEnd(v, i)
			quoted := v[i:end]
			i = space(v, space(v, end)+1) // behind the colon
			end = valueEnd(v, i)
			if !yield(quoted, v[i:end]) {
				return
			}
			i = next(v, end)
		}
	}
}

// members is quotedMembers with the names unquoted.
func members(v []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for quoted, value := range quotedMembers(v) {
			name := quoted[1 : len(quoted)-1]
			if bytes.IndexByte(name, '\\') >= 0 {
				name = appendUnquoted(nil, quoted)
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// elements yields the values of an array. What is no array has none.
func elements(v []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		i := space(v, 0)
		if i == len(v) || v[i] != '[' {
			return
		}
		for i = space(v, i+1); v[i] != ']'; {
			end := valueEnd(v, i)
			if !yield(v[i:end]) {
				return
			}
			i = next(v, end)
		}
	}
}

// member returns the value of the last member of that name, or nil.
func member(v []byte, name string) []byte {
	var found []byte
	for n, value := range members(v) {
		if string(n) == name {
			found = value
		}
	}
	return found
}

// next returns where the member or element after the one that ended at i
// begins, or the closing bracket.
func next(v []byte, i int) int {
	i = space(v, i)
	if v[i] == ',' {
		i = space(v, i+1)
	}
	return i
}

func space(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\r' || v[i] == '\t') {
		i++
	}
	return i
}

// valueEnd returns the index behind the value that begins at i.
func valueEnd(v []byte, i int) int {
	switch v[i] {
	case '"':
		return stringEnd(v, i)
	case '{', '[':
		for depth := 0; ; i++ {
			switch v[i] {
			case '"':
				i = stringEnd(v, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(v) && v[i] > ' ' && v[i] != ',' && v[i] != ']' && v[i] != '}' {
		i++
	}
	return i
}

func stringEnd(v []byte, i int) int {
	for i++; v[i] != '"'; i++ {
		if v[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func isString(v []byte) bool { return len(v) > 0 && v[0] == '"' }
func isObject(v []byte) bool { return len(v) > 0 && v[0] == '{' }
func isNull(v []byte) bool   { return string(v) == "null" }

// text returns the string that v holds; "" if v is no string.
func text(v []byte) string {
	if !isString(v) {
		return ""
	}
	return string(appendUnquoted(nil, v))
}

// appendUnquoted appends the string that v is the quoted form of. Bytes that are
// no UTF-8 stay as they are: a server may cut a character between two events,
// and joined they are whole again. A lone surrogate becomes three bytes that are
// no UTF-8 either, so that SPEC A5 refuses it instead of meeting a U+FFFD that
// nobody wrote.
func appendUnquoted(dst, v []byte) []byte {
	v = v[1 : len(v)-1]
	for {
		i := bytes.IndexByte(v, '\\')
		if i < 0 {
			return append(dst, v...)
		}
		dst = append(dst, v[:i]...)
		c := v[i+1]
		v = v[i+2:]
		switch c {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'u':
			dst, v = appendEscaped(dst, v)
		default: // quote, slash, backslash
			dst = append(dst, c)
		}
	}
}

// appendEscaped appends the character whose four hex digits begin v, and takes
// the second half of a surrogate pair along.
func appendEscaped(dst, v []byte) (_, rest []byte) {
	r := hex4(v)
	v = v[4:]
	if utf16.IsSurrogate(r) {
		if len(v) >= 6 && v[0] == '\\' && v[1] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(v[2:])); pair != utf8.RuneError {
				return utf8.AppendRune(dst, pair), v[6:]
			}
		}
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f), v
	}
	return utf8.AppendRune(dst, r), v
}

func hex4(v []byte) rune {
	var r rune
	for _, c := range v[:4] {
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		r = r<<4 | rune(c)
	}
	return r
}

// appendString appends s as a JSON string. Unlike encoding/json it leaves <, >
// and & alone; bytes that are no UTF-8 become U+FFFD as there.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}
