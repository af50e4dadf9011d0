package resource

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Node is a part of what a definition shows. The set is closed: a host that
// meets a kind that it does not know shows nothing of it, and never markup.
//
// Every node is written as JSON for programs, as HTML for people, and as plain
// text for a model. Texts are texts everywhere: markup in them is shown, not used.
type Node interface {
	appendJSON(b []byte) []byte
	appendHTML(h *html)
	appendText(t *prose)
}

// TextNode is a line of text.
type TextNode struct{ Text string }

// Text is a line or a paragraph of text.
func Text(text string) *TextNode { return &TextNode{text} }

// HeadingNode is the heading of what follows it.
type HeadingNode struct{ Text string }

// Heading is a heading. Its level follows from the groups around it.
func Heading(text string) *HeadingNode { return &HeadingNode{text} }

// Tone says how a callout is meant.
type Tone string

// The tones.
const (
	Plain   Tone = ""
	Good    Tone = "success"
	Warning Tone = "warning"
	Danger  Tone = "danger"
)

// CalloutNode is a text that stands out.
type CalloutNode struct {
	Text string
	Tone Tone
}

// Callout is a text that stands out.
func Callout(text string) *CalloutNode { return &CalloutNode{Text: text} }

// As sets the tone.
func (n *CalloutNode) As(t Tone) *CalloutNode { n.Tone = t; return n }

// EmptyNode says that there is nothing to show.
type EmptyNode struct{ Text string }

// Empty says that there is nothing to show, and what could be done.
func Empty(text string) *EmptyNode { return &EmptyNode{text} }

// GroupNode holds nodes that belong together.
type GroupNode struct {
	Title   string // "" for none
	Content []Node
}

// Group holds nodes that belong together under a title; "" for none.
func Group(title string, content ...Node) *GroupNode { return &GroupNode{title, content} }

// ContentNode is several nodes where one is expected.
type ContentNode struct{ Nodes []Node }

// Content is several nodes where one is expected, such as all that a view shows.
// It leaves no trace of itself.
func Content(nodes ...Node) *ContentNode { return &ContentNode{nodes} }

// Field is one row of a [FieldsNode].
type Field struct {
	Label string
	Value Node
}

// FieldsNode is a list of labels with values.
type FieldsNode struct{ Fields []Field }

// Fields is a list of labels with values; add them with its methods.
func Fields() *FieldsNode { return &FieldsNode{} }

// Add adds a field whose value is a node.
func (n *FieldsNode) Add(label string, value Node) *FieldsNode {
	n.Fields = append(n.Fields, Field{label, value})
	return n
}

// Text adds a field whose value is a text.
func (n *FieldsNode) Text(label, value string) *FieldsNode { return n.Add(label, Text(value)) }

// Column is a column of a table.
type Column struct {
	Label string
	Right bool // aligned to the right, for amounts
}

// TableNode is a table.
type TableNode struct {
	Caption string // "" for none
	Columns []Column
	Rows    [][]Node
}

// Table is a table with columns of these labels; add rows with its methods.
func Table(labels ...string) *TableNode {
	n := &TableNode{Columns: make([]Column, len(labels))}
	for i, l := range labels {
		n.Columns[i].Label = l
	}
	return n
}

// Right aligns columns to the right, by their labels.
func (n *TableNode) Right(labels ...string) *TableNode {
	for i := range n.Columns {
		if slices.Contains(labels, n.Columns[i].Label) {
			n.Columns[i].Right = true
		}
	}
	return n
}

// Row adds a row. A nil cell is empty; missing cells are, too.
func (n *TableNode) Row(cells ...Node) *TableNode {
	n.Rows = append(n.Rows, cells)
	return n
}

// ListNode is a list.
type ListNode struct{ Items []Node }

// List is a list of nodes.
func List(items ...Node) *ListNode { return &ListNode{items} }

// ImageNode is an image.
type ImageNode struct{ Source, Alt string }

// Image is an image of the same origin, such as /static/logo.png, or a data: URL
// of an image. Any other source is shown as its text. alt says what is on it.
func Image(source, alt string) *ImageNode { return &ImageNode{source, alt} }

// Address says where a view or an action is.
type Address struct {
	Resource string
	View     string // one of View and Action
	Action   string
	Params   map[string]string
}

// LinkNode leads to a view, or to the form of an action.
type LinkNode struct {
	Label string
	To    Address
}

// ActionsNode is a row of what can be done here.
type ActionsNode struct{ Items []Node }

// Actions is a row of links and of forms: what can be done here. A form that has
// no fields is a button; any other is shown as a link to its page.
func Actions(items ...Node) *ActionsNode { return &ActionsNode{items} }

// FormNode is the form of an action for the record at an address.
type FormNode struct {
	To     Address
	Values json.RawMessage // what its fields hold at first: a part of the payload; nil: their defaults
	def    *Definition
}

// Form is the action's form for the record at a. Its fields are those of the
// payload's schema.
func (x ActionDef[A, P]) Form(a A) *FormNode {
	return &FormNode{To: x.to(a), def: x.Definition}
}

// Link links to the form of the action for the record at a.
func (x ActionDef[A, P]) Link(a A, label string) *LinkNode {
	return &LinkNode{Label: label, To: x.to(a)}
}

func (x ActionDef[A, P]) to(a A) Address {
	return Address{Resource: x.resource.name, Action: x.name, Params: x.address.paramsOf(a)}
}

// Fill sets what the form's fields hold at first, from the application's state.
// Fields that are empty and optional stay empty.
func (n *FormNode) Fill(payload any) *FormNode {
	n.Values, _ = marshal(payload)
	return n
}

// viewNode is the whole of a view.
type viewNode struct {
	resource, name string
	content        []Node
}

// dataNode is a node with a value for programs.
type dataNode struct {
	Node
	value any
}

// WithData gives a program, or a model that asked for [ResultData], a value
// beside what people see. It has to be the outermost node. The value is written
// as encoding/json writes it, without HTML escapes.
func WithData(value any, shown ...Node) Node { return &dataNode{Content(shown...), value} }

// flat appends nodes with contents in the place of a ContentNode.
func flat(to []Node, nodes ...Node) []Node {
	for _, n := range nodes {
		if absent(n) {
			continue
		}
		switch n := n.(type) {
		case *ContentNode:
			to = flat(to, n.Nodes...)
		case *dataNode:
			to = flat(to, n.Node)
		default:
			to = append(to, n)
		}
	}
	return to
}

// absent says that there is no node: nil, or a nil pointer of one of the kinds.
func absent(n Node) bool { return n == nil || reflect.ValueOf(n).IsNil() }
