package resource

// html is HTML while it is written. All text goes through text and attr, which
// escape it.
type html struct {
	b     []byte
	level int // of the next heading

	// url is where an address is served.
	url func(Address) string
	// ask asks a lookup for a picker's records, and nameOf what a value is called:
	// both as the person who sees the page, with the parameters of the form's
	// address. nil and "" where there is nothing.
	ask    func(lookup string, params map[string]string, query string) []Record
	nameOf func(lookup string, params map[string]string, value string) string
}

func (n *TextNode) appendHTML(h *html)    {}
func (n *HeadingNode) appendHTML(h *html) {}
func (n *CalloutNode) appendHTML(h *html) {}
func (n *EmptyNode) appendHTML(h *html)   {}
func (n *GroupNode) appendHTML(h *html)   {}
func (n *ContentNode) appendHTML(h *html) {}
func (n *FieldsNode) appendHTML(h *html)  {}
func (n *TableNode) appendHTML(h *html)   {}
func (n *ListNode) appendHTML(h *html)    {}
func (n *ImageNode) appendHTML(h *html)   {}
func (n *LinkNode) appendHTML(h *html)    {}
func (n *ActionsNode) appendHTML(h *html) {}
func (n *viewNode) appendHTML(h *html)    {}
func (n *dataNode) appendHTML(h *html)    { n.Node.appendHTML(h) }
