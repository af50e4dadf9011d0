package card

import (
	"slices"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/internal/tui/ink"
)

// keys are the keys of choices. Scopes that need more than a key, a condition or
// a date, are not offered in a terminal.
var keys = map[approval.Choice]rune{
	approval.ChooseApprove: 'y',
	approval.ChooseExact:   'x',
	approval.ChooseSession: 's',
	approval.ChooseEdit:    'e',
	approval.ChooseDeny:    'n',

	approval.ChooseHappened: 'h',
	approval.ChooseRunAgain: 'g',
	approval.ChooseGiveUp:   'l',
}

// lostLabels say what follows from each word on a call whose outcome is unknown.
var lostLabels = map[approval.Choice]string{
	approval.ChooseHappened: "It happened: the model is told so",
	approval.ChooseRunAgain: "Go again: run it once more, which is right only if it did not happen",
	approval.ChooseGiveUp:   "Leave it: the model is told that nobody knows",
}

// The keys beside those of choices.
const (
	Reason  = 'r' // deny, and say why
	Open    = 'o' // show what is collapsed
	Wider   = 'w' // show the scopes that stand one step away
	Confirm = 'a' // the second key of a destructive or unknown call
	Again   = '?' // show the card again
)

// Option returns the choice of a key. wider says that the scopes one step away
// are shown.
func Option(c approval.Card, key rune, wider bool) (approval.Option, bool) {
	i := slices.IndexFunc(c.Options, func(o approval.Option) bool { return keys[o.Choice] == key })
	if i < 0 || c.Options[i].Away && !wider {
		return approval.Option{}, false
	}
	return c.Options[i], true
}

// Lost says that a card asks what became of a call and not whether it may run.
func Lost(c approval.Card) bool {
	return slices.ContainsFunc(c.Options, func(o approval.Option) bool { return o.Choice == approval.ChooseHappened })
}

// HasWider says whether scopes stand one step away.
func HasWider(c approval.Card) bool {
	return slices.ContainsFunc(c.Options, func(o approval.Option) bool { return o.Away && keys[o.Choice] != 0 })
}

// Wide returns the lines of the scopes that stand one step away.
func Wide(c approval.Card, k ink.Ink) []string {
	d := drawing{Ink: k, width: k.Columns() - 2}
	for _, o := range c.Options {
		if o.Away && keys[o.Choice] != 0 {
			d.choice(keys[o.Choice], label(o))
		}
	}
	return d.frame()
}

func (d *drawing) choices(c approval.Card) {
	d.gap()
	for _, o := range c.Options {
		if !o.Away && keys[o.Choice] != 0 {
			d.choice(keys[o.Choice], label(o))
		}
	}
	if !Lost(c) {
		d.choice(Reason, "Deny and say why")
	}
	if len(c.MustOpen) > 0 {
		d.choice(Open, "Show all of it, which is needed before it can be allowed")
	}
	if HasWider(c) {
		d.choice(Wider, "Allow more than this once")
	}
	d.add("", "Esc stops the turn. Enter alone decides nothing.", d.Dim)
}

// choice draws a key and what it does.
func (d *drawing) choice(key rune, text string) {
	for i, line := range ink.Wrap(text, d.width-3) {
		lead := "   "
		if i == 0 {
			lead = string(key) + "  "
		}
		d.lines = append(d.lines, lead+line)
	}
}

// label is a choice in words, and what an approval is remembered for.
func label(o approval.Option) string {
	text := o.Label.Text
	if lost, ok := lostLabels[o.Choice]; ok {
		return lost
	}
	if o.Scope != nil && o.Choice != approval.ChooseApprove {
		text += ": " + o.Scope.Text
	}
	return text
}
