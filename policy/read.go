package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
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
	var keys keySet
	for key, member := range r.inside(v) {
		if r.err != nil {
			return
		}
		if v.raw[0] == '{' && !keys.add(key) {
			r.fail(member, "the key %q comes twice: keep one", key)
			return
		}
		r.unique(member, depth+1)
	}
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
