package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// key returns what the protocol calls a key, "" for a name nobody knows.
func key(name string) string {
	switch name {
	case "Tab":
		return kb.Tab
	case "Enter":
		return kb.Enter
	case "Space":
		return " "
	case "Escape":
		return kb.Escape
	case "Backspace":
		return kb.Backspace
	case "Delete":
		return kb.Delete
	case "ArrowUp":
		return kb.ArrowUp
	case "ArrowDown":
		return kb.ArrowDown
	case "ArrowLeft":
		return kb.ArrowLeft
	case "ArrowRight":
		return kb.ArrowRight
	case "Home":
		return kb.Home
	case "End":
		return kb.End
	case "PageUp":
		return kb.PageUp
	case "PageDown":
		return kb.PageDown
	}
	if utf8.RuneCountInString(name) == 1 {
		return name
	}
	return ""
}

func modifier(name string) (chromedp.Modifier, bool) {
	switch name {
	case "Shift":
		return chromedp.ModifierShift, true
	case "Control":
		return chromedp.ModifierCtrl, true
	case "Alt":
		return chromedp.ModifierAlt, true
	case "Meta":
		return chromedp.ModifierMeta, true
	}
	return chromedp.ModifierNone, false
}

// stroke parses "Enter", "a" or "Shift+Tab".
func stroke(text string) (string, []chromedp.Modifier, error) {
	parts := strings.Split(text, "+")
	if text == "+" {
		parts = []string{text}
	}
	var held []chromedp.Modifier
	for _, name := range parts[:len(parts)-1] {
		m, ok := modifier(name)
		if !ok {
			return "", nil, fmt.Errorf("no modifier is called %q", name)
		}
		held = append(held, m)
	}
	k := key(parts[len(parts)-1])
	if k == "" {
		return "", nil, fmt.Errorf("no key is called %q", text)
	}
	return k, held, nil
}

// Press presses and releases keys, one after the other: Tab, Enter, Space,
// Escape, Backspace, Delete, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, Home,
// End, PageUp, PageDown or a character, after Shift+, Control+, Alt+ or Meta+.
// A page to which a key leads has loaded when the next is pressed.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, text := range keys {
		p.do("press "+text, func(ctx context.Context) error {
			k, held, err := stroke(text)
			if err != nil {
				return err
			}
			return chromedp.Do(ctx, chromedp.KeyEvent(k, chromedp.KeyModifiers(held...)))
		})
	}
}

// Type presses the key of each character, wherever the focus is.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.do("type", func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.KeyEvent(text)) })
}

// Focused describes the element that has the focus: its tag, id and name, and
// the start of its text, as in `button#ok[name=answer] "Allow"`. It is "body"
// where no element has it.
func (p *Page) Focused() (text string) {
	p.t.Helper()
	p.Eval("("+library+").focused()", &text)
	return text
}

// target is where an element can be hit, or why it cannot.
type target struct {
	X, Y float64
	Why  string
}

// Click scrolls to the first element that matches a CSS selector and clicks in
// its middle. It fails where something else would get the click.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.do("click "+selector, func(ctx context.Context) error {
		var at target
		if err := p.ask(ctx, &at, "target", selector); err != nil {
			return err
		}
		if at.Why != "" {
			return errors.New(at.Why)
		}
		return chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y))
	})
}

// TabTo presses Tab until an element has the focus whose description, as
// [Page.Focused] gives it, holds a text. It fails the test where the keys do not
// lead there.
func (p *Page) TabTo(text string) {
	p.t.Helper()
	var seen []string
	for range 60 {
		p.Press("Tab")
		at := p.Focused()
		if strings.Contains(at, text) {
			return
		}
		seen = append(seen, at)
	}
	p.t.Fatalf("browser: the keys do not lead to %q, but to %s", text, strings.Join(seen, ", "))
}
