package resource

import "bytes"

// appendText writes a caption, the columns and the rows. An empty line keeps a
// table from becoming a part of the one before it.
func (n *TableNode) appendText(t *prose) {
	if !t.fresh && !t.cell && bytes.HasSuffix(t.b, []byte(" |")) {
		t.newline()
	}
	if n.Caption != "" {
		t.line()
		if reads(n.Caption) {
			t.put(`\`)
		}
		t.flat(n.Caption)
		t.put(":")
	}
	t.row(n, func(i int) {
		t.put(" ")
		t.flat(n.Columns[i].Label)
	})
	for _, row := range n.Rows {
		t.row(n, func(i int) { t.value(n.cell(row, i)) })
	}
}

// row writes a row of a table. In a table within a cell the bars have a \, as
// they are part of the cell's text.
func (t *prose) row(n *TableNode, cell func(i int)) {
	t.line()
	nested := t.cell
	t.cell = true
	t.bar(nested)
	for i := range n.Columns {
		cell(i)
		t.put(" ")
		t.bar(nested)
	}
	t.cell = nested
}

func (t *prose) bar(nested bool) {
	if nested {
		t.put(`\`)
	}
	t.put("|")
}
