package resource

import _ "embed" // of the stylesheet

// stylesheet is the look of all pages.
//
//go:embed style.css
var stylesheet string

// documentParts are what a whole page shows around its content. Zero values are
// left out.
type documentParts struct {
	Lang   string    // of the texts; "" is en
	Title  string    // of this page; a view's own heading goes before it
	App    string    // the application's name
	Home   string    // URL of its first page
	Style  string    // URL of the stylesheet
	Nav    []navLink // to the parts of the application
	Trail  []navLink // from the home page to this one
	Search *searchBox
	Who    string // who is signed in
	// Body writes the content, and its heading first. A view does that by itself,
	// with Title where it has no heading of its own.
	Body func(h *html)
}

type navLink struct {
	Label, URL string
	Current    bool
}

// searchBox sends what people look for to URL, as the parameter query.
type searchBox struct{ URL, Label, Query string }

// pageRoom is for the content of a usual page, in bytes, so that it is not copied while it grows.
const pageRoom = 32 << 10

// document writes a whole page. It works without script. The content comes first,
// because it may know a better title.
func (h *html) document(p documentParts) {
	h.page, h.level = p.Title, 1
	h.b = make([]byte, 0, pageRoom)
	if p.Body != nil {
		p.Body(h)
	}
	p.Title = h.page
	content := h.b
	h.b = make([]byte, 0, len(content)+2048)
	h.head(p)
	h.put("\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>")
	h.banner(p)
	h.links("trail", "Breadcrumb", p.Trail)
	h.put("\n<main id=\"content\" tabindex=\"-1\">")
	h.b = append(h.b, content...)
	h.put("\n</main>")
	h.wrap("\n<footer><p>", p.App, "</p></footer>\n</body>\n</html>\n")
}

func (h *html) head(p documentParts) {
	h.put("<!doctype html>\n<html")
	if p.Lang == "" {
		p.Lang = "en"
	}
	h.attr("lang", p.Lang)
	h.put(">\n<head>\n<meta charset=\"utf-8\">\n<title>")
	h.text(p.Title)
	if p.Title != "" && p.App != "" {
		h.put(" · ")
	}
	h.wrap("", p.App, "</title>")
	h.put("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
	h.put("\n<meta name=\"color-scheme\" content=\"light dark\">")
	h.put("\n<link rel=\"stylesheet\"")
	h.attr("href", p.Style)
	h.put(">\n</head>")
}

// banner is what stands above every page.
func (h *html) banner(p documentParts) {
	h.put("\n<header class=\"banner\"><div>\n<a class=\"app\"")
	h.attr("href", p.Home)
	h.wrap(">", p.App, "</a>")
	h.links("nav", "Main", p.Nav)
	if p.Search != nil {
		h.search(*p.Search)
	}
	if p.Who != "" {
		h.wrap("\n<p class=\"who\"><span class=\"unseen\">Signed in as </span>", p.Who, "</p>")
	}
	h.put("\n</div></header>")
}

// links writes links of a kind as a landmark; nothing if there are none.
func (h *html) links(class, label markup, links []navLink) {
	if len(links) == 0 {
		return
	}
	h.put("\n<nav class=\"")
	h.put(class)
	h.put("\" aria-label=\"")
	h.put(label)
	h.put("\"><ul>")
	for _, l := range links {
		h.put("\n<li><a")
		h.attr("href", l.URL)
		if l.Current {
			h.put(" aria-current=\"page\"")
		}
		h.wrap(">", l.Label, "</a></li>")
	}
	h.put("\n</ul></nav>")
}

func (h *html) search(s searchBox) {
	h.put("\n<form class=\"search\" role=\"search\" method=\"get\"")
	h.attr("action", s.URL)
	h.put("><input type=\"search\" name=\"query\"")
	h.attr("aria-label", s.Label)
	h.attr("placeholder", s.Label)
	h.attr("value", s.Query)
	h.put("><button class=\"button\">Search</button></form>")
}
