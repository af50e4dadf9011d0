package resource

import (
	"strings"

	"github.com/assentdev/assent/policy"
)

// inline writes a node within a cell, a field or an item of a list. What is more
// than a phrase stays a block.
func (h *html) inline(n Node) {
	if absent(n) {
		return
	}
	switch n := n.(type) {
	case *TextNode:
		h.phrase(n.Text)
	case *HeadingNode:
		h.wrap("<strong>", n.Text, "</strong>")
	case *EmptyNode:
		h.wrap("<span class=\"empty\">", n.Text, "</span>")
	case *CalloutNode:
		h.badge(n)
	case *ImageNode:
		h.image(n)
	case *LinkNode:
		h.link(n, "")
	case *FormNode:
		h.button(n)
	case *ContentNode:
		h.inlines(n.Nodes)
	case *dataNode:
		h.inline(n.Node)
	default:
		h.node(n)
	}
}

// inlines writes several nodes within a cell with a space between them.
func (h *html) inlines(nodes []Node) {
	for i, n := range flattened(nodes) {
		if i > 0 {
			h.put(" ")
		}
		h.inline(n)
	}
}

// phrase writes text. Only text of several lines needs an element that keeps them.
func (h *html) phrase(text string) {
	if !strings.Contains(text, "\n") {
		h.text(text)
		return
	}
	h.wrap("<span class=\"lines\">", text, "</span>")
}

func (h *html) badge(n *CalloutNode) {
	h.put("<span class=\"badge")
	h.put(n.Tone.class())
	h.wrap("\">", n.Text, "")
	if word := n.Tone.word(); word != "" {
		h.wrap("<span class=\"unseen\"> (", strings.ToLower(word), ")</span>")
	}
	h.put("</span>")
}

func (h *html) image(n *ImageNode) {
	if !n.allowed() {
		h.wrap("<span class=\"empty\">", n.Alt, "</span>")
		return
	}
	h.put("<img")
	h.attr("src", n.Source)
	h.attr("alt", n.Alt)
	h.put(">")
}

func (n *LinkNode) appendHTML(h *html) {
	h.put("\n<p>")
	h.link(n, "")
	h.put("</p>")
}

// link writes a link with the attributes that are given as markup.
func (h *html) link(n *LinkNode, attributes markup) {
	h.put("<a")
	h.put(attributes)
	h.attr("href", h.url(n.To))
	h.wrap(">", n.label(), "</a>")
}

// label is the label of a link, which always has one: without it nobody would
// know what it is.
func (n *LinkNode) label() string {
	if n.Label == "" {
		return words(n.To.View + n.To.Action)
	}
	return n.Label
}

func (n *ActionsNode) appendHTML(h *html) {
	items := flattened(n.Items)
	if len(items) == 0 {
		return
	}
	h.put("\n<div class=\"actions\" role=\"group\" aria-label=\"Actions\">")
	for _, item := range items {
		h.put("\n")
		switch item := item.(type) {
		case *LinkNode:
			h.link(item, ` class="button"`)
		case *TextNode:
			h.wrap("<span>", item.Text, "</span>")
		default:
			h.inline(item)
		}
	}
	h.put("\n</div>")
}

// button writes a form where there is room for a button only: one that has no
// fields is sent by it, any other is behind it.
func (h *html) button(n *FormNode) {
	look := markup(` class="button"`)
	if n.risky() {
		look = ` class="button danger"`
	}
	if h.post == nil || n.asks() {
		h.link(&LinkNode{Label: n.def.Title(), To: n.To}, look)
		return
	}
	h.put("<form method=\"post\"")
	h.attr("action", h.post(n.To))
	h.put("><button")
	h.put(look)
	h.wrap(">", n.def.Title(), "</button></form>")
}

// risky says whether what the form does may not be changed back, or nobody said.
func (n *FormNode) risky() bool { return n.def.Class() != policy.Write }

// asks says whether the form has fields.
func (n *FormNode) asks() bool {
	s := n.def.action.payload.shape
	return s == nil || len(s.props) > 0
}
