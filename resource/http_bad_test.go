package resource_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assentdev/assent/resource"
)

// SPEC R5, R6: what is wrong gets the same status and the same kind of answer in
// JSON and as a page, and no handler runs.
func TestBadRequestsAreRefusedR6(t *testing.T) {
	long := strings.Repeat("x", 2000)
	tests := []struct {
		name   string
		q      request
		status int
		has    string // in both answers
	}{
		{"an unknown resource", request{method: "GET", path: "/nothing/all"}, 404, "nothing.all"},
		{"an unknown view", request{method: "GET", path: "/orders/nothing"}, 404, "orders.nothing"},
		{"an unknown lookup", request{method: "GET", path: "/people/_lookup/nothing"}, 404, "people.nothing"},
		{"an unknown form", request{method: "GET", path: "/orders/_form/nothing/7"}, 404, "orders.nothing"},
		{"an unknown action", request{method: "POST", path: "/orders/nothing/7", media: jsonBody, body: "{}"}, 404, "orders.nothing"},
		{"an unknown resource alone", request{method: "GET", path: "/nothing"}, 404, "nothing at this address"},
		{"a name that is no name", request{method: "GET", path: "/%3Cscript%3E/x"}, 404, "There is no view"},
		{"a lookup without a name", request{method: "GET", path: "/people/_lookup"}, 404, "There is no view"},
		{"dots that mean a step", request{method: "GET", path: "/orders/../orders/all"}, 404, "There is no view"},
		{"two slashes", request{method: "GET", path: "//orders/all"}, 404, "There is no view"},

		{"a missing parameter", request{method: "GET", path: "/orders/detail"}, 400, "is missing"},
		{"an empty parameter in the path", request{method: "GET", path: "/orders/detail/"}, 400, "is empty"},
		{"an empty parameter in the query", request{method: "GET", path: "/orders/detail?id="}, 400, "is empty"},
		{"one of two parameters", request{method: "GET", path: "/orders/line/7"}, 400, "is missing"},
		{"a parameter of the wrong type", request{method: "GET", path: "/orders/line/7/one"}, 400, "whole number"},
		{"too many parts", request{method: "GET", path: "/orders/detail/7/8"}, 400, "more parts"},
		{"an unknown parameter", request{method: "GET", path: "/orders/detail/7?sort=up"}, 400, "sort"},
		{"a parameter in path and query", request{method: "GET", path: "/orders/detail/7?id=8"}, 400, "given twice"},
		{"a parameter that is repeated", request{method: "GET", path: "/orders/detail?id=7&id=8"}, 400, "given twice"},
		{"an oversized parameter", request{method: "GET", path: "/orders/detail/" + long}, 400, "longer than"},
		{"a control character", request{method: "GET", path: "/orders/detail/a%00b"}, 400, "control character"},
		{"text that is not UTF-8", request{method: "GET", path: "/orders/detail/%FF"}, 400, "UTF-8"},
		{"a query that cannot be read", request{method: "GET", path: "/orders/detail/7?a=%zz"}, 400, "cannot be read"},
		{"a repeated search", request{method: "GET", path: "/people/_lookup/find?query=a&query=b"}, 400, "given twice"},
		{"an oversized search", request{method: "GET", path: "/people/_lookup/find?query=" + long}, 400, "longer than"},
		{"an unknown parameter of a lookup", request{method: "GET", path: "/people/_lookup/find?q=a"}, 400, "no such parameter"},
		{"a form without its parameter", request{method: "GET", path: "/orders/_form/refund"}, 400, "is missing"},
		{"an action without its parameter", request{method: "POST", path: "/orders/note", media: jsonBody, body: `{"text":"a"}`}, 400, "is missing"},
		{"an action whose address and payload are wrong", request{method: "POST", path: "/orders/note", media: formBody, body: `_payload=x`}, 400, "is missing"},

		{"an unknown property", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{"text":"a","more":1}`}, 422, "more"},
		{"a missing property", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{}`}, 422, "required"},
		{"no body", request{method: "POST", path: "/orders/note/7"}, 422, "required"},
		{"a property of the wrong type", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{"text":5}`}, 422, "a string"},
		{"JSON that is not converted", request{method: "POST", path: "/orders/refund/7", media: jsonBody, body: `{"cents":"5"}`}, 422, "an integer"},
		{"no object", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `[1]`}, 422, "object"},
		{"no JSON", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{"text"`}, 422, "JSON"},
		{"a property given twice", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{"text":"a","text":"b"}`}, 422, "twice"},
		{"an unknown field", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=a&more=1`}, 422, "no such field"},
		{"a field below a text", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=a&text/0=1`}, 422, "no such field"},
		{"a field that is repeated", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=a&text=b`}, 422, "given twice"},
		{"a form field of the wrong type", request{method: "POST", path: "/orders/refund/7", media: formBody, body: `cents=1,5`}, 422, "an integer"},
		{"a payload field that is no JSON", request{method: "POST", path: "/orders/note/7", media: formBody, body: `_payload={`}, 422, "no JSON"},
		{"a text that is too long", request{method: "POST", path: "/orders/note/7", media: formBody, body: "text=" + strings.Repeat("y", 21)}, 422, "20"},
		{"a preview that refuses", request{method: "POST", path: "/orders/refund/7", page: true, media: formBody, body: "cents=101"}, 422, "more than was paid"},

		{"a form that cannot be read", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=%zz`}, 400, "cannot be read"},
		{"too many fields", request{method: "POST", path: "/orders/note/7", media: formBody, body: strings.Repeat("a=1&", 1001)}, 413, "1000 fields"},
		{"a field that is too deep", request{method: "POST", path: "/orders/note/7", media: formBody, body: strings.Repeat("a/", 900) + "=1"}, 413, "too long"},
		{"another type of body", request{method: "POST", path: "/orders/note/7", media: "text/plain", body: `{}`}, 415, "application/json"},
		{"a type of body that is none", request{method: "POST", path: "/orders/note/7", media: ";", body: `{}`}, 415, "application/json"},
		{"a body without a type", request{method: "POST", path: "/orders/note/7", body: `{}`}, 415, "application/json"},
		{"an oversized body", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{"text":"` + strings.Repeat("z", 300_000) + `"}`}, 413, "too large"},
		{"an oversized form", request{method: "POST", path: "/orders/note/7", media: formBody, body: "text=" + strings.Repeat("z", 300_000)}, 413, "too large"},
		{"a file", request{method: "POST", path: "/orders/note/7", media: "multipart/form-data; boundary=b", body: "--b\r\nContent-Disposition: form-data; name=\"text\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n"}, 415, "Files"},
		{"parts without an end", request{method: "POST", path: "/orders/note/7", media: "multipart/form-data; boundary=b", body: "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nx"}, 400, "cannot be read"},
		{"parts without a boundary", request{method: "POST", path: "/orders/note/7", media: "multipart/form-data", body: "x"}, 400, "cannot be read"},

		{"a view that is posted to", request{method: "POST", path: "/orders/detail/7", media: jsonBody, body: "{}"}, 405, "POST"},
		{"an action that is read", request{method: "GET", path: "/orders/refund/7"}, 405, "GET"},
		{"a form that is deleted", request{method: "DELETE", path: "/orders/_form/refund/7"}, 405, "DELETE"},
		{"a lookup that is posted to", request{method: "POST", path: "/people/_lookup/find", media: jsonBody, body: "{}"}, 405, "POST"},
		{"the home that is posted to", request{method: "POST", path: "/", media: jsonBody, body: "{}"}, 405, "POST"},
		{"the stylesheet that is posted to", request{method: "POST", path: "/_assent.css"}, 405, "only be read"},

		{"another site's page", request{method: "POST", path: "/orders/note/7", media: jsonBody, body: `{"text":"a"}`, header: []string{"Sec-Fetch-Site", "cross-site"}}, 403, "another site"},
		{"another origin", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=a`, header: []string{"Origin", "https://evil.example"}}, 403, "another site"},
		{"an origin that hides", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=a`, header: []string{"Origin", "null"}}, 403, "another site"},
		{"a caller who is refused", request{method: "GET", path: "/orders/all", as: "mallory"}, 401, "Who is that?"},
		{"a caller who is refused at home", request{method: "GET", path: "/", as: "mallory"}, 401, "Who is that?"},
		{"a record that does not exist", request{method: "GET", path: "/orders/detail/none"}, 404, "There is no order"},
		{"a conflict", request{method: "POST", path: "/orders/note/7", media: formBody, body: `text=locked`}, 409, "Somebody else writes."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, nil)
			q := tt.q
			if !q.page {
				d.wantEnvelope(d.send(q), tt.status, tt.has)
			}
			q.page = true
			d.wantPage(d.send(q), tt.status, tt.has)
			if len(d.ran) > 0 {
				t.Errorf("a handler ran: %v", d.ran)
			}
		})
	}
}

// wantEnvelope looks for an envelope whose status is that of the answer.
func (d *desk) wantEnvelope(r reply, status int, has string) {
	d.t.Helper()
	var envelope struct {
		Kind   resource.ResultKind
		Status int
	}
	if err := json.Unmarshal([]byte(r.body), &envelope); err != nil {
		d.t.Errorf("%v in %s", err, r.body)
	}
	if r.status != status || envelope.Status != status || !strings.Contains(r.body, has) {
		d.t.Errorf("want %d with %q, got %d: %s", status, has, r.status, r.body)
	}
	if kind := envelope.Kind; kind != resource.Rejected && kind != resource.Failure {
		d.t.Errorf("the kind is %q", kind)
	}
	if got := r.header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		d.t.Errorf("the type is %q", got)
	}
}

// wantPage looks for a whole page with a heading, and with no markup that is not
// the package's.
func (d *desk) wantPage(r reply, status int, has string) {
	d.t.Helper()
	page := readPage(d.t, r.body)
	if r.status != status || !strings.Contains(page.text, has) {
		d.t.Errorf("want %d with %q, got %d: %s", status, has, r.status, page.text)
	}
	if h := page.all("h1"); len(h) != 1 || h[0].text == "" {
		d.t.Errorf("the page has %d headings", len(h))
	}
	if len(page.all("script")) > 0 {
		d.t.Errorf("markup got in: %s", r.body)
	}
	if got := r.header.Get("Content-Type"); got != "text/html; charset=utf-8" {
		d.t.Errorf("the type is %q", got)
	}
}
