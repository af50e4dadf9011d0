package policy

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// space returns the first place from i on that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skip returns where the value that begins at i ends.
func skip(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i // the end of what holds a bare number or word
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return string(raw) // cannot be: the syntax was checked
	}
	return s
}

// show gives a short picture of a value for an error text.
func show(v value) string {
	const most = 40
	s := string(v.raw)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// badUTF8 returns the offset of the first byte that is not UTF-8, -1 for none.
func badUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// loneSurrogate returns the offset of the first \u escape that is half of a
// pair, -1 for none. Readers disagree about what such an escape stands for.
func loneSurrogate(b []byte) int {
	for i := bytes.IndexByte(b, '\\'); i >= 0 && i < len(b); {
		if b[i] != '\\' {
			i++
			continue
		}
		if b[i+1] != 'u' {
			i += 2
			continue
		}
		if c := escaped(b[i:]); utf16.IsSurrogate(c) {
			if utf16.DecodeRune(c, escaped(b[i+6:])) == utf8.RuneError {
				return i
			}
			i += 6
		}
		i += 6
	}
	return -1
}

// escaped returns the code unit of the \uXXXX that b begins with, -1 for none.
func escaped(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// keySet holds the keys of an object: few of them in an array, as in rules, many in a map.
type keySet struct {
	few  [16]string
	n    int
	many map[string]bool
}

// add reports whether the key is new.
func (k *keySet) add(key string) bool {
	if k.many == nil && k.n < len(k.few) {
		if slices.Contains(k.few[:k.n], key) {
			return false
		}
		k.few[k.n] = key
		k.n++
		return true
	}
	if k.many == nil {
		k.many = make(map[string]bool)
		for _, old := range k.few {
			k.many[old] = true
		}
	}
	if k.many[key] {
		return false
	}
	k.many[key] = true
	return true
}
