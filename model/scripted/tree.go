package scripted

import (
	"bytes"
	"encoding/json"

	"github.com/assentdev/assent/fault"
)

// node is a JSON value with the line on which it begins.
type node struct {
	name    string // of a member
	line    int
	kind    json.Delim // '{', '[' or 0
	value   any        // where kind is 0
	members []*node    // of an object or a list
}

// readTree reads one JSON value and nothing behind it. No member may come twice.
func readTree(data []byte) (*node, error) {
	t := &treeReader{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	t.d.UseNumber()
	n, err := t.value(0)
	if err != nil {
		return nil, err
	}
	if t.d.More() {
		return nil, lineError(t.line(), "text behind the script")
	}
	return n, nil
}

type treeReader struct {
	data []byte
	d    *json.Decoder
}

// line is the line of the last token: no token spans two.
func (t *treeReader) line() int { return 1 + bytes.Count(t.data[:t.d.InputOffset()], []byte("\n")) }

func (t *treeReader) token() (json.Token, error) {
	token, err := t.d.Token()
	if err == nil {
		return token, nil
	}
	line := 1 + bytes.Count(bytes.TrimRight(t.data, "\n"), []byte("\n"))
	if syntax, ok := err.(*json.SyntaxError); ok {
		line = 1 + bytes.Count(t.data[:min(int(syntax.Offset), len(t.data))], []byte("\n"))
	}
	return nil, fault.Wrap(err, fault.BadConfig, "line %d: this is no JSON: %v", line, err)
}

// maxDepth is deeper than any script.
const maxDepth = 100

func (t *treeReader) value(depth int) (*node, error) {
	token, err := t.token()
	if err != nil {
		return nil, err
	}
	n := &node{line: t.line()}
	if depth > maxDepth {
		return nil, lineError(n.line, "more than %d levels", maxDepth)
	}
	if n.kind, _ = token.(json.Delim); n.kind == 0 {
		n.value = token
		return n, nil
	}
	for t.d.More() {
		m, err := t.member(n, depth)
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, m)
	}
	_, err = t.token() // the closing bracket
	return n, err
}

func (t *treeReader) member(of *node, depth int) (*node, error) {
	if of.kind != '{' {
		return t.value(depth + 1)
	}
	token, err := t.token()
	if err != nil {
		return nil, err
	}
	name, line := token.(string), t.line()
	for _, m := range of.members {
		if m.name == name {
			return nil, lineError(line, "%q is there twice", name)
		}
	}
	m, err := t.value(depth + 1)
	if err != nil {
		return nil, err
	}
	m.name = name
	return m, nil
}
