package resource

import (
	"cmp"
	"strings"
)

func (n *TextNode) appendHTML(h *html)    { h.wrap("\n<p>", n.Text, "</p>") }
func (n *HeadingNode) appendHTML(h *html) { h.heading(n.Text) }
func (n *EmptyNode) appendHTML(h *html)   { h.wrap("\n<p class=\"empty\">", n.Text, "</p>") }
func (n *ContentNode) appendHTML(h *html) { h.nodes(n.Nodes) }
func (n *dataNode) appendHTML(h *html)    { h.node(n.Node) }

// appendHTML says the tone in words, because not everybody sees colours.
func (n *CalloutNode) appendHTML(h *html) {
	h.put("\n<div class=\"callout")
	h.put(n.Tone.class())
	h.put("\" role=\"note\">")
	if word := n.Tone.word(); word != "" {
		h.wrap("<strong>", word, "</strong>")
	}
	h.wrap("<p>", n.Text, "</p></div>")
}

// class is the tone as a class of the stylesheet; an unknown tone is plain.
func (t Tone) class() markup {
	switch t {
	case Good:
		return " success"
	case Warning:
		return " warning"
	case Danger:
		return " danger"
	}
	return ""
}

// word is the tone for those who do not see it; "" for plain.
func (t Tone) word() string {
	switch t {
	case Good:
		return "Success"
	case Warning:
		return "Warning"
	case Danger:
		return "Danger"
	}
	return ""
}

// appendHTML deepens the headings only under a title, so that no level is left out.
func (n *GroupNode) appendHTML(h *html) {
	level := h.level
	h.put("\n<section class=\"group\">")
	if n.Title != "" {
		h.heading(n.Title)
		h.level = max(level, 1) + 1
	}
	h.nodes(n.Content)
	h.put("\n</section>")
	h.level = max(level, min(h.level, 2))
}

func (n *FieldsNode) appendHTML(h *html) {
	if len(n.Fields) == 0 {
		return
	}
	h.put("\n<dl>")
	for _, f := range n.Fields {
		h.wrap("\n<div><dt>", f.Label, "</dt><dd>")
		h.inline(f.Value)
		h.put("</dd></div>")
	}
	h.put("\n</dl>")
}

func (n *ListNode) appendHTML(h *html) {
	items := flattened(n.Items)
	if len(items) == 0 {
		return
	}
	h.put("\n<ul>")
	for _, item := range items {
		h.put("\n<li>")
		h.inline(item)
		h.put("</li>")
	}
	h.put("\n</ul>")
}

func (n *ImageNode) appendHTML(h *html) {
	h.put("\n<p>")
	h.inline(n)
	h.put("</p>")
}

// allowed says whether the source is a path of the same origin or an image in
// itself. SVG is a document with a life of its own, and browsers drop white space
// and turn \ into /, which would make another origin of a path.
func (n *ImageNode) allowed() bool {
	for i := range len(n.Source) {
		if c := n.Source[i]; c <= ' ' || c == '\\' || c >= 0x7f {
			return false
		}
	}
	if strings.HasPrefix(n.Source, "/") {
		return !strings.HasPrefix(n.Source, "//")
	}
	kind, ok := strings.CutPrefix(n.Source, "data:image/")
	kind, _, comma := strings.Cut(kind, ",")
	kind, base64 := strings.CutSuffix(kind, ";base64")
	return ok && comma && base64 && (kind == "png" || kind == "jpeg" || kind == "gif" || kind == "webp")
}

// appendHTML begins with the heading of the page: the view's own if it has one,
// which then is the page's title too.
func (n *viewNode) appendHTML(h *html) {
	if own := n.heading(); own != nil {
		h.page = own.Text
	} else {
		h.heading(cmp.Or(h.page, words(n.name)))
	}
	h.nodes(n.content)
}

// heading is the heading with which the view begins; nil if it does not.
func (n *viewNode) heading() *HeadingNode {
	if len(n.content) == 0 {
		return nil
	}
	first, _ := n.content[0].(*HeadingNode)
	return first
}
