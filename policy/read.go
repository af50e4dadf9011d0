package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deeply a document may nest.
const maxDepth = 64

// reader reads JSON strictly: encoding/json has checked the syntax, the reader
// looks at what that would pass over. Its first error stops it; every method
// then returns zero values.
type reader struct {
	data     []byte
	code     string
	err      error
	warnings []Warning
	subject  func() string // names the rule, limit or entry that is being read; nil for none
}

// value is one JSON value inside reader.data.
type value struct {
	raw []byte
	at  int // its offset
}

// open checks the text as a whole and returns its value.
func (r *reader) open() value {
	if !json.Valid(r.data) {
		r.syntax()
		return value{}
	}
	if at := badUTF8(r.data); at >= 0 {
		r.failAt(at, "not valid UTF-8")
	} else if at := loneSurrogate(r.data); at >= 0 {
		r.failAt(at, "a \\u escape is half of a surrogate pair")
	}
	start := len(r.data) - len(bytes.TrimLeft(r.data, " \t\r\n"))
	v := value{bytes.TrimSpace(r.data), start}
	r.unique(v, 0)
	return v
}

// syntax says where the text stops being JSON.
func (r *reader) syntax() {
	var raw json.RawMessage
	err := json.Unmarshal(r.data, &raw)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		r.failAt(int(e.Offset), "not valid JSON: %s", e)
		return
	}
	r.failAt(0, "not valid JSON")
}

// members gives the members of an object in order. A key that comes twice, and
// a value that is no object, are errors.
func (r *reader) members(v value) iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		if r.kind(v) != '{' {
			r.fail(v, "expected an object, found %s", show(v))
			return
		}
		for key, member := range r.inside(v) {
			if r.err != nil || !yield(key, member) {
				return
			}
		}
	}
}

// elements gives the elements of an array. A value that is none is an error.
func (r *reader) elements(v value) iter.Seq[value] {
	return func(yield func(value) bool) {
		if r.kind(v) != '[' {
			r.fail(v, "expected a list, found %s", show(v))
			return
		}
		for _, element := range r.inside(v) {
			if r.err != nil || !yield(element) {
				return
			}
		}
	}
}

// inside walks an object or an array; the keys of an array are "".
func (r *reader) inside(v value) iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		for i := space(v.raw, 1); i < len(v.raw)-1; {
			key := ""
			if v.raw[0] == '{' {
				end := skip(v.raw, i)
				key = unquote(v.raw[i:end])
				i = space(v.raw, space(v.raw, end)+1) // the colon
			}
			end := skip(v.raw, i)
			if !yield(key, value{v.raw[i:end], v.at + i}) {
				return
			}
			if i = space(v.raw, end); v.raw[i] == ',' {
				i = space(v.raw, i+1)
			}
		}
	}
}

// unique refuses duplicate keys at every depth, and too many levels.
func (r *reader) unique(v value, depth int) {
	if k := r.kind(v); k != '{' && k != '[' {
		return
	}
	if depth >= maxDepth {
		r.fail(v, "nested more than %d levels deep", maxDepth)
		return
	}
	var few [16]string
	keys, many := few[:0], map[string]bool(nil)
	for key, member := range r.inside(v) {
		if r.err != nil {
			return
		}
		if v.raw[0] == '{' {
			if many[key] || many == nil && contains(keys, key) {
				r.fail(member, "the key %q comes twice: keep one", key)
				return
			}
			keys, many = remember(keys, many, key)
		}
		r.unique(member, depth+1)
	}
}

func contains(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

// remember keeps the keys of small objects in a list and those of large ones in a map.
func remember(keys []string, many map[string]bool, key string) ([]string, map[string]bool) {
	if many == nil && len(keys) < cap(keys) {
		return append(keys, key), nil
	}
	if many == nil {
		many = make(map[string]bool)
		for _, k := range keys {
			many[k] = true
		}
	}
	many[key] = true
	return keys, many
}

// kind returns the first byte of a value, 0 after an error.
func (r *reader) kind(v value) byte {
	if r.err != nil || len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

func (r *reader) text(v value) string {
	if r.kind(v) != '"' {
		r.fail(v, "expected a text in quotes, found %s", show(v))
		return ""
	}
	return unquote(v.raw)
}

func (r *reader) texts(v value) (list []string) {
	for e := range r.elements(v) {
		list = append(list, r.text(e))
	}
	return list
}

func (r *reader) flag(v value) bool {
	if s := string(v.raw); r.err == nil && s != "true" && s != "false" {
		r.fail(v, "expected true or false, found %s", show(v))
	}
	return r.err == nil && v.raw[0] == 't'
}

func (r *reader) integer(v value) int64 {
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	if err != nil {
		r.fail(v, "expected a whole number, found %s", show(v))
	}
	return n
}

func (r *reader) unknown(key string, v value, known string) {
	r.fail(v, "unknown field %q: the fields are %s", key, known)
}

func (r *reader) fail(v value, format string, args ...any) {
	r.failAt(v.at, format, args...)
}

func (r *reader) failAt(at int, format string, args ...any) {
	if r.err != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if r.subject != nil {
		text = r.subject() + ": " + text
	}
	r.err = &Error{Code: r.code, Text: text, Line: r.line(at)}
}

// refused passes on an error that names what it speaks of, with the line of v.
func (r *reader) refused(v value, err error) {
	if err == nil || r.err != nil {
		return
	}
	if e, ok := errors.AsType[*Error](err); ok {
		r.err = &Error{Code: e.Code, Text: e.Text, Line: r.line(v.at)}
		return
	}
	r.fail(v, "%s", err)
}

func (r *reader) line(at int) int {
	return 1 + bytes.Count(r.data[:min(at, len(r.data))], []byte{'\n'})
}

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
