package resource

import "strings"

// NodeHTML lets tests write a node as HTML, as a part of a page.
func NodeHTML(n Node) string {
	h := testHTML()
	h.node(n)
	return string(h.b)
}

// PageHTML lets tests write a whole page around a node.
func PageHTML(title string, n Node) string {
	h := testHTML()
	h.document(documentParts{
		Title: title, App: "Shop", Home: "/", Style: "style.css", Who: "Ann Smith",
		Nav:    []navLink{{Label: "Orders", URL: "/orders/all", Current: true}, {Label: "Customers", URL: "/customers/all"}},
		Trail:  []navLink{{Label: "Orders", URL: "/orders/all"}, {Label: title, URL: "/orders/detail/7", Current: true}},
		Search: &searchBox{URL: "/orders/_lookup/find", Label: "Search orders"},
		Body:   func(h *html) { h.node(n) },
	})
	return string(h.b)
}

// ViewOf lets tests make the node of a whole view.
func ViewOf(resource, name string, content ...Node) Node {
	return &viewNode{resource, name, flat(nil, content...)}
}

// Stylesheet lets tests read the look of all pages.
func Stylesheet() string { return stylesheet }

func testHTML() *html {
	at := func(a Address) string {
		path := []string{"", a.Resource, a.View + a.Action}
		for _, value := range a.Params {
			path = append(path, value)
		}
		return strings.Join(path, "/")
	}
	return &html{url: at, post: at}
}
