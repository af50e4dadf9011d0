package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// library is what the steps run in the page: an expression whose value has a
// function for each. It leaves nothing behind in the page.
//
//go:embed library.js
var library string

// ask calls a function of the library on the first element that matches a
// selector, and waits for that element where scripts could still bring it.
func (p *Page) ask(ctx context.Context, out any, function, selector string) error {
	var found bool
	if err := p.eval(ctx, fmt.Sprintf("document.querySelector(%s) !== null", quote(selector)), &found); err != nil {
		return err
	}
	if !found && p.still {
		return fmt.Errorf("no element matches %s", selector)
	}
	if !found {
		if err := p.wait(ctx, fmt.Sprintf("() => document.querySelector(%s)", quote(selector))); err != nil {
			return fmt.Errorf("no element matches %s: %w", selector, err)
		}
	}
	return p.eval(ctx, fmt.Sprintf("(%s).%s(document.querySelector(%s))", library, function, quote(selector)), out)
}

// wait lets the page itself look until a function returns something true, and
// goes on where another document takes the place of the one that looked.
func (p *Page) wait(ctx context.Context, check string) error {
	for {
		err := p.eval(ctx, fmt.Sprintf("(%s).until(%s)", library, check), nil)
		if !replaced(err) {
			return err
		}
		if err := p.events.settle(ctx); err != nil {
			return err
		}
	}
}

// replaced says whether a document went away while it was asked.
func replaced(err error) bool {
	var e *cdproto.Error
	return errors.As(err, &e) && (strings.Contains(e.Message, "navigated") || strings.Contains(e.Message, "context"))
}

// eval evaluates an expression, waits for it if it is a promise, and decodes its
// value into out, unless that is nil. Where scripts are off, a promise that needs
// a timer or an event is never fulfilled.
func (p *Page) eval(ctx context.Context, js string, out any) error {
	res, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: js, ReturnByValue: new(true), AwaitPromise: new(true),
	})
	switch {
	case err != nil:
		return err
	case res.ExceptionDetails != nil:
		return errors.New(exception(res.ExceptionDetails))
	case out == nil:
		return nil
	case len(res.Result.Value) == 0:
		return fmt.Errorf("the value is %s, which JSON cannot hold", res.Result.Type)
	}
	return json.Unmarshal(res.Result.Value, out)
}

// exception returns what a script threw, with its first line of the stack.
func exception(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	if d.Exception != nil && len(d.Exception.Value) > 0 {
		return d.Text + " " + string(d.Exception.Value)
	}
	return d.Text
}
