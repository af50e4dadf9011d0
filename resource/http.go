package resource

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/assentdev/assent/fault"
)

// HandlerOptions configure [App.Handler]. A nil *HandlerOptions and every zero
// field mean the default.
type HandlerOptions struct {
	// Base is the path under which the app is served, such as /admin. Default: the
	// root.
	Base string
	// Caller says who sent a request. An error refuses it: a deliberate one, such
	// as [Unsigned], with its text. The door is set by the handler. Default: nobody.
	Caller func(*http.Request) (Caller, error)
	// Home is the view that the base leads to. Default: the first view that needs
	// no parameters.
	Home Address
	// Lang is the language of the pages' texts, as in the HTML attribute lang.
	// Default: en.
	Lang string
	// MaxBody bounds the body of a request, in bytes. Default: 262,144 (256 KiB).
	MaxBody int64
	// Hosts are the names under which the app may be asked for, with or without a
	// port. Name them where the app has no sign-in of its own, because a page of a
	// stranger can make its own name lead to this machine. Default: any.
	Hosts []string
}

// The codes of answers that only HTTP has. They stand in the envelope of an error.
const (
	codeBody     fault.Code = "E_BODY"       // 400
	codeMethod   fault.Code = "E_METHOD"     // 405
	codeTooLarge fault.Code = "E_TOO_LARGE"  // 413
	codeMedia    fault.Code = "E_MEDIA_TYPE" // 415
	codeHost     fault.Code = "E_HOST"       // 421
	codeForeign  fault.Code = "E_CROSS_SITE" // 403
)

// Handler serves the app over HTTP: pages and forms for people, and the envelopes
// of [Result.JSON] for programs, by the header Accept; JSON if that says neither.
// An app that [App.Check] finds problems in is not served: they are the error.
//
//	GET  /{resource}/{view}/{parameters...}
//	GET  /{resource}/_lookup/{lookup}/{parameters...}?query=
//	GET  /{resource}/_form/{action}/{parameters...}
//	POST /{resource}/{action}/{parameters...}          and to the form
//
// Parameters are segments of the path in the order of the address, or have their
// names in the query. The body of a POST is the payload: a JSON object, or a form,
// whose texts are converted by the payload's schema. A form that a person sends
// for an action that is destructive, or that nobody said the class of, shows what
// would change and asks once more; a program is not asked. Requests that come from
// another site's page are refused.
//
// Besides the codes of results there are E_BODY (400), E_CROSS_SITE (403),
// E_METHOD (405), E_TOO_LARGE (413), E_MEDIA_TYPE (415) and E_HOST (421).
func (a *App) Handler(o *HandlerOptions) (http.Handler, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	s := &site{app: a, cross: http.NewCrossOriginProtection()}
	if o != nil {
		s.o = *o
	}
	if s.o.MaxBody <= 0 {
		s.o.MaxBody = 256 << 10
	}
	sum := sha256.Sum256([]byte(stylesheet))
	s.style = hex.EncodeToString(sum[:8])
	s.base = strings.TrimRight(s.o.Base, "/")
	if s.base != "" && s.base[0] != '/' {
		return nil, fault.New(BadDefinition, "the base %q does not begin with a slash", s.o.Base)
	}
	return s, s.findHome()
}

// site is an app as it is served.
type site struct {
	app   *App
	o     HandlerOptions
	base  string // without a slash at the end
	home  *Address
	style string // the version of the stylesheet
	cross *http.CrossOriginProtection
}

// findHome sets what the base leads to.
func (s *site) findHome() error {
	home := s.o.Home
	if home.Resource == "" {
		for _, name := range s.app.ResourceNames() {
			if v := s.entry(name); v != nil {
				s.home = v
				return nil
			}
		}
		return nil
	}
	kind, name := ViewKind, home.View
	if home.Action != "" {
		kind, name = ActionKind, home.Action
	}
	if s.app.defs[key(kind, home.Resource, name)] == nil {
		return fault.New(BadDefinition, "the home %s.%s is no %s of this app", home.Resource, name, kind)
	}
	s.home = &home
	return nil
}

// entry is the first view of a resource that needs no parameters; nil for none.
func (s *site) entry(resource string) *Address {
	r, err := s.app.Resource(resource)
	if err != nil {
		return nil
	}
	for _, v := range r.Views() {
		if len(v.address.fields) == 0 {
			return &Address{Resource: resource, View: v.name}
		}
	}
	return nil
}

// ServeHTTP answers a request. Nothing is written before the answer is whole, so
// a failure is a page or an envelope of its own.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e := &exchange{site: s, r: r, html: wantsHTML(r.Header.Values("Accept"))}
	headers(w.Header())
	e.safely(w).write(w, r)
}

// safely is the answer, or what stands for one if answering panics.
func (e *exchange) safely(w http.ResponseWriter) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			a = e.plain(e.app.fail(e.context(), fmt.Errorf("panic: %v\n%s", v, debug.Stack())))
		}
	}()
	e.r.Body = http.MaxBytesReader(w, e.r.Body, e.o.MaxBody)
	if err := e.refused(); err != nil {
		return e.result(nil, e.app.fail(e.context(), err))
	}
	return e.answer()
}

// refused is why a request is not looked at; nil if it is.
func (e *exchange) refused() error {
	if !e.knownHost() {
		return &Error{Code: codeHost, Status: http.StatusMisdirectedRequest, Text: "This host name is not served here."}
	}
	if e.cross.Check(e.r) != nil {
		return &Error{Code: codeForeign, Status: http.StatusForbidden, Text: "This came from a page of another site. Open the page here and send it again."}
	}
	return nil
}

// knownHost says whether the request names one of the hosts that are served.
func (e *exchange) knownHost() bool {
	if len(e.o.Hosts) == 0 {
		return true
	}
	host := e.r.Host
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	return slices.ContainsFunc(e.o.Hosts, func(h string) bool {
		return strings.EqualFold(h, host) || strings.EqualFold(h, name)
	})
}

// headers are those of every answer.
func headers(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept")
}
