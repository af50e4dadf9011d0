package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/browser"
)

// listener is a test whose failure can be looked at.
type listener struct{ testing.TB }

type refusal string

func (listener) Helper() {}
func (listener) Fatalf(format string, args ...any) {
	panic(refusal("failed: " + fmt.Sprintf(format, args...)))
}
func (listener) Skipf(format string, args ...any) {
	panic(refusal("skipped: " + fmt.Sprintf(format, args...)))
}

// said returns how a test ended early, "" if it did not.
func said(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = string(r.(refusal))
		}
	}()
	f()
	return ""
}

func TestAStepThatFailsSaysWhatAndWhere(t *testing.T) {
	at := site(t, map[string]string{"/": good(`<div class="over">Over</div><button id="under">Under</button>
<button id="gone" hidden>Gone</button><img alt="" src="/nowhere.png">`)})
	p := browser.Start(t).Page(listener{t}, browser.Options{NoScript: true})
	p.Open(at)
	for _, c := range []struct {
		step func()
		want string
	}{
		{func() { p.Press("Hyper+x") }, `press Hyper+x: no modifier is called "Hyper"`},
		{func() { p.Press("Return") }, `press Return: no key is called "Return"`},
		{func() { p.Text("#none") }, "text of #none: no element matches #none"},
		{func() { p.Text("][") }, "not a valid selector"},
		{func() { p.Click("#under") }, `click #under: button#under "Under" is covered by div "Over"`},
		{func() { p.Click("#gone") }, `button#gone "Gone" is not visible`},
		{func() { p.Eval("missing.name", nil) }, "eval missing.name: ReferenceError"},
		{func() { p.Eval("document.title", new(int)) }, "cannot unmarshal"},
		{func() { p.Open("http://127.0.0.1:1/") }, "ERR_"},
	} {
		got := said(c.step)
		if !strings.HasPrefix(got, "failed: browser: ") || !strings.Contains(got, c.want) {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
		if c.want != "ERR_" && (!strings.Contains(got, "page: "+at) || !strings.Contains(got, "404")) {
			t.Errorf("neither the page nor its console are in\n%s", got)
		}
	}
}

func TestAPageReachesThisMachineOnly(t *testing.T) {
	b := browser.Start(t)
	for _, address := range []string{"http://example.com/", "http://192.0.2.1/", "http://[2001:db8::1]/"} {
		p := b.Page(listener{t}, browser.Options{})
		if got := said(func() { p.Open(address) }); !strings.Contains(got, "ERR_NAME_NOT_RESOLVED") {
			t.Errorf("%s: %s", address, got)
		}
	}
}

func TestWithoutAChromiumTestsAreSkippedButNotInCI(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct{ ci, named, want string }{
		{"", "", "skipped: browser: no Chromium is installed"},
		{"true", "", "failed: browser: no Chromium is installed"},
		{"", "/nowhere/chromium", "failed: browser: ASSENT_CHROMIUM: "},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv("ASSENT_CHROMIUM", c.named)
		if got := said(func() { browser.Start(listener{t}) }); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
