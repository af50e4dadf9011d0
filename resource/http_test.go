package resource_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/assentdev/assent/resource"
	"pgregory.net/rapid"
)

// SPEC R5: middleware has the first word on every route, before anything of the
// address or the payload is looked at.
func TestMiddlewareComesBeforeBindingOnEveryRouteR5(t *testing.T) {
	d := newDesk(t, nil)
	for _, q := range []request{
		{method: "GET", path: "/orders/detail"},
		{method: "GET", path: "/orders/detail/7?a=1"},
		{method: "GET", path: "/orders/detail/7?a=%zz"},
		{method: "GET", path: "/orders/line/7/x/y/z"},
		{method: "GET", path: "/orders/_form/refund"},
		{method: "POST", path: "/orders/refund", media: jsonBody, body: "{"},
		{method: "POST", path: "/orders/refund/7", media: "text/plain", body: "x"},
		{method: "POST", path: "/orders/refund/7", media: jsonBody, body: strings.Repeat(" ", 300_000)},
		{method: "POST", path: "/orders/_form/refund/7", media: formBody, body: "a=%zz"},
		{method: "POST", path: "/orders/_form/refund/7", media: formBody, body: "_add=/x"},
		{method: "POST", path: "/orders/_form/refund/7", media: formBody, body: "cents=x&nothing=1"},
	} {
		q.as = "-"
		if r := d.send(q); r.status != 403 || !strings.Contains(r.body, "Sign in first.") {
			t.Errorf("%s %s: %d %s", q.method, q.path, r.status, r.body)
		}
		q.page = true
		if r := d.send(q); r.status != 403 || !strings.Contains(r.body, "Sign in first.") {
			t.Errorf("%s %s as a page: %d %s", q.method, q.path, r.status, r.body)
		}
	}
}

// SPEC R6: only deliberate errors leave the process with their text.
func TestAFailureShowsAReferenceAndNothingElseR6(t *testing.T) {
	for _, q := range []request{
		{method: "GET", path: "/orders/detail/panic"},
		{method: "GET", path: "/orders/detail/broken"},
		{method: "POST", path: "/orders/note/7", media: formBody, body: "text=panic"},
	} {
		d := newDesk(t, nil)
		for _, q.page = range []bool{false, true} {
			d.log.Reset()
			r := d.send(q)
			ref := regexp.MustCompile(`The reference is ([A-Z2-7]{10})\.`).FindStringSubmatch(r.body)
			if r.status != 500 || ref == nil {
				t.Fatalf("%d %s", r.status, r.body)
			}
			for _, secret := range []string{"hunter2", "select", "goroutine", "resource."} {
				if strings.Contains(r.body, secret) {
					t.Errorf("%q leaks: %s", secret, r.body)
				}
			}
			if n := strings.Count(d.log.String(), "reference="+ref[1]); n != 1 {
				t.Errorf("the log has the reference %d times: %s", n, d.log.String())
			}
		}
	}
}

func TestAnActionThatPanicsSaysThatItsEffectIsNotKnown(t *testing.T) {
	d := newDesk(t, nil)
	r := d.send(request{method: "POST", path: "/orders/note/7", page: true, media: formBody, body: "text=panic"})
	d.wantPage(r, 500, "Whether it had its effect is not known.")
	r = d.send(request{method: "GET", path: "/orders/detail/panic", page: true})
	if strings.Contains(r.body, "effect") {
		t.Errorf("a view has no effect: %s", r.body)
	}
}

func TestTheHeadersOfEveryAnswer(t *testing.T) {
	d := newDesk(t, nil)
	for _, path := range []string{"/", "/orders/all", "/orders/nothing", "/nothing/", "/orders/_form/refund/7", "/people/_lookup/find", "/orders/detail/panic", "/_assent.css"} {
		for _, page := range []bool{false, true} {
			h := d.send(request{method: "GET", path: path, page: page}).header
			for name, want := range map[string]string{
				"Content-Security-Policy":    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
				"X-Content-Type-Options":     "nosniff",
				"Referrer-Policy":            "same-origin",
				"Cross-Origin-Opener-Policy": "same-origin",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %s is %q", path, name, got)
				}
			}
			if path != "/_assent.css" && (h.Get("Cache-Control") != "no-store" || h.Get("Vary") != "Accept") {
				t.Errorf("%s: %v", path, h)
			}
		}
	}
}

func TestAcceptChoosesBetweenPageAndJSON(t *testing.T) {
	d := newDesk(t, nil)
	for _, tt := range []struct {
		accept string
		page   bool
	}{
		{"", false}, {"*/*", false}, {"application/json", false}, {"text/html", true}, {"text/*", true}, {wantPage, true},
		{"application/json, text/html;q=0.9", false}, {"application/json;q=0.5, text/html;q=0.9", true},
		{"text/html, application/json", false}, {"text/html;q=0, */*", false}, {"*/*;q=0.1, text/html", true},
		{"image/png", false}, {"nonsense", false}, {"text/html;q=x", false}, {"text/html;q=NaN", false}, {"text/html;q=7", false},
		{"application/*;q=0.2, text/html;q=0.3", true}, {strings.Repeat("text/html,", 100), true},
	} {
		r := d.send(request{method: "GET", path: "/orders/all", header: []string{"Accept", tt.accept}})
		if got := strings.HasPrefix(r.header.Get("Content-Type"), "text/html"); got != tt.page || r.status != 200 {
			t.Errorf("Accept %q: page %v, status %d", tt.accept, got, r.status)
		}
	}
}

func TestHeadAnswersLikeGetWithoutABody(t *testing.T) {
	d := newDesk(t, nil)
	for _, path := range []string{"/orders/all", "/orders/nothing", "/_assent.css", "/orders/_form/refund/7"} {
		get, head := d.send(request{method: "GET", path: path}), d.send(request{method: "HEAD", path: path})
		if head.body != "" || head.status != get.status || head.header.Get("Content-Length") != get.header.Get("Content-Length") {
			t.Errorf("%s: %d %v", path, head.status, head.header)
		}
	}
}

func TestAMethodThatIsNotTakenNamesThoseThatAre(t *testing.T) {
	d := newDesk(t, nil)
	for path, want := range map[string]string{
		"/orders/detail/7": "GET, HEAD", "/orders/refund/7": "POST", "/orders/_form/refund/7": "GET, HEAD, POST",
		"/orders/all": "GET, HEAD, POST", "/people/_lookup/find": "GET, HEAD", "/": "GET, HEAD", "/_assent.css": "GET, HEAD",
	} {
		if r := d.send(request{method: "OPTIONS", path: path}); r.status != 405 || r.header.Get("Allow") != want {
			t.Errorf("%s: %d, Allow %q", path, r.status, r.header.Get("Allow"))
		}
	}
}

func TestTheStylesheetIsKeptByItsVersion(t *testing.T) {
	d := newDesk(t, nil)
	link := readPage(t, d.send(request{method: "GET", path: "/orders/all", page: true}).body).all("link")[0].attr["href"]
	r := d.send(request{method: "GET", path: link, as: "-"})
	if r.status != 200 || !strings.Contains(r.header.Get("Cache-Control"), "immutable") || r.header.Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(r.body, "color-scheme") {
		t.Fatalf("%d %v", r.status, r.header)
	}
	if again := d.send(request{method: "GET", path: link, header: []string{"If-None-Match", r.header.Get("ETag")}}); again.status != 304 {
		t.Errorf("a known version is sent again: %d", again.status)
	}
	if other := d.send(request{method: "GET", path: "/_assent.css?v=old"}); other.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("another version may be kept: %v", other.header)
	}
}

// where is where a page or an envelope leads.
func where(r reply) string { return r.header.Get("Location") }

func TestTheBaseLeadsHome(t *testing.T) {
	for _, tt := range []struct{ base, home, path, want string }{
		{"", "", "/", "/orders/all"},
		{"", "", "/orders", "/orders/all"},
		{"", "", "/orders/", "/orders/all"},
		{"/admin", "", "/admin", "/admin/orders/all"},
		{"/admin/", "", "/admin/", "/admin/orders/all"},
		{"/admin", "7", "/admin/", "/admin/orders/detail/7"},
	} {
		o := &resource.HandlerOptions{Base: tt.base}
		if tt.home != "" {
			o.Home = resource.Address{Resource: "orders", View: "detail", Params: map[string]string{"id": tt.home}}
		}
		d := newDesk(t, o)
		r := d.send(request{method: "GET", path: tt.path})
		if r.status != 303 || where(r) != tt.want || !strings.Contains(r.body, `"kind":"redirect"`) {
			t.Errorf("%+v: %d %q %s", tt, r.status, where(r), r.body)
		}
		if page := d.send(request{method: "GET", path: tt.path, page: true}); page.status != 303 || where(page) != tt.want {
			t.Errorf("%+v: %d %q", tt, page.status, where(page))
		}
		if r := d.send(request{method: "GET", path: tt.want + "/"}); r.status != 200 {
			t.Errorf("%s/: %d", tt.want, r.status)
		}
	}
	d := newDesk(t, &resource.HandlerOptions{Base: "/admin"})
	for _, path := range []string{"/", "/orders/all", "/administration/orders/all"} {
		if r := d.send(request{method: "GET", path: path}); r.status != 404 {
			t.Errorf("%s is outside of the base: %d", path, r.status)
		}
	}
}

func TestAHandlerThatCannotBeIsAnError(t *testing.T) {
	bad := resource.NewApp(nil, resource.New("No Name"))
	if h, err := bad.Handler(nil); h != nil || err == nil {
		t.Errorf("an app with problems is served")
	}
	good := resource.NewApp(nil, formPeople())
	if _, err := good.Handler(&resource.HandlerOptions{Base: "admin"}); err == nil {
		t.Errorf("a base without a slash is served")
	}
	if _, err := good.Handler(&resource.HandlerOptions{Home: resource.Address{Resource: "people", View: "all"}}); err == nil {
		t.Errorf("a home that does not exist is served")
	}
}

func TestOnlyTheNamedHostsAreServed(t *testing.T) {
	d := newDesk(t, &resource.HandlerOptions{Hosts: []string{"Desk.example", "other.example:8080"}})
	for host, want := range map[string]int{
		"desk.example": 200, "desk.example:99": 200, "other.example:8080": 200, "other.example": 421, "evil.example": 421, "": 421,
	} {
		if host == "" {
			host = strings.TrimPrefix(d.base, "http://")
		}
		if r := d.send(request{method: "GET", path: "/orders/all", header: []string{"Host", host}}); r.status != want {
			t.Errorf("%s: %d", host, r.status)
		}
	}
}

// Whatever an address holds, its link leads to it.
func TestALinkLeadsToItsAddress(t *testing.T) {
	d := newDesk(t, nil)
	special := rapid.StringMatching(`[./?#%&=+;:@ a\\~"'<>é😀-]{1,4}|\.\.?|_form|x{300}`)
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.OneOf(special, formText()).Filter(func(s string) bool { return !strings.ContainsAny(s, "\n\t") && len(s) <= 1024 }).Draw(rt, "id")
		href := linkTo(t, id)
		u, err := url.Parse("http://x" + href)
		if err != nil {
			rt.Fatal(err)
		}
		r := d.send(request{method: "GET", path: u.RequestURI()})
		var got struct {
			Node struct {
				Slots struct{ Content []struct{ Text string } }
			}
		}
		_ = json.Unmarshal([]byte(r.body), &got)
		if r.status != 200 || got.Node.Slots.Content[0].Text != "Order "+id {
			rt.Fatalf("%q → %s → %d %s", id, href, r.status, r.body)
		}
		for part := range strings.SplitSeq(u.EscapedPath(), "/") {
			if text, _ := url.PathUnescape(part); text == "." || text == ".." {
				rt.Fatalf("browsers take %s for another address", href)
			}
		}
	})
}

// linkTo is where a page links to for an order.
func linkTo(t *testing.T, id string) string {
	r := resource.New("orders")
	detail := resource.View(r, "detail", func(*resource.Context, deskKey) (resource.Node, error) { return nil, nil })
	resource.View(r, "all", func(*resource.Context, resource.None) (resource.Node, error) {
		return detail.Link(deskKey{id}, "Order"), nil
	})
	h, err := resource.NewApp(nil, r).Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	page := readPage(t, browse(h, "GET", "/orders/all", "", "").Body.String())
	return page.all("main")[0].all("a")[0].attr["href"]
}

func TestARedirectLeadsToItsAddress(t *testing.T) {
	d := newDesk(t, nil)
	for _, page := range []bool{false, true} {
		r := d.send(request{method: "GET", path: "/orders/old", page: page})
		if r.status != 303 || where(r) != "/orders/detail?id=." {
			t.Errorf("%d %q", r.status, where(r))
		}
	}
}

func TestAPageKnowsWhoIsThereAndALookupHasOne(t *testing.T) {
	d := newDesk(t, nil)
	d.wantPage(d.send(request{method: "GET", path: "/orders/detail/7", page: true}), 200, "For ann at page")
	if r := d.send(request{method: "GET", path: "/orders/detail/7"}); !strings.Contains(r.body, "For ann at json") {
		t.Errorf("%s", r.body)
	}
	page := d.send(request{method: "GET", path: "/people/_lookup/find?query=%3Cscript%3E", page: true})
	d.wantPage(page, 200, "Ann <Smith>")
	if box := readPage(t, page.body).all("main")[0].all("input")[0]; box.attr["value"] != "<script>" {
		t.Errorf("the search is not kept: %v", box.attr)
	}
	if r := d.send(request{method: "GET", path: "/people/_lookup/find"}); !strings.Contains(r.body, `"records":[{"value":"c1"`) {
		t.Errorf("%s", r.body)
	}
}
