package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// checks are the rules that need only the document and its styles. The word
// LIBRARY in it stands for the library.
//
//go:embed checks.js
var checks string

// script returns an expression that calls one of the checks.
func script(function string) string {
	return "(" + strings.Replace(checks, "LIBRARY", library, 1) + ")." + function + "()"
}

// Problem is something that keeps somebody from using a page.
type Problem struct {
	// Rule is language, title, viewport, id, reference, heading, image, label,
	// contrast or name.
	Rule    string
	Element string // described as by Focused
	Detail  string
}

// String returns the problem as a line of a failure.
func (p Problem) String() string { return p.Rule + ": " + p.Element + ": " + p.Detail }

// Accessibility returns what a person with a screen reader, a keyboard or weak
// eyes would stumble over in the page as it is shown now:
//
//   - a document without language, title or viewport;
//   - an id that is used twice, a reference to an id that is not there;
//   - a heading that skips a level, or a first one that is not of level 1;
//   - an image without alternative text;
//   - a field without a label; a placeholder is none;
//   - a button, link, tab, menu item or dialog without a name;
//   - text with a contrast below 4.5:1, whatever its size. Text over a picture
//     or a gradient, disabled controls and generated content are not judged.
func (p *Page) Accessibility() (found []Problem) {
	p.t.Helper()
	p.do("check accessibility", func(ctx context.Context) error {
		if err := p.eval(ctx, script("problems"), &found); err != nil {
			return err
		}
		nameless, err := p.nameless(ctx)
		found = append(found, nameless...)
		return err
	})
	return found
}

// Overflows returns the elements that reach beyond the right edge of the
// window, so that a person would have to scroll sideways or would not see them.
// What is wide inside an element that scrolls by itself is none.
func (p *Page) Overflows() (found []string) {
	p.t.Helper()
	p.Eval(script("overflows"), &found)
	return found
}

// nameless asks the browser itself how it would present the page to a screen
// reader, and returns what has no name there.
func (p *Page) nameless(ctx context.Context) ([]Problem, error) {
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return nil, err
	}
	var found []Problem
	for _, n := range tree.Nodes {
		role := word(n.Role)
		if n.Ignored || !needsName(role) || strings.TrimSpace(word(n.Name)) != "" {
			continue
		}
		element, err := describe(ctx, n.BackendDOMNodeID)
		if err != nil {
			return nil, err
		}
		found = append(found, Problem{Rule: "name", Element: element, Detail: fmt.Sprintf("this %s has no name", role)})
	}
	return found, nil
}

func needsName(role string) bool {
	switch role {
	case "button", "link", "tab", "menuitem", "dialog", "alertdialog", "switch":
		return true
	}
	return false
}

func word(v *accessibility.Value) (text string) {
	if v != nil {
		_ = json.Unmarshal(v.Value, &text) // what is no text is no name either
	}
	return text
}

// describe returns the description of an element that the browser named.
func describe(ctx context.Context, id cdp.BackendNodeID) (text string, err error) {
	node, err := chromedp.Call(ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id})
	if err != nil {
		return "", err
	}
	res, err := chromedp.Call(ctx, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function () { return (" + library + ").describe(this) }",
		ObjectID:            node.Object.ObjectID, ReturnByValue: new(true),
	})
	if err != nil {
		return "", err
	}
	return text, json.Unmarshal(res.Result.Value, &text)
}
