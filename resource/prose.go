package resource

// prose is plain text for a model while it is written.
type prose struct {
	b []byte
}

func (n *TextNode) appendText(t *prose)    {}
func (n *HeadingNode) appendText(t *prose) {}
func (n *CalloutNode) appendText(t *prose) {}
func (n *EmptyNode) appendText(t *prose)   {}
func (n *GroupNode) appendText(t *prose)   {}
func (n *ContentNode) appendText(t *prose) {}
func (n *FieldsNode) appendText(t *prose)  {}
func (n *TableNode) appendText(t *prose)   {}
func (n *ListNode) appendText(t *prose)    {}
func (n *ImageNode) appendText(t *prose)   {}
func (n *LinkNode) appendText(t *prose)    {}
func (n *FormNode) appendText(t *prose)    {}
func (n *ActionsNode) appendText(t *prose) {}
func (n *viewNode) appendText(t *prose)    {}
func (n *dataNode) appendText(t *prose)    { n.Node.appendText(t) }

// NodeText writes a node as plain text for a model.
func NodeText(n Node) string {
	t := &prose{}
	if n != nil {
		n.appendText(t)
	}
	return string(t.b)
}
