package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// readJSON reads one JSON value.
func readJSON(data []byte, t *tree) *node {
	var any json.RawMessage
	if err := json.Unmarshal(data, &any); err != nil {
		at := len(data)
		if e, ok := errors.AsType[*json.SyntaxError](err); ok && e.Offset > 0 && !strings.Contains(e.Error(), "end of JSON") {
			at = int(e.Offset) - 1
		}
		line, column := position(data, at)
		t.place(line, column, "", "not valid JSON: "+err.Error())
		return nil
	}
	r := &jsonReader{tree: t, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1, column: 1}
	r.dec.UseNumber()
	return r.value("")
}

// jsonReader walks over text whose syntax was checked.
type jsonReader struct {
	*tree
	data []byte
	dec  *json.Decoder

	at, line, column int // how far places were counted
}

// next returns the next token and where it begins.
func (r *jsonReader) next() (tok json.Token, raw []byte, line, column int) {
	at := int(r.dec.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	tok, _ = r.dec.Token() // cannot fail: the syntax was checked
	r.count(at)
	return tok, r.data[at:r.dec.InputOffset()], r.line, r.column
}

// count goes on to an offset. Each byte is looked at once, because a file may
// be one line.
func (r *jsonReader) count(to int) {
	for _, c := range r.data[r.at:to] {
		switch {
		case c == '\n':
			r.line, r.column = r.line+1, 1
		case utf8.RuneStart(c):
			r.column++
		}
	}
	r.at = to
}

func (r *jsonReader) value(path string) *node {
	tok, raw, line, column := r.next()
	switch v := tok.(type) {
	case json.Delim:
		return r.many(v, line, column, path)
	case string:
		if halfPair(v, raw) {
			r.place(line, column, path, "a \\u escape is half of a surrogate pair: write the character itself")
		}
		return r.add(text, v, line, column, path)
	case json.Number:
		return r.add(number, v.String(), line, column, path)
	case bool:
		return r.add(boolean, string(raw), line, column, path)
	default:
		return r.add(null, "", line, column, path)
	}
}

func (r *jsonReader) many(open json.Delim, line, column int, path string) *node {
	k := list
	if open == '{' {
		k = object
	}
	n := r.add(k, "", line, column, path)
	if n == nil {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	seen := map[string]key{}
	for i := 0; r.dec.More() && !r.over; i++ {
		if k == list {
			if kid := r.value(fmt.Sprintf("%s[%d]", path, i)); kid != nil {
				n.kids = append(n.kids, kid)
			}
			continue
		}
		tok, raw, line, column := r.next()
		name, _ := tok.(string)
		if halfPair(name, raw) {
			r.place(line, column, path, "a \\u escape is half of a surrogate pair: write the character itself")
		}
		if _, twice := seen[name]; twice {
			r.put(n, seen, key{name, line, column}, nil)
			r.skip()
			continue
		}
		r.put(n, seen, key{name, line, column}, r.value)
	}
	if !r.over {
		r.next() // the end
	}
	return n
}

// skip passes over the value of a key that came twice.
func (r *jsonReader) skip() {
	var any json.RawMessage
	_ = r.dec.Decode(&any)
}

// halfPair reports whether the decoder put a replacement character where an
// escape stood for no character.
func halfPair(s string, raw []byte) bool {
	if !strings.ContainsRune(s, utf8.RuneError) {
		return false
	}
	honest := bytes.Count(raw, []byte("\uFFFD")) + strings.Count(strings.ToLower(string(raw)), `\ufffd`)
	return strings.Count(s, "\uFFFD") > honest
}
