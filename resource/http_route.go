package resource

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// place is what kind of thing a path leads to.
type place int

// The places.
const (
	nowhere place = iota
	atHome
	atStyle
	atResource
	atName // a view, or where an action is sent
	atLookup
	atForm
)

// route is what a path means.
type route struct {
	place          place
	resource, name string
	params         []string // the segments after the name
}

const (
	styleName  = "_assent.css"
	lookupName = "_lookup"
	formName   = "_form"
)

// parsePath reads a path in its escaped form, so that a value may hold any
// character. Names of definitions never begin with "_", so nothing is taken twice.
func parsePath(base, escaped string) route {
	rest, ok := strings.CutPrefix(escaped, base)
	if !ok || rest != "" && rest[0] != '/' {
		return route{}
	}
	if rest == "" || rest == "/" {
		return route{place: atHome}
	}
	segments := strings.Split(rest[1:], "/")
	for i, s := range segments {
		text, err := url.PathUnescape(s)
		if err != nil {
			return route{}
		}
		segments[i] = text
	}
	return readSegments(segments)
}

func readSegments(s []string) route {
	switch {
	case len(s) == 1 && s[0] == styleName:
		return route{place: atStyle}
	case len(s) == 1, len(s) == 2 && s[1] == "":
		return route{place: atResource, resource: s[0]}
	case s[1] == lookupName && len(s) > 2:
		return route{atLookup, s[0], s[2], s[3:]}
	case s[1] == formName && len(s) > 2:
		return route{atForm, s[0], s[2], s[3:]}
	}
	return route{atName, s[0], s[1], s[2:]}
}

// bindParams finds the values of the parameters in path and query. What is wrong
// is kept as issues, because middleware has the first word. A slash at the end
// means nothing.
func (r route) bindParams(names []string, query url.Values) (params map[string]string, wrong []Issue) {
	segments := r.params
	if n := len(segments); n == len(names)+1 && segments[n-1] == "" {
		segments = segments[:n-1]
	}
	params = map[string]string{}
	for i, value := range segments {
		if i == len(names) {
			wrong = append(wrong, Issue{nil, "The path has more parts than there are parameters."})
			break
		}
		params[names[i]] = value
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		_, twice := params[name]
		switch {
		case !slices.Contains(names, name):
			wrong = append(wrong, Issue{[]string{name}, "there is no such parameter"})
		case twice || len(query[name]) > 1:
			wrong = append(wrong, Issue{[]string{name}, "is given twice"})
		default:
			params[name] = query[name][0]
		}
	}
	return params, wrong
}

// url is where an address is served. That of an action is its form, which is also
// where the form is sent, so that the page that says what is wrong with it can be
// loaded again.
func (s *site) url(to Address) string {
	if to.Resource == "" {
		return s.base + "/" // two slashes would begin another host's address
	}
	d, path := s.app.defs[key(ViewKind, to.Resource, to.View)], "/"+url.PathEscape(to.View)
	if to.Action != "" {
		d, path = s.app.defs[key(ActionKind, to.Resource, to.Action)], "/"+formName+"/"+url.PathEscape(to.Action)
	}
	return s.located(d, "/"+url.PathEscape(to.Resource)+path, to.Params)
}

// lookupURL is where a lookup is asked.
func (s *site) lookupURL(d *Definition, params map[string]string) string {
	return s.located(d, "/"+d.resource.name+"/"+lookupName+"/"+d.name, params)
}

// located adds parameters to a path: as segments, unless one cannot be a segment.
func (s *site) located(d *Definition, path string, params map[string]string) string {
	var names []string
	if d != nil {
		names = d.address.names()
	}
	if !segmental(names, params) {
		q := url.Values{}
		for name, value := range params {
			q.Set(name, value)
		}
		return s.base + path + "?" + q.Encode()
	}
	for _, name := range names {
		path += "/" + url.PathEscape(params[name])
	}
	return s.base + path
}

// maxSegment is how long a segment of a path may be, escaped: file systems and
// proxies go no further.
const maxSegment = 250

// segmental says whether the parameters are exactly those names and each value can
// be a segment of a path. Browsers take "." and ".." for steps, however they are
// escaped.
func segmental(names []string, params map[string]string) bool {
	for _, name := range names {
		value, given := params[name]
		if !given || value == "" || value == "." || value == ".." || len(url.PathEscape(value)) > maxSegment {
			return false
		}
	}
	return len(params) == len(names)
}

// queryOf reads the query of a request strictly.
func queryOf(r *http.Request) (url.Values, []Issue) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, []Issue{{nil, "The query cannot be read."}}
	}
	return q, nil
}
