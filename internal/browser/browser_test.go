package browser_test

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assentdev/assent/internal/browser"
)

// good is a page without a fault. Tests put something bad into its body.
func good(body string) string {
	return `<!doctype html><html lang="en"><head><title>Orders</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"></head>
<body><h1>Orders</h1>` + body + `</body></html>`
}

const style = `:root { color-scheme: light dark }
.pale { color: #999; background: #fff } .half { opacity: .4 } .ink { color: #222 } .odd { color: oklch(70% 0 0); background: white }
.wide { width: 600px } .tall { height: 3000px } .scrolls { overflow-x: auto } .cuts { overflow-x: hidden }
.picture { background-image: linear-gradient(#fff, #fff) } .faint::placeholder { color: #bbb }
.over { position: fixed; inset: 0; z-index: 1 }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden }`

// site serves pages by their path, and what a form sends.
func site(t testing.TB, pages map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self'; form-action 'self'")
		fmt.Fprint(w, page)
	})
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, style)
	})
	mux.HandleFunc("GET /app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, pages["app.js"])
	})
	mux.HandleFunc("POST /send", func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		http.Redirect(w, r, "/sent?"+r.PostForm.Encode(), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /sent", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>Sent</title><p id=got>%s</p>", html.EscapeString(r.FormValue("reason")+"/"+r.FormValue("answer")))
	})
	mux.HandleFunc("GET /nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

const form = `<form method="post" action="/send">
<p><label>Reason <input name="reason"></label></p>
<p><label><input type="radio" name="answer" value="once" checked> Once</label>
<label><input type="radio" name="answer" value="always"> Always</label></p>
<p><button id="ok">Allow</button> <a href="/other">Other</a></p></form>`

func TestAPageIsUsedAsAPersonUsesIt(t *testing.T) {
	b := browser.Start(t)
	at := site(t, map[string]string{"/": good(form), "/other": good("<p>Other page</p>")})

	for name, script := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name+", a form is sent by keys alone", func(t *testing.T) {
			p := b.Page(t, browser.Options{NoScript: !script})
			p.Open(at)
			p.Press("Tab")
			if got := p.Focused(); got != "input[name=reason]" {
				t.Fatalf("the focus is on %s", got)
			}
			p.Type("Why not?")
			p.Press("Tab", "ArrowDown")
			if got := p.Focused(); got != "input[name=answer][value=always]" {
				t.Fatalf("the focus is on %s", got)
			}
			p.Press("Enter")
			if got := p.Text("#got"); got != "Why not?/always" {
				t.Errorf("sent %q", got)
			}
			if got := p.URL(); !strings.Contains(got, "/sent?") {
				t.Errorf("the address is %s", got)
			}
		})
		t.Run(name+", buttons and links are clicked", func(t *testing.T) {
			p := b.Page(t, browser.Options{NoScript: !script})
			p.Open(at)
			p.Click("a")
			if got := p.Text("p"); got != "Other page" {
				t.Errorf("the link leads to %q", got)
			}
			p.Open(at)
			p.Click("#ok")
			if got := p.Text("#got"); got != "/once" {
				t.Errorf("sent %q", got)
			}
		})
	}

	t.Run("a space ticks, shift and tab go back", func(t *testing.T) {
		p := b.Page(t, browser.Options{})
		p.Open(at)
		p.Press("Tab", "Tab", "Tab", "Shift+Tab", "Tab")
		if got := p.Focused(); got != `button#ok "Allow"` {
			t.Errorf("the focus is on %s", got)
		}
		p.Press("Space")
		if got := p.Status(); got != http.StatusOK || !strings.Contains(p.HTML(), ">/once<") {
			t.Errorf("status %d, %s", got, p.HTML())
		}
	})
}

func TestAStepWaitsForWhatItCaused(t *testing.T) {
	b := browser.Start(t)
	at := site(t, map[string]string{
		"/": good(`<button id="late">Later</button> <a id="nothing" href="/nothing">Nothing</a>
<a id="mail" href="mailto:a@example.com">Mail</a><a id="go" href="#">Go</a> <p id="cover">Cover</p><script src="/app.js"></script>`),
		"/moved": good("<p id=moved>Moved</p>"),
		"app.js": `late.onclick = () => setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p id=new>New</p>"), 100);
go.onclick = (e) => { e.preventDefault(); setTimeout(() => { location.href = "/moved" }, 50) };`,
	})
	p := b.Page(t, browser.Options{})

	p.Open(at)
	p.Click("#late")
	if got := p.Text("#new"); got != "New" {
		t.Errorf("an element that a script brings: %q", got)
	}
	p.Click("#nothing")
	if got := p.Status(); got != http.StatusOK {
		t.Errorf("an answer without content leaves the page, whose status is now %d", got)
	}
	p.Click("#mail")
	if got := p.URL(); got != at+"/" {
		t.Errorf("an answer without content, or another program's address, led to %s", got)
	}
	p.Click("#go")
	p.Until(`location.pathname === "/moved"`)
	if got := p.Text("#moved"); got != "Moved" {
		t.Errorf("a document that a script brings: %q", got)
	}
	if got := p.Console(); len(got) > 0 {
		t.Errorf("the console says %q", got)
	}
	var sum int
	if p.Eval("Promise.resolve(1 + 2)", &sum); sum != 3 {
		t.Errorf("a promise gave %d", sum)
	}
}

func TestAClickReturnsWhenTheServerHasAnswered(t *testing.T) {
	var sent atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, good(form+`<a id="code" href="javascript:void 0">Code</a>`))
		if r.Method == http.MethodPost {
			sent.Store(true)
		}
	}))
	defer server.Close()
	p := browser.Start(t).Page(t, browser.Options{})
	for range 5 {
		sent.Store(false)
		p.Open(server.URL)
		if p.Click("#ok"); !sent.Load() {
			t.Fatal("the form was not sent")
		}
	}
	p.Click("#code") // leads nowhere, so nothing is waited for
}

func TestTheWindowIsAsThePersonHasIt(t *testing.T) {
	b := browser.Start(t)
	at := site(t, map[string]string{"/": good(`<p class="tall">Tall</p><noscript>No script</noscript>`)})

	for _, o := range []browser.Options{{}, {Width: 375, Height: 667, Scale: 2, Dark: true}, {Width: 500, NoScript: true}} {
		p := b.Page(t, o)
		p.Open(at)
		var got struct {
			Width int
			Dark  bool
		}
		p.Eval(`({width: innerWidth, dark: matchMedia("(prefers-color-scheme: dark)").matches})`, &got)
		if want := max(o.Width, 1280*b2i(o.Width == 0)); got.Width != want || got.Dark != o.Dark {
			t.Errorf("%+v: a window of %+v", o, got)
		}
		shot, err := png.DecodeConfig(bytes.NewReader(p.Screenshot()))
		if err != nil {
			t.Fatal(err)
		}
		if scale := max(1, int(o.Scale)); shot.Width != got.Width*scale || shot.Height < 3000*scale {
			t.Errorf("%+v: a picture of %d by %d", o, shot.Width, shot.Height)
		}
		if got := strings.Contains(p.Text("body"), "No script"); got != o.NoScript {
			t.Errorf("%+v: the text for pages without scripts is shown: %t", o, got)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestEachWindowHasCookiesOfItsOwn(t *testing.T) {
	b := browser.Start(t)
	at := site(t, map[string]string{"/": good("")})
	first, second := b.Page(t, browser.Options{}), b.Page(t, browser.Options{})
	first.Open(at)
	second.Open(at)
	first.Eval(`document.cookie = "who=ann"`, nil)
	var got string
	if second.Eval(`document.cookie`, &got); got != "" {
		t.Errorf("the second window has %q", got)
	}
}

func TestConsoleHoldsWhatWentWrong(t *testing.T) {
	b := browser.Start(t)
	at := site(t, map[string]string{
		"/good":    good("<p>Fine</p>"),
		"/style":   good(`<p style="color: red">Inline</p>`),
		"/script":  good(`<script>window.ran = true</script>`),
		"/missing": good(`<img alt="" src="/nowhere.png">`),
		"/outside": good(`<img alt="" src="https://example.com/x.png">`),
		"/refused": good(`<form method="post" action="http://example.com/"><button id="go">Go</button></form>`),
		"/app":     good(`<script src="/app.js"></script>`),
		"app.js":   `console.error("bad", 7); console.log("fine"); confirm("Really?"); fetch("/nowhere"); throw new Error("thrown")`,
	})
	for _, c := range []struct {
		path string
		want []string
	}{
		{"/good", nil},
		{"/nowhere", nil}, // a status is for the test to look at
		{"/style", []string{"security: "}},
		{"/script", []string{"security: "}},
		{"/missing", []string{"404"}},
		{"/outside", []string{"security: "}},
		{"/app", []string{"console: bad 7", "dialog: confirm: Really?", "Error: thrown", "404"}},
	} {
		t.Run(c.path, func(t *testing.T) {
			p := b.Page(t, browser.Options{})
			p.Open(at + c.path)
			if c.path == "/app" {
				p.Eval(`fetch("/nowhere").then(() => 0)`, nil)
			}
			got := p.Console()
			if c.want == nil && len(got) > 0 {
				t.Errorf("got %q", got)
			}
			for _, want := range c.want {
				if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, want) }) {
					t.Errorf("%q is not in %q", want, got)
				}
			}
		})
	}
	t.Run("a form that may not be sent", func(t *testing.T) {
		p := b.Page(t, browser.Options{})
		p.Open(at + "/refused")
		p.Click("#go")
		if got := p.Console(); len(got) != 1 || !strings.Contains(got[0], "form-action") {
			t.Errorf("got %q", got)
		}
	})
}
