package resource

import (
	"net/http"
	"strconv"
	"strings"
)

// result is a result as an envelope or as a page. d is whose it is; nil where it
// is nobody's.
func (e *exchange) result(d *Definition, r Result) answer {
	if !e.html {
		return e.envelope(r)
	}
	switch {
	case r.Kind == Redirect && r.Link != nil:
		return answer{status: r.Status, location: e.url(r.Link.To)}
	case r.Kind != Success:
		return e.wrong(r)
	}
	title := ""
	if d != nil {
		title = d.Title()
	}
	return e.page(r.Status, title, func(h *html) {
		if _, whole := r.Node.(*viewNode); !whole && title != "" {
			h.heading(title)
		}
		h.node(r.Node)
	})
}

func (e *exchange) envelope(r Result) answer {
	a := answer{status: r.Status, media: "application/json; charset=utf-8", body: r.JSON()}
	if r.Kind == Redirect && r.Link != nil {
		a.location = e.url(r.Link.To)
	}
	return a
}

// plain is a failure where pages cannot be trusted to come out.
func (e *exchange) plain(r Result) answer {
	if !e.html {
		return e.envelope(r)
	}
	h := &html{}
	h.document(documentParts{Lang: e.o.Lang, Title: statusWords(r.Status), App: e.app.o.Title, Home: e.base + "/", Style: e.styleURL(), Body: func(h *html) {
		h.heading(statusWords(r.Status))
		h.node(Text(r.Error.Text))
	}})
	return answer{status: r.Status, media: mediaHTML, body: h.b}
}

const mediaHTML = "text/html; charset=utf-8"

// page is a whole page.
func (e *exchange) page(status int, title string, body func(h *html)) answer {
	h := e.writer()
	h.document(documentParts{
		Lang: e.o.Lang, Title: title, App: e.app.o.Title, Home: e.base + "/", Style: e.styleURL(),
		Nav: e.nav(), Search: e.search(), Who: e.caller.Principal, Body: body,
	})
	return answer{status: status, media: mediaHTML, body: h.b}
}

// writer writes HTML for the caller: pickers and labels are what the caller may
// see.
func (e *exchange) writer() *html {
	c := e.context()
	return &html{
		url: e.url, post: e.url,
		ask: func(lookup string, params map[string]string, query string) []Record {
			return e.app.ask(c, lookup, params, query)
		},
		nameOf: func(lookup string, params map[string]string, value string) string {
			return e.app.nameOf(c, lookup, params, value)
		},
	}
}

// nav leads to the first view of each resource that has one without parameters.
// A caller who could not be found out sees none.
func (e *exchange) nav() (list []navLink) {
	if !e.known {
		return nil
	}
	for _, name := range e.app.ResourceNames() {
		if to := e.entry(name); to != nil {
			list = append(list, navLink{Label: words(name), URL: e.url(*to), Current: name == e.route.resource})
		}
	}
	return list
}

// search is the search of the resource, or else of the app: the first lookup
// whose agent options say so and that needs no parameters.
func (e *exchange) search() *searchBox {
	var found *Definition
	for _, name := range e.app.ResourceNames() {
		r, err := e.app.Resource(name)
		if err != nil {
			continue
		}
		for _, l := range r.Lookups() {
			if l.agent == nil || !l.agent.Search || len(l.address.fields) > 0 {
				continue
			}
			if found == nil || name == e.route.resource && found.resource.name != name {
				found = l
			}
		}
	}
	if found == nil || !e.known {
		return nil
	}
	return &searchBox{URL: e.lookupURL(found, nil), Label: found.searchTitle()}
}

// searchTitle is what a lookup does, for people.
func (d *Definition) searchTitle() string {
	if d.title != "" {
		return d.title
	}
	return "Search " + strings.ToLower(words(d.resource.name))
}

// found is the page of a lookup.
func (e *exchange) found(d *Definition, c *Context, r Result) answer {
	title := d.searchTitle()
	return e.page(r.Status, title, func(h *html) {
		h.heading(title)
		h.search(searchBox{URL: e.lookupURL(d, c.Params), Label: title, Query: c.Query})
		if len(r.Records) == 0 {
			h.node(Empty("Nothing was found."))
			return
		}
		t := Table("Name", "Value", "Description")
		for _, rec := range r.Records {
			t.Row(rec.name(), Text(rec.Value), Text(rec.Description))
		}
		h.node(t)
	})
}

// formPage is the page of one form.
func (e *exchange) formPage(status int, f *filledForm) answer {
	title := f.def.Title()
	if len(f.issues) > 0 || f.problem != "" {
		title = "Error: " + title
	}
	return e.page(status, title, func(h *html) {
		if len(f.To.Params) > 0 {
			f.about = f.def.about(h, f.To.Params)
		}
		h.form(f)
	})
}

// wrong is the page of what went wrong.
func (e *exchange) wrong(r Result) answer {
	title := statusWords(r.Status)
	return e.page(r.Status, title, func(h *html) {
		h.heading(title)
		if r.Error != nil {
			h.node(Text(r.Error.Text))
		}
		if r.doubt != nil && e.r.Method == http.MethodPost {
			h.node(Callout("Whether it had its effect is not known. Look before you send it again.").As(Warning))
		}
		if len(r.Issues) > 0 {
			l := List()
			for _, issue := range r.Issues {
				l.Items = append(l.Items, Text(issue.inWords()))
			}
			h.node(l)
		}
		if e.home != nil && e.known {
			h.node(&LinkNode{Label: "Back to the first page", To: *e.home})
		}
	})
}

// inWords is the issue on a page of its own.
func (i Issue) inWords() string {
	if len(i.Path) == 0 {
		return i.Message
	}
	return strings.Join(i.Path, ", ") + ": " + i.Message
}

// statusWords says what a status means to people.
func statusWords(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "This address cannot be read"
	case http.StatusUnauthorized:
		return "Nobody is signed in"
	case http.StatusForbidden:
		return "This is not allowed"
	case http.StatusNotFound:
		return "There is nothing here"
	case http.StatusInternalServerError:
		return "Something went wrong"
	}
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "It did not work (" + strconv.Itoa(status) + ")"
}
