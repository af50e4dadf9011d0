package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/turn"
)

// judge holds what happened to the calls against what had to happen.
func (o *retailOutcome) judge(told []string, asked []approval.Request) {
	if n := len(o.task.Calls); len(o.calls) != n || len(told) != n {
		o.complain("%d calls were made and %d were answered, of %d", len(o.calls), len(told), n)
	}
	for _, r := range asked {
		i := slices.IndexFunc(o.calls, func(h *retailHappened) bool { return h.id == r.Call })
		if i < 0 {
			o.complain("a person was asked about a call that nobody made")
			continue
		}
		o.calls[i].asked = append(o.calls[i].asked, r)
	}
	for i, h := range o.calls[:min(len(o.calls), len(told))] {
		h.told = told[i]
		c := &o.task.Calls[i]
		complain := func(format string, args ...any) {
			o.complain("call %d %s: "+format, append([]any{i + 1, c.Name}, args...)...)
		}
		h.judgeAsks(c, complain)
		h.judgeRun(c, complain)
		h.judgeResult(c, complain)
	}
}

type complaint func(format string, args ...any)

// judgeAsks wants a destructive call that passed the check to be asked about
// once, with its arguments, and no other (SPEC C1, A1). The card shows what
// would change.
func (h *retailHappened) judgeAsks(c *retailCall, complain complaint) {
	if want := count(h.want.asks); len(h.asked) != want {
		complain("a person was asked %d times, not %d", len(h.asked), want)
	}
	for _, r := range h.asked {
		if string(r.Args) != h.want.args || r.Digest != digest(h.want.args) || r.Tool.Name != c.Name {
			complain("the person was shown %s %s, want %s", r.Tool.Name, short(string(r.Args)), short(h.want.args))
		}
		p := approval.NewCard(r).Preview
		switch shown := p != nil && p.Summary.Head != "" && len(p.Changes) > 0; {
		case shown:
			h.previews++
		case h.want.previews:
			complain("the card does not say what would change")
		}
	}
}

// judgeRun wants a call that passed the check to run once, and any other never.
func (h *retailHappened) judgeRun(c *retailCall, complain complaint) {
	want, starts := turn.OK, 1
	switch {
	case h.want.refused():
		want, starts = turn.Invalid, 0
	case c.failed():
		want = turn.Failed
	}
	if h.started != starts {
		complain("it was started %d times, not %d", h.started, starts)
	}
	if len(h.outcomes) != 1 || h.outcomes[0] != want {
		complain("it ended as %v, want %s: got %s, want %s", h.outcomes, want, short(h.told), short(*c.Result))
	}
}

// judgeResult wants the recorded result. What the check refuses has to be
// refused by the original tool, too, for whatever reason.
func (h *retailHappened) judgeResult(c *retailCall, complain complaint) {
	d := differs(h.told, *c.Result)
	failed := c.failed() && strings.HasPrefix(h.told, "Error: ")
	switch {
	case d == "":
		h.verdict = equalResult
	case failed && h.want.refused() && strings.HasPrefix(h.told, invalidPrefix):
		h.verdict = refusedEarlier
	case failed && c.pythonic():
		h.verdict = wordedOtherwise
	default:
		h.verdict = otherResult
		complain("%s", d)
	}
}

// pythonic says that the error's text is the one of an exception in Python,
// which no other program has.
func (c *retailCall) pythonic() bool {
	return c.Name == "calculate" && *c.Result != "Error: invalid characters in expression"
}

// compareStore wants the users and orders changed that the task says, so, and
// nothing else.
func (o *retailOutcome) compareStore(left changed) {
	before := len(o.wrong)
	want := map[string]string{}
	for id, doc := range o.task.Changed.Orders {
		want["orders "+id] = string(doc)
	}
	for id, doc := range o.task.Changed.Users {
		want["users "+id] = string(doc)
	}
	for _, what := range slices.Sorted(maps.Keys(left)) {
		doc, ok := want[what]
		switch {
		case left[what] == "":
			o.complain("the store: %s is gone", what)
		case !ok:
			o.complain("the store: %s changed, and must not: got %s", what, short(left[what]))
		default:
			if d := differs(left[what], doc); d != "" {
				o.complain("the store: %s: %s", what, d)
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(want)) {
		if _, ok := left[what]; !ok {
			o.complain("the store: %s did not change, want %s", what, short(want[what]))
		}
	}
	o.equalStore = before == len(o.wrong)
}
