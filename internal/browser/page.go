package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Options says what a person's window is like.
type Options struct {
	Width, Height int     // of the window in CSS pixels; zero means 1280 and 800
	Scale         float64 // device pixels for each CSS pixel; zero means 1
	Dark          bool    // the person prefers dark colours
	NoScript      bool    // scripts of the page do not run
}

// Page is one window with cookies of its own. Its methods fail the test on an
// error, and must be called from the goroutine of the test.
type Page struct {
	t      T
	ctx    context.Context
	still  bool // scripts do not run, so nothing changes by itself
	events *events
}

// Page opens a window, which closes when the test ends. Animations are reduced,
// as for a person who prefers that.
func (b *Browser) Page(t T, o Options) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancel()
	})
	if err := open(ctx); err != nil {
		t.Fatalf("browser: open a window: %v", err)
	}
	p := &Page{t: t, ctx: ctx, still: o.NoScript}
	p.events = &events{main: cdp.FrameID(chromedp.FromContext(ctx).Target.TargetID), changed: make(chan struct{})}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatalf("browser: listen: %v", err)
	}
	p.do("set up the window", func(ctx context.Context) error { return o.apply(ctx) })
	return p
}

// open makes the tab itself. Its life is that of the context of the first call,
// so there is no deadline but the process's.
func open(ctx context.Context) error { return chromedp.Do(ctx) }

func (o Options) apply(ctx context.Context) error {
	colours := "light"
	if o.Dark {
		colours = "dark"
	}
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(cmp.Or(o.Width, 1280)), Height: int64(cmp.Or(o.Height, 800)), DeviceScaleFactor: cmp.Or(o.Scale, 1),
	})
	_, err2 := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: colours},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	_, err3 := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: o.NoScript})
	_, err4 := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	_, err5 := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	return errors.Join(err, err2, err3, err4, err5)
}

// do runs one step: after whatever the page is loading, and until what the step
// started has loaded.
func (p *Page) do(what string, step func(context.Context) error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	err := p.events.settle(ctx)
	for _, next := range []func(context.Context) error{step, p.fence, p.events.settle} {
		if err == nil {
			err = next(ctx)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("not within %s: %w", patience, err)
	}
	if err != nil {
		p.t.Fatalf("browser: %s: %v\n%s", what, err, p.events)
	}
}

// Open goes to an address and waits until it has loaded, whatever its status.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.do("open "+url, func(ctx context.Context) error {
		res, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: url})
		if err == nil && res.ErrorText != "" {
			err = errors.New(res.ErrorText)
		}
		return err
	})
}

// Status returns the HTTP status of the document shown, such as 200, and 0
// before the first.
func (p *Page) Status() int {
	p.t.Helper()
	p.do("status", nothing)
	p.events.mu.Lock()
	defer p.events.mu.Unlock()
	return p.events.status
}

// URL returns the address of the document shown.
func (p *Page) URL() (url string) {
	p.t.Helper()
	p.Eval("location.href", &url)
	return url
}

// HTML returns the document as it is now, from <html> to </html>.
func (p *Page) HTML() (text string) {
	p.t.Helper()
	p.Eval("document.documentElement.outerHTML", &text)
	return text
}

// Text returns the text that a person reads in the first element that matches
// a CSS selector, as one line with single spaces. If there is no such element
// it waits for one, unless scripts are off.
func (p *Page) Text(selector string) (text string) {
	p.t.Helper()
	p.do("text of "+selector, func(ctx context.Context) error {
		return p.ask(ctx, &text, "text", selector)
	})
	return text
}

// Eval runs an expression in the page, waits for it if it is a promise, and
// decodes its value as JSON into out, unless that is nil.
func (p *Page) Eval(js string, out any) {
	p.t.Helper()
	p.do("eval "+shorten(js), func(ctx context.Context) error { return p.eval(ctx, js, out) })
}

// Until waits until an expression is true in the page. Scripts have to be on.
func (p *Page) Until(js string) {
	p.t.Helper()
	p.do("wait until "+shorten(js), func(ctx context.Context) error {
		return p.wait(ctx, "() => ("+js+")")
	})
}

// Screenshot returns the whole page, also what lies below the window, as PNG.
func (p *Page) Screenshot() (png []byte) {
	p.t.Helper()
	p.do("screenshot", func(ctx context.Context) (err error) {
		png, err = chromedp.Run(ctx, chromedp.FullScreenshot(100))
		return err
	})
	return png
}

// fence waits until everything that the page has done so far was heard. Keys
// and clicks are answered by another process than the one that tells of
// documents and errors, and either may be first.
func (p *Page) fence(ctx context.Context) error {
	err := p.eval(ctx, "0", nil)
	if replaced(err) {
		return nil
	}
	return err
}

// nothing is a step for what is known when all was heard.
func nothing(context.Context) error { return nil }

func shorten(js string) string {
	if first, _, more := strings.Cut(js, "\n"); more {
		return first + " …"
	}
	return js
}

// quote returns a value as an expression of JavaScript.
func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a value of ours
	}
	return string(text)
}
