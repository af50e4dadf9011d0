package resource

import (
	"strings"
	"unicode/utf8"
)

// prose is plain text for a model while it is written. It is a small, fixed
// notation:
//
//	# Heading             of the whole; of its parts ##, of theirs ###
//	Text.
//	Label: value
//	> Warning: Text       a callout; its tone is Note, Success, Warning or Danger
//	- item
//	| a | b |             the rows of a table; the first one names the columns
//	Label [tool {"id":"7"}]   a link: the call that opens it
//	Form: Title [tool {"id":"7"}]: field (required), field
//
// What belongs to something stands two spaces further in than it. Text cannot
// pass for notation: where it would read like it, a \ stands before it, the
// further lines of a text stand further in than the first, and in a row of a
// table \n stands for a line end.
type prose struct {
	b      []byte
	indent int
	level  int  // of the next heading
	depth  int  // of the node being written
	fresh  bool // the next block goes on in this line
	cell   bool // within a row of a table, where all is one line

	tool func(Address) string // the tool that goes to an address, "" for none; nil: none is known
}

// NodeText writes a node as plain text for a model: a few lines without a final
// newline. The same node always gives the same text. A nil node is no text.
func NodeText(n Node) string { return nodeText(n, nil) }

// nodeText is NodeText for who knows which addresses are tools.
func nodeText(n Node, tool func(Address) string) string {
	t := &prose{fresh: true, level: 2, tool: tool}
	t.node(n)
	return string(t.b)
}

// toolAt is the name of the tool that opens an address; "" for none.
func (a *App) toolAt(to Address) string {
	name := to.Resource + "_" + to.View + to.Action
	if d := a.tools[name]; d != nil && (d.kind == ActionKind) == (to.Action != "") {
		return name
	}
	return ""
}

// node writes a node as a block; a nil one is nothing.
func (t *prose) node(n Node) {
	if absent(n) {
		return
	}
	if t.depth == maxDepth {
		t.line()
		t.put("(What is nested deeper is not shown.)")
		return
	}
	t.depth++
	n.appendText(t)
	t.depth--
}

func (t *prose) nodes(nodes []Node) {
	for _, n := range flattened(nodes) {
		t.node(n)
	}
}

// put writes notation. Like markup, it takes constants only.
func (t *prose) put(m markup) { t.b = append(t.b, m...) }

// line begins a block: on a line of its own, or in what a cell has so far.
func (t *prose) line() {
	switch {
	case t.fresh:
		t.fresh = false
	case t.cell:
		t.put("; ")
	default:
		t.newline()
	}
}

func (t *prose) newline() {
	t.b = append(t.b, '\n')
	for range t.indent {
		t.put("  ")
	}
}

// inside writes what belongs to the present line, further in.
func (t *prose) inside(write func()) {
	t.indent++
	write()
	t.indent--
}

// paragraph writes text that begins a line and may have several.
func (t *prose) paragraph(text string) {
	if first, _ := cutLine(text); reads(first) {
		t.put(`\`)
	}
	t.text(text)
}

// text writes text that goes on in a line. Its further lines stand further in.
func (t *prose) text(text string) {
	first, rest := cutLine(text)
	t.word(first)
	if rest == nil {
		return
	}
	if t.cell {
		t.put(`\n`)
		t.text(*rest)
		return
	}
	t.inside(func() {
		for rest != nil {
			first, rest = cutLine(*rest)
			t.newline()
			if reads(first) {
				t.put(`\`)
			}
			t.word(first)
		}
	})
}

// flat writes text as one line: a label, a heading, a caption.
func (t *prose) flat(text string) {
	first, rest := cutLine(text)
	t.word(first)
	for rest != nil {
		first, rest = cutLine(*rest)
		t.put(" ")
		t.word(first)
	}
}

// word writes text without line ends. A | of a cell and a [ that would begin a
// call get a \ before them; what does not belong into a text becomes U+FFFD.
func (t *prose) word(s string) {
	done := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f && c != '|' && c != '[' || c == '\t' {
			i++
			continue
		}
		as, size := t.guarded(s[i:])
		if as != "" {
			t.b = append(append(t.b, s[done:i]...), as...)
			done = i + size
		}
		i += size
	}
	t.b = append(t.b, s[done:]...)
}

// guarded says how the first character of s is written, "" for as it is, and how
// many bytes that stands for.
func (t *prose) guarded(s string) (as markup, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '|' && t.cell:
		return `\|`, 1
	case r == '[' && readsAsCall(s):
		return `\[`, 1
	case r == utf8.RuneError && size == 1:
		return "\uFFFD", invalid(s)
	case r < ' ', r >= 0x7f && r < 0xa0:
		return "\uFFFD", size
	}
	return "", size
}

// cutLine cuts text at its first line end, of whatever kind; rest is nil where
// there is none.
func cutLine(s string) (first string, rest *string) {
	if simple(s) {
		return s, nil
	}
	i := strings.IndexAny(s, "\n\r\v\f\u0085\u2028\u2029")
	if i < 0 {
		return s, nil
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	if strings.HasPrefix(s[i:], "\r\n") {
		size = 2
	}
	after := s[i+size:]
	return s[:i], &after
}

// simple says whether text is nothing but printable ASCII, as most is.
func simple(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// reads says whether text that is written as one line would read as notation.
func reads(line string) bool {
	line = strings.TrimLeft(line, " \t\n\r\v\f\u0085\u2028\u2029")
	if line == "" {
		return false
	}
	return strings.IndexByte(`#-|>\`, line[0]) >= 0 || strings.HasPrefix(line, "Form:")
}

// readsAsCall says whether text that begins with [ would read as a call, whose
// name always has a . or a _ in it.
func readsAsCall(s string) bool {
	joined := false
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '_' || c == '.':
			joined = true
		case c == ']':
			return joined
		case c == ' ':
			return joined && strings.HasPrefix(s[i:], " {")
		case c < '0' || c > '9' && c < 'a' || c > 'z':
			return false
		}
	}
	return false
}
