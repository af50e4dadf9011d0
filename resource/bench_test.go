package resource_test

import (
	"fmt"
	"testing"

	"github.com/assentdev/assent/resource"
)

// typical is a view as applications have them: 20 fields, and a table of 50 rows
// with 5 columns, of which two are links.
func typical() resource.Node {
	o := newOrders()
	fields := resource.Fields()
	for i := range 20 {
		fields.Text(fmt.Sprintf("Field %d", i), "A value of some words, such as people type")
	}
	table := resource.Table("Order", "Customer", "Status", "Placed", "Total").Right("Total")
	for i := range 50 {
		id := fmt.Sprintf("#W%07d", i)
		table.Row(o.detail.Link(orderKey{id}, id), o.detail.Link(orderKey{"ann_smith_81"}, "Ann Smith & Sons"),
			resource.Callout("Delivered").As(resource.Good), resource.Text("24 Nov 2026"), resource.Text("€ 1,024.00"))
	}
	return resource.ViewOf("orders", "all", resource.Heading("Orders"), fields, table)
}

func BenchmarkNodeJSON(b *testing.B) {
	view := typical()
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(resource.NodeJSON(view))))
	}
}

func BenchmarkNodeHTML(b *testing.B) {
	view := typical()
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(resource.PageHTML("Orders", view))))
	}
}

func BenchmarkNodeText(b *testing.B) {
	view := typical()
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(resource.NodeText(view))))
	}
}
