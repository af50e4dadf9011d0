package resource

import (
	"encoding/json"
	"slices"

	"github.com/assentdev/assent/schema"
)

func (n *TextNode) appendJSON(b []byte) []byte    { return textJSON(b, "text", n.Text) }
func (n *HeadingNode) appendJSON(b []byte) []byte { return textJSON(b, "heading", n.Text) }
func (n *EmptyNode) appendJSON(b []byte) []byte   { return textJSON(b, "empty", n.Text) }

func textJSON(b []byte, kind, text string) []byte {
	b = append(append(append(b, `{"kind":"`...), kind...), `","text":`...)
	return append(schema.AppendString(b, text), '}')
}

func (n *CalloutNode) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"kind":"callout","text":`...), n.Text)
	if n.Tone != Plain {
		b = schema.AppendString(append(b, `,"tone":`...), string(n.Tone))
	}
	return append(b, '}')
}

func (n *GroupNode) appendJSON(b []byte) []byte {
	b = append(b, `{"kind":"group"`...)
	if n.Title != "" {
		b = schema.AppendString(append(b, `,"title":`...), n.Title)
	}
	return append(nodesJSON(append(b, `,"content":`...), n.Content), '}')
}

// appendJSON of several nodes that were not expected as such is a group.
func (n *ContentNode) appendJSON(b []byte) []byte {
	return append(nodesJSON(append(b, `{"kind":"group","content":`...), n.Nodes), '}')
}

func nodesJSON(b []byte, nodes []Node) []byte {
	b = append(b, '[')
	for i, n := range flat(nil, nodes...) {
		if i > 0 {
			b = append(b, ',')
		}
		b = n.appendJSON(b)
	}
	return append(b, ']')
}

func (n *FieldsNode) appendJSON(b []byte) []byte {
	b = append(b, `{"kind":"fields","fields":[`...)
	for i, f := range n.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = schema.AppendString(append(b, `{"label":`...), f.Label)
		b = append(nodeJSON(append(b, `,"value":`...), f.Value), '}')
	}
	return append(b, `]}`...)
}

// nodeJSON writes a node that may be nil, as a cell may.
func nodeJSON(b []byte, n Node) []byte {
	if absent(n) {
		return append(b, `null`...)
	}
	return n.appendJSON(b)
}

func (n *TableNode) appendJSON(b []byte) []byte {
	b = append(b, `{"kind":"table"`...)
	if n.Caption != "" {
		b = schema.AppendString(append(b, `,"caption":`...), n.Caption)
	}
	b = append(b, `,"columns":[`...)
	for i, c := range n.Columns {
		if i > 0 {
			b = append(b, ',')
		}
		b = schema.AppendString(append(b, `{"label":`...), c.Label)
		if c.Right {
			b = append(b, `,"align":"right"`...)
		}
		b = append(b, '}')
	}
	b = append(b, `],"rows":[`...)
	for i, row := range n.Rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = n.rowJSON(b, row)
	}
	return append(b, `]}`...)
}

// rowJSON writes as many cells as there are columns.
func (n *TableNode) rowJSON(b []byte, row []Node) []byte {
	b = append(b, '[')
	for i := range n.Columns {
		if i > 0 {
			b = append(b, ',')
		}
		b = nodeJSON(b, n.cell(row, i))
	}
	return append(b, ']')
}

func (n *TableNode) cell(row []Node, i int) Node {
	if i < len(row) {
		return row[i]
	}
	return nil
}

func (n *ListNode) appendJSON(b []byte) []byte {
	return append(nodesJSON(append(b, `{"kind":"list","items":`...), n.Items), '}')
}

func (n *ActionsNode) appendJSON(b []byte) []byte {
	return append(nodesJSON(append(b, `{"kind":"actions","items":`...), n.Items), '}')
}

func (n *ImageNode) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"kind":"image","source":`...), n.Source)
	return append(schema.AppendString(append(b, `,"alt":`...), n.Alt), '}')
}

func (n *LinkNode) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"kind":"link","label":`...), n.Label)
	return append(n.To.appendJSON(append(b, `,"to":`...)), '}')
}

func (n *FormNode) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"kind":"form","title":`...), n.def.Title())
	b = n.To.appendJSON(append(b, `,"to":`...))
	b = append(append(b, `,"schema":`...), n.schema()...)
	if n.Values != nil {
		b = append(append(b, `,"values":`...), n.Values...)
	}
	return append(b, '}')
}

// schema is the JSON Schema of the form's payload; {} where there is none.
func (n *FormNode) schema() json.RawMessage {
	if raw := n.def.action.payload.raw; raw != nil {
		return raw
	}
	return json.RawMessage("{}")
}

func (n *dataNode) appendJSON(b []byte) []byte { return n.Node.appendJSON(b) }

func (n *viewNode) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"kind":"view","resource":`...), n.resource)
	b = schema.AppendString(append(b, `,"name":`...), n.name)
	return append(nodesJSON(append(b, `,"slots":{"content":`...), n.content), `}}`...)
}

func (a Address) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"resource":`...), a.Resource)
	if a.Action != "" {
		b = schema.AppendString(append(b, `,"action":`...), a.Action)
	} else {
		b = schema.AppendString(append(b, `,"view":`...), a.View)
	}
	if len(a.Params) == 0 {
		return append(b, '}')
	}
	b = append(b, `,"params":{`...)
	var room [4]string // for no allocation, as long as there are few
	names := room[:0]
	for name := range a.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = schema.AppendString(append(schema.AppendString(b, name), ':'), a.Params[name])
	}
	return append(b, `}}`...)
}

// NodeJSON writes a node as JSON.stringify would print it.
func NodeJSON(n Node) []byte { return nodeJSON(make([]byte, 0, jsonRoom), n) }

// jsonRoom is for a usual node or result, in bytes.
const jsonRoom = 4 << 10
