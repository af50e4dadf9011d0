package resource

import (
	"slices"
	"unicode/utf8"
)

// maxDepth bounds how deep nodes nest in HTML and in text. What lies deeper is
// left out, and a line says so.
const maxDepth = 64

// html is HTML while it is written. Everything foreign goes through text and
// attr, which escape it; put takes nothing but constants of this package.
type html struct {
	b     []byte
	level int    // of the next heading; 0 is 1
	depth int    // of the node being written
	page  string // the title of the page; "" where there is no page

	// url is where an address is served: a view, or the form of an action. post is
	// where an action is sent to; nil: one-button forms become links.
	url  func(Address) string
	post func(Address) string
	// ask asks a lookup for a picker's records, and nameOf what a value is called:
	// both as the person who sees the page, with the parameters of the form's
	// address. nil and "" where there is nothing.
	ask    func(lookup string, params map[string]string, query string) []Record
	nameOf func(lookup string, params map[string]string, value string) string
}

// markup is a constant piece of HTML. A string that came from elsewhere does not
// convert to it by itself, so the compiler keeps foreign bytes out of put.
type markup string

// put writes markup.
func (h *html) put(m markup) { h.b = append(h.b, m...) }

// text writes text.
func (h *html) text(s string) { h.b = escape(h.b, s) }

// attr writes an attribute with a space before it.
func (h *html) attr(name markup, value string) {
	h.b = append(append(append(h.b, ' '), name...), '=', '"')
	h.b = append(escape(h.b, value), '"')
}

// wrap writes text between two pieces of markup.
func (h *html) wrap(before markup, text string, after markup) {
	h.put(before)
	h.text(text)
	h.put(after)
}

// heading writes a heading at the present level. The first of a page is its h1,
// and there is no second one.
func (h *html) heading(text string) {
	level := byte('0' + min(max(h.level, 1), 6))
	h.level = max(h.level, 2)
	h.b = append(h.b, '\n', '<', 'h', level, '>')
	h.text(text)
	h.b = append(h.b, '<', '/', 'h', level, '>')
}

// node writes a node as a block; a nil one is nothing.
func (h *html) node(n Node) {
	if absent(n) {
		return
	}
	if h.depth == maxDepth {
		h.put("\n<p class=\"empty\">What is nested deeper is not shown.</p>")
		return
	}
	h.depth++
	n.appendHTML(h)
	h.depth--
}

func (h *html) nodes(nodes []Node) {
	for _, n := range flattened(nodes) {
		h.node(n)
	}
}

// flattened is flat, and copies nothing where there is nothing to flatten.
func flattened(nodes []Node) []Node {
	if slices.ContainsFunc(nodes, hollow) {
		return flat(nil, nodes...)
	}
	return nodes
}

// hollow says that a node leaves no trace of itself.
func hollow(n Node) bool {
	switch n.(type) {
	case *ContentNode, *dataNode:
		return true
	}
	return absent(n)
}

// special are the ASCII characters below 64 that are not written as they are:
// those of markup, and the control characters but tab and line feed.
const special uint64 = 1<<'&' | 1<<'<' | 1<<'>' | 1<<'"' | 1<<'\'' | (1<<' '-1)&^(1<<'\t'|1<<'\n')

// escape appends text so that HTML reads exactly this text, between tags and in
// a quoted attribute alike. What HTML cannot hold, control characters and invalid
// UTF-8, becomes U+FFFD, so that people see that something is there.
func escape(b []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < 64 && special>>c&1 == 0 || c >= 64 && c < 0x7f {
			i++
			continue
		}
		as, size := escaped(s[i:])
		if as != "" {
			b = append(append(b, s[done:i]...), as...)
			done = i + size
		}
		i += size
	}
	return append(b, s[done:]...)
}

// escaped says how the first character of s is written, "" for as it is, and how
// many bytes that stands for. A run of invalid bytes is one U+FFFD, as in JSON.
func escaped(s string) (as string, size int) {
	switch s[0] {
	case '&':
		return "&amp;", 1
	case '<':
		return "&lt;", 1
	case '>':
		return "&gt;", 1
	case '"':
		return "&#34;", 1
	case '\'':
		return "&#39;", 1
	case '\r':
		return "&#13;", 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return "\uFFFD", invalid(s)
	case r < ' ', r >= 0x7f && r < 0xa0, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return "\uFFFD", size
	}
	return "", size
}

// invalid counts the bytes at the start of s that are no UTF-8.
func invalid(s string) int {
	for i := range len(s) {
		if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
			return i
		}
	}
	return len(s)
}
