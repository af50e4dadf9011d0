// Package card draws an approval card as lines for a terminal.
package card

import (
	"fmt"
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/internal/tui/ink"
)

// Draw returns the card of a question. place, such as "1 of 2", says where it
// stands among those that wait; "" for the only one. A card's texts are safe to
// print (SPEC P14); nothing of them is left out here.
func Draw(c approval.Card, k ink.Ink, place string) []string {
	d := drawing{Ink: k, width: k.Columns() - 2}
	d.head(c, place)
	d.reasons(c)
	if !Lost(c) {
		d.preview(c)
	}
	d.arguments(c)
	for _, w := range c.Warnings {
		text := w.Text
		if w.Code == "warn.similar" { // an id says nothing to a person
			text = "Similar to a call that was denied before."
		}
		d.add("", "! "+text, k.Alert)
	}
	if a := c.Assistant; a != nil {
		d.gap()
		d.add("", a.Label.Text+" "+a.Text.String(), k.Dim)
	}
	d.choices(c)
	return d.frame()
}

// drawing collects the lines of a card.
type drawing struct {
	ink.Ink
	width int
	lines []string
}

// add adds text behind an indent, wrapped, in a style; nil for none.
func (d *drawing) add(indent, text string, style func(string) string) {
	for _, line := range ink.Wrap(text, d.width-len(indent)) {
		if style != nil {
			line = style(line)
		}
		d.lines = append(d.lines, indent+line)
	}
}

func (d *drawing) gap() { d.lines = append(d.lines, "") }

// frame draws a bar at the left, so that nothing within can look like an end.
func (d *drawing) frame() []string {
	for i, line := range d.lines {
		d.lines[i] = strings.TrimRight("| "+line, " ")
	}
	return d.lines
}

func (d *drawing) head(c approval.Card, place string) {
	what := "May this run?"
	if Lost(c) {
		what = "What became of this?"
	}
	if place != "" {
		what += " (" + place + ")"
	}
	d.add("", what, d.Dim)
	d.add("", c.Title, d.Bold)
	d.class(c)
	from := c.Tool + ", from " + c.Source.Text
	if len(c.Path) > 0 {
		from += ", by way of " + strings.Join(c.Path, " > ")
	}
	d.add("", "Tool: "+from, nil)
}

// class draws the badge and what it means, without saying the word twice.
func (d *drawing) class(c approval.Card) {
	_, meaning, _ := strings.Cut(c.ClassText.Text, ": ")
	badge := ink.Ink{}.Class(c.Class)
	for i, line := range ink.Wrap(badge+" "+meaning, d.width) {
		if i == 0 {
			line = d.Class(c.Class) + strings.TrimPrefix(line, badge)
		}
		d.lines = append(d.lines, line)
	}
}

func (d *drawing) reasons(c approval.Card) {
	for _, why := range c.Why {
		d.add("", "Asks because: "+why.Text, nil)
	}
}

func (d *drawing) preview(c approval.Card) {
	d.gap()
	switch {
	case c.Preview != nil:
		d.add("", "What would change: "+c.Preview.Summary.String(), nil)
	case c.NoPreview != nil:
		d.add("", "! What would change cannot be said: "+c.NoPreview.String(), d.Alert)
		return
	default:
		d.add("", "The tool cannot say beforehand what would change.", nil)
		return
	}
	for _, c := range c.Preview.Changes {
		d.add("  ", fmt.Sprintf("%s: %s", c.Label, change(c)), nil)
	}
}

func change(c approval.Change) string {
	switch {
	case c.Before == nil && c.After == nil:
		return "changes"
	case c.Before == nil:
		return c.After.String() + " (new)"
	case c.After == nil:
		return c.Before.String() + " (lost)"
	}
	return c.Before.String() + " -> " + c.After.String()
}

func (d *drawing) arguments(c approval.Card) {
	d.gap()
	if len(c.Rows) == 0 {
		d.add("", "Arguments: "+c.JSON, nil)
		return
	}
	d.add("", "Arguments", nil)
	for _, row := range c.Rows {
		d.row(row)
	}
}

// row draws one argument. Its own name always stands first, because a label is
// the schema's word.
func (d *drawing) row(r approval.Row) {
	text := r.Name
	if r.Label != "" {
		text += " (" + r.Label + ")"
	}
	text += ": " + value(r)
	if r.Named != nil { // behind the value, which is what runs
		text += " = " + quoted(*r.Named)
	}
	var marks []string
	for _, m := range []struct {
		set  bool
		word string
	}{{r.Changed, "changed by a person"}, {r.Filled, "the default"}, {r.Extra, "not named by the tool"}, {r.Collapsed, "not shown whole: press o"}} {
		if m.set {
			marks = append(marks, m.word)
		}
	}
	if len(marks) > 0 {
		text += " [" + strings.Join(marks, "; ") + "]"
	}
	d.add(strings.Repeat("  ", r.Depth+1), text, nil)
}

func value(r approval.Row) string {
	switch {
	case r.Secret:
		return approval.Secret + " (a secret)"
	case r.Type == "object" || r.Type == "array":
		return r.Size.Text
	case r.Type == "string":
		return quoted(r.Value)
	}
	return r.Value.String()
}

// quoted returns text between quotes, which end where they seem to end: a quote
// in it is written \", which is none of the escapes of safetext.
func quoted(v approval.Value) string {
	return `"` + strings.ReplaceAll(v.String(), `"`, `\"`) + `"`
}

// Opened returns the lines of one value shown whole, as approval.Open gives it.
func Opened(rows []approval.Row, k ink.Ink) []string {
	d := drawing{Ink: k, width: k.Columns() - 2}
	for _, row := range rows {
		if len(row.Lines) == 0 {
			d.row(row)
			continue
		}
		d.add("  ", row.Name+":", nil)
		for _, line := range row.Lines {
			d.add("    ", line, nil)
		}
	}
	return d.frame()
}
