package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assentdev/assent/schema"
)

// Bounds of a file. Aliases of YAML could stand for much more than the file has.
const (
	maxFile   = 1 << 20
	maxValues = 100_000
	maxText   = 4 << 20 // of all texts together
	maxDepth  = 64
)

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

var kindWords = [...]string{"nothing", "true or false", "a number", "a text", "a list", "an object"}

func (k kind) String() string { return kindWords[k] }

// node is a value of a file, whatever it was written in.
type node struct {
	kind    kind
	text    string // of a text; of a number and a boolean as JSON has it
	line    int
	column  int
	path    string
	keys    []key // of an object, beside kids
	kids    []*node
	refused bool // left out of what is decoded
	bad     bool // something is wrong with it or within it
	odd     bool // a key could not be read: what seems to be missing may be there
}

type key struct {
	name         string
	line, column int
}

// member returns a member of an object; nil where there is none. A nil node has
// none.
func (n *node) member(name string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k.name == name {
			return n.kids[i]
		}
	}
	return nil
}

// elements returns the elements of the list that is a member. Where it is no
// list there are none.
func (n *node) elements(name string) []*node {
	if m := n.member(name); m != nil && m.kind == list {
		return m.kids
	}
	return nil
}

// or returns the member, and the object where it has none: the best place there
// is for a problem.
func (n *node) or(name string) *node {
	if m := n.member(name); m != nil {
		return m
	}
	return n
}

// json appends the value as JSON, without what was refused.
func (n *node) json(b []byte) []byte {
	switch n.kind {
	case null:
		return append(b, "null"...)
	case boolean, number:
		return append(b, n.text...)
	case text:
		return schema.AppendString(b, n.text)
	}
	open, shut := byte('['), byte(']')
	if n.kind == object {
		open, shut = '{', '}'
	}
	b = append(b, open)
	first := true
	for i, kid := range n.kids {
		if kid.refused {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		if n.kind == object {
			b = append(schema.AppendString(b, n.keys[i].name), ':')
		}
		b = kid.json(b)
	}
	return append(b, shut)
}

// tree builds nodes within the bounds.
type tree struct {
	*problems
	values int
	texts  int
	depth  int
	over   bool // a bound was met: nothing more is read
}

// add makes a node of what was read. It returns nil once a bound is met.
func (t *tree) add(k kind, s string, line, column int, path string) *node {
	t.values++
	t.texts += len(s)
	bound := ""
	switch {
	case t.over:
		return nil
	case t.values > maxValues:
		bound = fmt.Sprintf("the file has more than %d values, aliases counted: split or shorten it", maxValues)
	case t.texts > maxText:
		bound = fmt.Sprintf("the texts of the file have more than %d bytes, aliases counted: use fewer aliases", maxText)
	case t.depth >= maxDepth:
		bound = fmt.Sprintf("nested more than %d levels deep", maxDepth)
	}
	if bound != "" {
		t.over = true
		t.place(line, column, path, bound)
		return nil
	}
	return &node{kind: k, text: s, line: line, column: column, path: path}
}

// wrong notes a value that cannot be read. The node that stands for it keeps its
// place, so that nothing is said to be missing.
func (t *tree) wrong(line, column int, path, what string) *node {
	t.place(line, column, path, what)
	return &node{line: line, column: column, path: path, refused: true, bad: true}
}

// put adds a member, unless its key was there before.
func (t *tree) put(n *node, seen map[string]key, k key, read func(path string) *node) {
	if first, twice := seen[k.name]; twice {
		t.place(k.line, k.column, join(n.path, k.name), fmt.Sprintf("the key %s comes twice, first in line %d: keep one", show(k.name), first.line))
		n.bad = true
		return
	}
	seen[k.name] = k
	if kid := read(join(n.path, k.name)); kid != nil {
		n.keys, n.kids = append(n.keys, k), append(n.kids, kid)
	}
}

func join(path, name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`.[]":`, r) }) || len(name) > 40 || name == "" {
		name = show(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// show quotes a word of the file, shortened.
func show(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}

// wrongText returns the place of the first byte that no text may have, -1 for
// none, and what is wrong there.
func wrongText(data []byte) (at int, what string) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return i, "not valid UTF-8: save the file as UTF-8"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f:
			return i, "a control character: remove it"
		}
		i += size
	}
	return -1, ""
}

// position turns an offset into line and column.
func position(data []byte, at int) (line, column int) {
	at = max(0, min(at, len(data)))
	before := string(data[:at])
	line = 1 + strings.Count(before, "\n")
	return line, 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
