package resource

func (n *FormNode) appendHTML(h *html) {}
