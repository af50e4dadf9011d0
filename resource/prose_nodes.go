package resource

import (
	"bytes"
	"strings"
)

func (n *TextNode) appendText(t *prose)  { t.phrase(n) }
func (n *EmptyNode) appendText(t *prose) { t.phrase(n) }
func (n *ImageNode) appendText(t *prose) { t.phrase(n) }
func (n *LinkNode) appendText(t *prose)  { t.phrase(n) }
func (n *FormNode) appendText(t *prose)  { t.phrase(n) }

func (n *ContentNode) appendText(t *prose) { t.nodes(n.Nodes) }
func (n *dataNode) appendText(t *prose)    { t.node(n.Node) }

// appendText of a view writes no title of its own: a model knows what it called.
func (n *viewNode) appendText(t *prose) {
	if n.heading() != nil {
		t.level = 1
	}
	t.nodes(n.content)
}

func (n *HeadingNode) appendText(t *prose) { t.heading(n.Text) }

func (t *prose) heading(text string) {
	t.line()
	for range min(t.level, 6) {
		t.put("#")
	}
	t.put(" ")
	t.flat(text)
	t.level = max(t.level, 2)
}

func (n *CalloutNode) appendText(t *prose) {
	t.line()
	t.put("> ")
	t.put(n.Tone.note())
	t.text(n.Text)
}

// note is how a callout begins.
func (t Tone) note() markup {
	switch t {
	case Good:
		return "Success: "
	case Warning:
		return "Warning: "
	case Danger:
		return "Danger: "
	}
	return "Note: "
}

// phrase writes a node that is a phrase as a block.
func (t *prose) phrase(n Node) {
	t.line()
	switch n := n.(type) {
	case *TextNode:
		t.paragraph(n.Text)
	case *EmptyNode:
		t.paragraph(n.Text)
	case *LinkNode:
		if reads(n.label()) {
			t.put(`\`)
		}
		t.inline(n)
	default:
		t.inline(n)
	}
}

// inline writes a node in the present line if it is a phrase, and says whether
// it is.
func (t *prose) inline(n Node) bool {
	if absent(n) {
		return true
	}
	switch n := n.(type) {
	case *TextNode:
		t.text(n.Text)
	case *EmptyNode:
		t.text(n.Text)
	case *HeadingNode:
		t.flat(n.Text)
	case *CalloutNode:
		t.badge(n)
	case *ImageNode:
		t.put("Image: ")
		t.flat(n.Alt)
	case *LinkNode:
		t.flat(n.label())
		t.put(" ")
		t.call(n.To)
	case *FormNode:
		t.form(n)
	case *dataNode:
		return t.inline(n.Node)
	case *ContentNode:
		return t.inlines(flattened(n.Nodes))
	default:
		return false
	}
	return true
}

// inlines writes phrases with a space between them; nothing where one is none.
func (t *prose) inlines(nodes []Node) bool {
	for _, n := range nodes {
		switch n.(type) {
		case *GroupNode, *FieldsNode, *TableNode, *ListNode, *ActionsNode, *viewNode:
			return false
		}
	}
	start := len(t.b)
	for i, n := range nodes {
		if i > 0 {
			t.b = t.b[:max(start, len(bytes.TrimRight(t.b, " \n")))] // or what follows would begin a line
			t.put(" ")
		}
		t.inline(n)
	}
	return true
}

func (t *prose) badge(n *CalloutNode) {
	t.text(n.Text)
	if word := n.Tone.word(); word != "" {
		t.put(" (")
		t.b = append(append(t.b, strings.ToLower(word)...), ')')
	}
}

func (n *GroupNode) appendText(t *prose) {
	level := t.level
	if n.Title != "" {
		t.heading(n.Title)
		t.level++
	}
	t.nodes(n.Content)
	t.level = level
}

func (n *FieldsNode) appendText(t *prose) {
	for _, f := range n.Fields {
		t.line()
		if reads(f.Label) || f.Label == "Form" {
			t.put(`\`)
		}
		t.flat(f.Label)
		t.put(":")
		t.value(f.Value)
	}
}

// value writes a node after its label or in a cell: in the same line if it is a
// phrase, and otherwise further in.
func (t *prose) value(n Node) {
	before := len(t.b)
	t.put(" ")
	if t.inline(n) {
		if len(t.b) == before+1 {
			t.b = t.b[:before]
		}
		return
	}
	if t.cell {
		t.fresh = true
		t.node(n)
		t.fresh = false
		return
	}
	t.b = t.b[:before]
	t.inside(func() { t.node(n) })
}

func (n *ListNode) appendText(t *prose) { t.list(flattened(n.Items)) }

func (n *ActionsNode) appendText(t *prose) { t.list(flattened(n.Items)) }

func (t *prose) list(items []Node) {
	for _, item := range items {
		t.line()
		t.put("- ")
		t.fresh = true
		t.inside(func() { t.node(item) })
		t.fresh = false
	}
}
