package resource

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// exchange is one request while it is answered.
type exchange struct {
	*site
	r      *http.Request
	html   bool // the answer is a page
	caller Caller
	known  bool // the caller was asked for
	route  route
}

// answer is what goes back.
type answer struct {
	status   int
	media    string
	body     []byte
	location string // "" for none
	allow    string // the methods that would do; "" for none
	style    string // the version that the stylesheet was asked for in; "" for no stylesheet
}

// answer finds out what a request is about.
func (e *exchange) answer() answer {
	e.route = parsePath(e.base, e.r.URL.EscapedPath())
	if e.route.place == atStyle {
		return e.stylesheet()
	}
	if err := e.whoCalls(); err != nil {
		return e.result(nil, e.app.fail(e.context(), err))
	}
	if a, no := e.otherMethod(); no {
		return a
	}
	switch e.route.place {
	case atHome:
		return e.leadTo(e.home)
	case atResource:
		return e.leadTo(e.entry(e.route.resource))
	case atLookup:
		return e.lookup()
	case atForm:
		if e.r.Method == http.MethodPost {
			return e.action()
		}
		return e.form()
	case atName:
		if e.r.Method == http.MethodPost {
			return e.action()
		}
		return e.view()
	}
	return e.missing()
}

// whoCalls asks who sent the request.
func (e *exchange) whoCalls() (err error) {
	if e.o.Caller != nil {
		e.caller, err = e.o.Caller(e.r)
	}
	e.caller.Door = JSON
	if e.html {
		e.caller.Door = Page
	}
	e.known = err == nil
	return err
}

// otherMethod refuses a method that the place does not have.
func (e *exchange) otherMethod() (answer, bool) {
	read := e.r.Method == http.MethodGet || e.r.Method == http.MethodHead
	post := e.r.Method == http.MethodPost
	canRead, canPost := e.methods()
	if !canRead && !canPost || read && canRead || post && canPost {
		return answer{}, false
	}
	var allow []string
	if canRead {
		allow = append(allow, "GET", "HEAD")
	}
	if canPost {
		allow = append(allow, "POST")
	}
	a := e.failed(&Error{Code: codeMethod, Status: http.StatusMethodNotAllowed, Text: "This address does not take " + strconv.Quote(e.r.Method) + "."})
	a.allow = strings.Join(allow, ", ")
	return a, true
}

// methods says what may be done at the place; neither if there is no such place.
func (e *exchange) methods() (read, post bool) {
	has := func(k Kind) bool { return e.app.defs[key(k, e.route.resource, e.route.name)] != nil }
	switch e.route.place {
	case atName:
		return has(ViewKind), has(ActionKind)
	case atForm:
		return has(ActionKind), has(ActionKind)
	case atLookup:
		return has(LookupKind), false
	case atHome, atResource:
		return true, false
	}
	return false, false
}

// context is the call of the definition that the path names, without its
// parameters.
func (e *exchange) context() *Context {
	return &Context{Context: e.r.Context(), Caller: e.caller, Resource: e.route.resource, Name: e.route.name}
}

// call is the call of a definition with the parameters of the request. A nil
// definition is one that does not exist, which the app says itself.
func (e *exchange) call(kind Kind, own ...string) (*Context, *Definition, url.Values) {
	c := e.context()
	c.Kind = kind
	d := e.app.defs[key(kind, c.Resource, c.Name)]
	query, wrong := queryOf(e.r)
	mine := url.Values{}
	for _, name := range own {
		if values, ok := query[name]; ok {
			mine[name] = values
			delete(query, name)
		}
	}
	if d != nil {
		c.Params, c.wrong = e.route.bindParams(d.address.names(), query)
		c.wrong = append(wrong, c.wrong...)
	}
	return c, d, mine
}

func (e *exchange) view() answer {
	c, d, _ := e.call(ViewKind)
	return e.result(d, e.app.do(c, show))
}

// lookup asks a lookup. Without a query it shows some records to choose from.
func (e *exchange) lookup() answer {
	c, d, own := e.call(LookupKind, "query")
	values := own["query"]
	switch {
	case len(values) > 1:
		c.wrong = append(c.wrong, Issue{[]string{"query"}, "is given twice"})
	case len(values) == 1 && len(values[0]) > maxParam:
		c.wrong = append(c.wrong, Issue{[]string{"query"}, "is longer than " + strconv.Itoa(maxParam) + " bytes"})
	case len(values) == 1:
		c.Query = strings.ToValidUTF8(values[0], "\uFFFD")
	}
	r := e.app.do(c, find)
	if e.html && r.Kind == Success {
		return e.found(d, c, r)
	}
	return e.result(d, r)
}

// form shows the form of an action.
func (e *exchange) form() answer {
	c, d, _ := e.call(ActionKind)
	f := &FormNode{def: d}
	r := e.app.do(c, f.begin)
	if r.Kind != Success {
		return e.result(d, r)
	}
	f.To = Address{Resource: c.Resource, Action: c.Name, Params: c.Params}
	r.Node = f
	if e.html {
		return e.formPage(http.StatusOK, &filledForm{FormNode: f, values: f.Values})
	}
	return e.result(d, r)
}

// begin is the step that finds out what a form holds at first.
func (n *FormNode) begin(a *App, d *Definition, c *Context) Result {
	r := addressed(a, d, c)
	if r.Kind != Success || d.action.fill == nil {
		return r
	}
	values, err := d.action.fill(c)
	if err != nil {
		return a.fail(c, err)
	}
	n.Values = values
	return r
}

// addressed is the step of an action whose payload does not matter yet.
func addressed(a *App, d *Definition, c *Context) Result {
	if r := check(a, d, c); r.Kind != Success && !(r.Kind == Rejected && r.Status == http.StatusUnprocessableEntity) {
		return r
	}
	return Result{Kind: Success, Status: http.StatusOK}
}

// leadTo leads to an address; nil is nowhere.
func (e *exchange) leadTo(to *Address) answer {
	if to == nil {
		return e.missing()
	}
	return e.result(nil, Result{Kind: Redirect, Status: http.StatusSeeOther, Link: &LinkNode{To: *to}})
}

// missing says that the path leads nowhere.
func (e *exchange) missing() answer {
	return e.failed(NotFound("There is nothing at this address."))
}

func (e *exchange) failed(err *Error) answer { return e.result(nil, e.app.fail(e.context(), err)) }
