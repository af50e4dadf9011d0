package resource

// scrolls is the number of columns from which a table may be wider than a page,
// so that its frame is one that the keyboard can scroll.
const scrolls = 7

// appendHTML writes the roles of a table besides its elements, because the
// stylesheet stacks the rows on narrow screens, and some browsers take elements
// that are laid out otherwise for no table any more.
func (n *TableNode) appendHTML(h *html) {
	h.put("\n<div class=\"table\"")
	if len(n.Columns) >= scrolls {
		h.put(" tabindex=\"0\" role=\"region\"")
		h.attr("aria-label", n.label())
	}
	h.put("><table role=\"table\">")
	if n.Caption != "" {
		h.wrap("<caption>", n.Caption, "</caption>")
	}
	n.head(h)
	h.put("\n<tbody role=\"rowgroup\">")
	for _, row := range n.Rows {
		n.row(h, row)
	}
	h.put("\n</tbody></table></div>")
}

func (n *TableNode) label() string {
	if n.Caption != "" {
		return n.Caption
	}
	return "Table"
}

func (n *TableNode) head(h *html) {
	h.put("\n<thead role=\"rowgroup\"><tr role=\"row\">")
	for _, c := range n.Columns {
		h.put("<th scope=\"col\" role=\"columnheader\"")
		h.put(c.look())
		h.wrap(">", c.Label, "</th>")
	}
	h.put("</tr></thead>")
}

func (c Column) look() markup {
	if c.Right {
		return ` class="right"`
	}
	return ""
}

func (n *TableNode) row(h *html, row []Node) {
	h.put("\n<tr role=\"row\">")
	for i, c := range n.Columns {
		cell := n.cell(row, i)
		if n.names(i, cell) {
			h.put("<th scope=\"row\" role=\"rowheader\"")
			h.cell(c, cell)
			h.put("</th>")
		} else {
			h.put("<td role=\"cell\"")
			h.put(c.look())
			h.cell(c, cell)
			h.put("</td>")
		}
	}
	h.put("</tr>")
}

// cell writes the rest of a cell. The stylesheet shows the label on narrow screens.
func (h *html) cell(c Column, cell Node) {
	h.attr("data-label", c.Label)
	h.put(">")
	h.inline(cell)
}

// names says whether a cell names its row: the first one does if it is a phrase,
// unless it holds an amount or stands alone.
func (n *TableNode) names(i int, cell Node) bool {
	if i > 0 || len(n.Columns) == 1 || n.Columns[0].Right {
		return false
	}
	switch cell.(type) {
	case *TextNode, *LinkNode:
		return true
	}
	return false
}
