package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// events is what was heard of a page. The page tells that a key or a click
// wants another document while it handles them, so when it has answered one
// more question it is known whether there is something to wait for.
type events struct {
	main cdp.FrameID

	mu        sync.Mutex
	wanted    bool          // another document was asked for
	loading   bool          // it is on its way
	changed   chan struct{} // closed and renewed when a load ends
	address   string
	status    int
	documents map[network.RequestID]bool
	lines     []line
}

// line is one complaint of the page. request is empty or what failed.
type line struct {
	text    string
	request network.RequestID
}

// settle waits until the page is not loading and nothing asked for a load.
func (e *events) settle(ctx context.Context) error {
	for {
		e.mu.Lock()
		busy, changed := e.wanted || e.loading, e.changed
		e.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the page is still loading: %w", ctx.Err())
		}
	}
}

// hear notes an event. It runs in the goroutine that reads from the browser,
// before the answers that follow the event.
func (p *Page) hear(ev any) {
	e := p.events
	e.mu.Lock()
	defer e.mu.Unlock()
	switch ev := ev.(type) {
	case *page.EventFrameRequestedNavigation:
		if ev.FrameID == e.main && ev.Disposition == page.ClientNavigationDispositionCurrentTab {
			e.wanted = true
		}
	case *page.EventFrameStartedLoading:
		if ev.FrameID == e.main {
			e.wanted, e.loading = false, true
		}
	case *page.EventFrameStoppedLoading:
		if ev.FrameID == e.main {
			e.loading = false
			close(e.changed)
			e.changed = make(chan struct{})
		}
	case *page.EventFrameNavigated:
		if ev.Frame.ParentID == "" {
			e.address = ev.Frame.URL
		}
	case *network.EventResponseReceived:
		e.document(ev)
	case *page.EventJavascriptDialogOpening:
		e.complain("", "dialog: %s: %s", ev.Type, ev.Message)
		go p.dismiss(ev.Type)
	default:
		e.hearComplaint(ev)
	}
}

// document notes the status of the page itself. That a page answers 404 is for
// a test to look at, and no failed request of the page.
func (e *events) document(ev *network.EventResponseReceived) {
	if ev.Type != network.ResourceTypeDocument || ev.FrameID != e.main {
		return
	}
	if e.documents == nil {
		e.documents = map[network.RequestID]bool{}
	}
	e.documents[ev.RequestID] = true
	if ev.Response.Status != 204 { // the page shown stays
		e.status = int(ev.Response.Status)
	}
}

func (e *events) hearComplaint(ev any) {
	switch ev := ev.(type) {
	case *log.EventEntryAdded:
		// The browser asks for /favicon.ico by itself, whether or not there is one.
		if ev.Entry.Level == log.EntryLevelError && !strings.HasSuffix(ev.Entry.URL, "/favicon.ico") {
			e.complain(ev.Entry.NetworkRequestID, "%s: %s (%s)", ev.Entry.Source, strings.TrimSpace(ev.Entry.Text), ev.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		e.complain("", "exception: %s", exception(ev.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeAssert {
			e.complain("", "console: %s", spoken(ev.Args))
		}
	}
}

func (e *events) complain(request network.RequestID, format string, args ...any) {
	e.lines = append(e.lines, line{fmt.Sprintf(format, args...), request})
}

// spoken returns the arguments of console.error as one line.
func spoken(args []*runtime.RemoteObject) string {
	var words []string
	for _, a := range args {
		word := a.Description
		if word == "" {
			word = strings.Trim(string(a.Value), `"`)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// dismiss closes a dialog, which would stop the page for ever. Leaving a page
// is not prevented.
func (p *Page) dismiss(kind page.DialogType) {
	_, _ = chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{
		Accept: kind == page.DialogTypeBeforeunload,
	})
}

// console returns the complaints so far, in order.
func (e *events) console() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var texts []string
	for _, l := range e.lines {
		if !e.documents[l.request] {
			texts = append(texts, l.text)
		}
	}
	return texts
}

// String says where the page is and what it complained about, for a failure.
func (e *events) String() string {
	e.mu.Lock()
	where := e.address
	e.mu.Unlock()
	return strings.Join(append([]string{"page: " + where}, e.console()...), "\n")
}

// Console returns everything that went wrong in the page since it was opened:
// errors of scripts and on the console, what a content security policy refused,
// requests that failed, and dialogs, which are dismissed. The status of a
// document itself is not among them.
func (p *Page) Console() []string {
	p.t.Helper()
	p.do("console", nothing)
	return p.events.console()
}
