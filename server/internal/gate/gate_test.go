package gate_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate"
)

// seen is what the handler behind a gate got.
type seen struct {
	count  int
	body   string
	header http.Header
	ctx    context.Context
}

func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	*s = seen{s.count + 1, string(raw), r.Header, r.Context()}
	fmt.Fprint(w, "passed")
}

// byToken knows everybody whose token does not begin with "bad".
func byToken(r *http.Request) (context.Context, string, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || strings.HasPrefix(token, "bad") {
		return nil, "", fault.New(gate.Unauthenticated, "The key is not known.")
	}
	return r.Context(), token, nil
}

// byPath has a class for the paths that are named after one.
func byPath(r *http.Request) gate.Class {
	switch r.URL.Path {
	case "/open":
		return gate.Class{Open: true}
	case "/page":
		return gate.Class{Page: true, Methods: []string{"GET", "HEAD"}}
	case "/form":
		return gate.Class{Media: []string{"application/x-www-form-urlencoded"}}
	case "/large":
		return gate.Class{Bytes: 1 << 20, Keys: 100_000, Levels: 200, Fold: -1}
	}
	return gate.Class{}
}

func newGate(t testing.TB, next http.Handler, o gate.Options) *gate.Gate {
	t.Helper()
	o.Classify = byPath
	if o.Identify == nil {
		o.Identify = byToken
	}
	g, err := gate.New(next, &o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// start serves a gate on a loopback port.
func start(t testing.TB, next http.Handler, o gate.Options) *httptest.Server {
	t.Helper()
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = gate.Server(newGate(t, next, o))
	srv.Start()
	t.Cleanup(srv.Close)
	return srv
}

// raw sends bytes over a connection of their own and reads one answer.
func raw(t testing.TB, srv *httptest.Server, text string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	go io.WriteString(conn, text)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	return res, string(body)
}

// message writes a request with a body of JSON. Of two lines for one header the
// given one counts; "Name:" without a value leaves the header away.
func message(method, path, body string, lines ...string) string {
	set := []string{"Host: localhost", "Authorization: Bearer alice"}
	if body != "" {
		set = append(set, "Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	for _, line := range set {
		name, _, _ := strings.Cut(line, ":")
		if !strings.Contains("\n"+strings.Join(lines, "\n"), "\n"+name+":") {
			b.WriteString(line + "\r\n")
		}
	}
	for _, line := range lines {
		if !strings.HasSuffix(line, ":") {
			b.WriteString(line + "\r\n")
		}
	}
	return b.String() + "\r\n" + body
}

func TestOnlyWhatIsMeantForThisServerPasses(t *testing.T) {
	chunked := "Transfer-Encoding: chunked"
	long := strings.Repeat("x", 256<<10)
	for _, c := range []struct {
		name    string
		request string
		status  int
		code    fault.Code
	}{
		{"a program passes", message("POST", "/", `{"a":1}`), 200, ""},
		{"a page of this server passes", message("POST", "/", `{}`, "Origin: http://localhost", "Sec-Fetch-Site: same-origin"), 200, ""},
		{"a page of a site that was allowed passes", message("POST", "/", `{}`, "Origin: https://friend.example", "Sec-Fetch-Site: cross-site"), 200, ""},
		{"a body in pieces passes", message("POST", "/", "", "Content-Type: application/json", chunked) + "3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n", 200, ""},
		{"a charset may be said", message("POST", "/", `{}`, "Content-Type: application/json; charset=UTF-8"), 200, ""},

		{"G-H01 a page of another site is refused by Origin", message("POST", "/", `{}`, "Origin: http://evil.example"), 403, gate.CrossSite},
		{"G-H01 and by Sec-Fetch-Site", message("POST", "/", `{}`, "Origin: http://evil.example", "Sec-Fetch-Site: cross-site"), 403, gate.CrossSite},
		{"G-H01 and a page without an origin", message("POST", "/", `{}`, "Origin: null"), 403, gate.CrossSite},
		{"G-H01 and a sibling of this site", message("POST", "/", `{}`, "Origin: http://evil.localhost", "Sec-Fetch-Site: same-site"), 403, gate.CrossSite},
		{"G-H01 and another port of this machine", message("POST", "/", `{}`, "Origin: http://localhost:81"), 403, gate.CrossSite},
		{"G-H01 and the allowed site over plain text", message("POST", "/", `{}`, "Origin: http://friend.example", "Sec-Fetch-Site: cross-site"), 403, gate.CrossSite},
		{"G-H05 a GET from another site's page is refused too", message("GET", "/", "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"), 403, gate.CrossSite},
		{"G-H05 a link on another site leads to no part of the API", message("GET", "/", "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"), 403, gate.CrossSite},
		{"G-H05 a link on another site leads to a page", message("GET", "/page", "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"), 200, ""},
		{"G-D12 a page in a frame of another site is refused", message("GET", "/page", "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"), 403, gate.CrossSite},
		{"G-H02 another name is refused", message("POST", "/", `{}`, "Host: evil.example"), 421, gate.WrongHost},
		{"G-H02 even where everything else fits to it", message("POST", "/", `{}`, "Host: evil.example:80", "Origin: http://evil.example:80", "Sec-Fetch-Site: same-origin"), 421, gate.WrongHost},
		{"G-H02 also for a GET", message("GET", "/", "", "Host: evil.example"), 421, gate.WrongHost},
		{"G-H02 a longer name is another one", message("GET", "/", "", "Host: localhost.evil.example"), 421, gate.WrongHost},
		{"G-H02 the name of the address line counts", strings.Replace(message("GET", "/", ""), "GET /", "GET http://evil.example/", 1), 421, gate.WrongHost},
		{"a port may stand behind a name", message("GET", "/", "", "Host: localhost:8080"), 200, ""},
		{"the machine's IPv6 address is one of its names", message("GET", "/", "", "Host: [::1]:8080"), 200, ""},
		{"case means nothing in a name", message("GET", "/", "", "Host: LocalHost"), 200, ""},

		{"G-H04 text is no JSON", message("POST", "/", `{}`, "Content-Type: text/plain"), 415, gate.WrongMedia},
		{"G-H04 a form is no JSON", message("POST", "/", `a=1`, "Content-Type: application/x-www-form-urlencoded"), 415, gate.WrongMedia},
		{"G-H04 a form with parts is no JSON", message("POST", "/", `a=1`, "Content-Type: multipart/form-data; boundary=x"), 415, gate.WrongMedia},
		{"G-H04 a body has a type", message("POST", "/", `{}`, "Content-Type:"), 415, gate.WrongMedia},
		{"G-H04 even one that is empty", message("POST", "/", "", "Content-Length: 0"), 415, gate.WrongMedia},
		{"G-H04 a type in two lines is none", message("POST", "/", `{}`, "Content-Type: application/json", "Content-Type: text/plain"), 400, gate.BadRequest},
		{"G-H04 JSON is UTF-8", message("POST", "/", `{}`, "Content-Type: application/json; charset=utf-16"), 415, gate.WrongMedia},
		{"a form passes where forms are served", message("POST", "/form", `a=1&a=2`, "Content-Type: application/x-www-form-urlencoded"), 200, ""},
		{"JSON does not pass there", message("POST", "/form", `{}`), 415, gate.WrongMedia},

		{"a POST has a body", message("POST", "/", "", "Content-Type: application/json", "Content-Length: 0"), 400, gate.BadJSON},
		{"a GET has none", message("GET", "/", `{}`), 400, gate.BadRequest},
		{"a DELETE has none, in pieces neither", message("DELETE", "/", "", chunked) + "2\r\n{}\r\n0\r\n\r\n", 400, gate.BadRequest},
		{"G-J17 a declared length that is too much is not waited for", message("POST", "/", "", "Content-Type: application/json", "Content-Length: 262145"), 413, gate.TooLarge},
		{"G-J17 a body that is longer than the bound", message("POST", "/", "", "Content-Type: application/json", chunked) + fmt.Sprintf("%x\r\n%s\r\n2\r\n{}\r\n0\r\n\r\n", len(long), long), 413, gate.TooLarge},
		{"G-J17 a longer one where more is allowed", message("POST", "/large", `"`+long+`"`), 200, ""},
		{"a body with headers behind it", message("POST", "/", "", "Content-Type: application/json", chunked, "Trailer: X-Late") + "2\r\n{}\r\n0\r\nX-Late: 1\r\n\r\n", 400, gate.BadRequest},
		{"a compressed body is not read", message("POST", "/", "\x1f\x8b\x08", "Content-Encoding: gzip"), 415, gate.WrongMedia},
		{"nor one with an encoding that nobody knows", message("POST", "/", "{}", "Content-Encoding: x"), 415, gate.WrongMedia},

		{"a method that is not served", message("TRACE", "/", ""), 405, gate.WrongMethod},
		{"a method in lower case is another one", message("post", "/", `{}`), 405, gate.WrongMethod},
		{"a POST to what is only shown", message("POST", "/page", `{}`), 405, gate.WrongMethod},
		{"two credentials", message("GET", "/", "", "Authorization: Bearer bob", "Authorization: Bearer carol"), 400, gate.BadRequest},
		{"G-H08 two names of a tool", message("POST", "/", `{}`, "Mcp-Name: order_get", "Mcp-Name: order_delete"), 400, gate.BadRequest},
		{"more headers than anybody needs", message("GET", "/", "", strings.Split(strings.Repeat("X-A: 1\n", 120)+"X-B: 1", "\n")...), 431, gate.HeadTooLarge},
		{"longer headers than anybody needs", message("GET", "/", "", "X-A: "+strings.Repeat("a", 40<<10)), 431, gate.HeadTooLarge},
		{"a longer address than anybody needs", message("GET", "/"+strings.Repeat("a", 9000), ""), 414, gate.URLTooLong},
		{"a path that is no text", message("GET", "/a%00b", ""), 400, gate.BadRequest},
		{"a path of another system", message("GET", "/a%5C..%5Cb", ""), 400, gate.BadRequest},
		{"a path that is not UTF-8", message("GET", "/%ff", ""), 400, gate.BadRequest},
		{"a query that can be read in two ways", message("GET", "/?a=1;b=2", ""), 400, gate.BadRequest},

		{"nobody", message("GET", "/", "", "Authorization:"), 401, gate.Unauthenticated},
		{"nobody who is known", message("GET", "/", "", "Authorization: Bearer bad"), 401, gate.Unauthenticated},
		{"nobody is told to go on with a body", message("POST", "/", "", "Authorization:", "Content-Type: application/json", "Content-Length: 2", "Expect: 100-continue"), 401, gate.Unauthenticated},
		{"a body with a length and in pieces is read in pieces", message("POST", "/", "", "Content-Type: application/json", "Content-Length: 1", chunked) + "2\r\n{}\r\n0\r\n\r\n", 200, ""},
		{"a body that ends too early", message("POST", "/", "", "Content-Type: application/json", chunked) + "zz\r\n", 400, gate.BadRequest},
		{"nobody, where everybody is served", message("GET", "/open", "", "Authorization:"), 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got seen
			srv := start(t, &got, gate.Options{Origins: []string{"https://friend.example"}})
			res, body := raw(t, srv, c.request)
			if res.StatusCode != c.status || codeOf(t, body) != c.code {
				t.Errorf("answered %d %s, want %d %s", res.StatusCode, body, c.status, c.code)
			}
			if passed := got.count == 1; passed != (c.status == 200) {
				t.Errorf("the handler was called %d times", got.count)
			}
		})
	}
}

// codeOf reads the envelope of an error, which holds nothing but its three parts.
func codeOf(t testing.TB, body string) fault.Code {
	t.Helper()
	if body == "passed" {
		return ""
	}
	var e gate.Envelope
	d := json.NewDecoder(strings.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil || e.Error.Message == "" || e.Error.Reference == "" {
		t.Errorf("%q is no envelope of an error: %v", body, err)
	}
	return e.Error.Code
}

// Cases G-J01 and so on: what SPEC A5 says of arguments holds for every body.
func TestABodyThatReadersReadDifferentlyIsRefused(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	keys := func(n int) string {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, `,"k%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	for _, c := range []struct{ name, path, body, word string }{
		{"G-J01 a key that is there twice", "/", `{"id":"A1","id":"ALL"}`, "id"},
		{"G-J01 also where it is written with an escape", "/", `{"id":"A1","\u0069d":"ALL"}`, "id"},
		{"G-J02 deep inside too", "/", `{"f":[{"a":1,"a":2}]}`, `a`},
		{"G-J03 two keys that Go takes for one", "/", `{"id":"A1","ID":"ALL"}`, "case"},
		{"G-J03 with a sign that folds to a letter", "/", "{\"k\":1,\"\u212a\":2}", "case"},
		{"G-J06 bytes that are no UTF-8", "/", "{\"id\":\"A\xff1\"}", "UTF-8"},
		{"G-J06 half of a surrogate pair", "/", `{"id":"\ud800"}`, "surrogate"},
		{"G-J06 half of a surrogate pair in a key", "/", `{"\udc00":1}`, "surrogate"},
		{"G-J12 one level too many", "/", deep(65), "deep"},
		{"G-J12 very many levels", "/large", deep(500_000), "deep"},
		{"G-J13 a second value", "/", `{"id":"A1"} {"id":"ALL"}`, "after"},
		{"G-J13 a zero byte behind it", "/", "{\"id\":\"A1\"}\x00", "after"},
		{"G-J13 a mark of byte order before it", "/", "\ufeff{}", "JSON"},
		{"G-J17 one key too many", "/", keys(1001), "keys"},
		{"a number that one reader takes for infinite", "/", `{"n":1e400}`, "number"},
		{"a number that JSON does not know", "/", `{"n":NaN}`, "JSON"},
		{"a comment", "/", `{"n":1/**/}`, "comma"},
		{"a comma too many", "/", `{"n":1,}`, "key"},
		{"a control character", "/", "{\"n\":\"\x01\"}", "control"},
		{"nothing but blanks", "/", "  ", "end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got seen
			began := time.Now()
			res := do(newGate(t, &got, gate.Options{}), c.path, c.body)
			if res.Code != 400 || codeOf(t, res.Body.String()) != gate.BadJSON || got.count != 0 {
				t.Errorf("answered %d %s after %d calls of the handler", res.Code, res.Body, got.count)
			}
			if !strings.Contains(res.Body.String(), c.word) {
				t.Errorf("%s does not speak of %q", res.Body, c.word)
			}
			if spent := time.Since(began); spent > 5*time.Second {
				t.Errorf("took %v", spent)
			}
		})
	}
	for _, c := range []struct{ name, path, body string }{
		{"G-J12 as many levels as are allowed", "/", deep(64)},
		{"G-J17 as many keys as are allowed", "/", keys(1000)},
		{"G-J08 an integer of any size stays as it is", "/", `{"n":9007199254740993}`},
		{"G-J14 a zero in a key is a key of its own", "/", `{"id":"A1","id\u0000":"ALL"}`},
		{"G-J03 names of the caller may differ by case", "/", `{"properties":{"n":1,"N":2}}`},
		{"G-H10 the gate leaves lists to the handler", "/", `[{"a":1},{"a":2}]`},
		{"a pair of surrogates", "/", `{"id":"\ud83d\ude00"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got seen
			if res := do(newGate(t, &got, gate.Options{}), c.path, c.body); res.Code != 200 || got.body != c.body {
				t.Errorf("answered %d %s; the handler got %q", res.Code, res.Body, got.body)
			}
		})
	}
}

// do sends a POST of alice's to a gate without a connection.
func do(h http.Handler, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestTheHandlerGetsTheBytesThatWereSentAndWhatTheyMean(t *testing.T) {
	var got seen
	body := "{ \"b\" : 2.0,\n\"a\":\"\\u0041\" }"
	do(newGate(t, &got, gate.Options{}), "/", body)
	b := gate.BodyOf(got.ctx)
	if got.body != body || string(b.Raw) != body || string(b.Canonical) != `{"a":"A","b":2}` {
		t.Errorf("read %q, and in the context %q and %q", got.body, b.Raw, b.Canonical)
	}
	if got.header.Get("Content-Length") != fmt.Sprint(len(body)) {
		t.Errorf("the header says %s", got.header.Get("Content-Length"))
	}
}
