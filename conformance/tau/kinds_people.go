package main

import (
	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model"
)

// Kinds in which a person does something else than to approve.

// repeatDenied repeats a denied call in another spelling, and after the user's
// next message again.
func repeatDenied(d *draft) bool {
	c, ok := d.any(d.asks)
	if !ok {
		return false
	}
	c.answer = answer{word: denies, reason: "I do not want this"}
	d.ask(c)
	again := d.fresh(c.Call)
	again.Args = respelled(d, object(c.Args))
	d.ask(again)
	d.say("Then not.")
	d.user("Do it after all.")
	d.ask(d.fresh(again.Call))
	return true
}

// threeDenials denies a tool until the turn ends, in three messages or in one.
func threeDenials(d *draft) bool {
	first, ok := d.anyUnique(d.asks)
	if !ok {
		return false
	}
	var calls []callPlan
	for range 4 {
		c, _ := d.unique(d.fresh(first.Call))
		c.answer = answer{word: denies}
		calls = append(calls, c)
	}
	if d.IntN(2) == 0 {
		d.ask(distinctIDs(calls)...).order = d.Perm(len(calls))
		return true
	}
	for _, c := range calls {
		d.ask(c)
	}
	return true
}

// forSession approves a tool for the session while another of its calls waits.
func forSession(d *draft) bool {
	first, ok := d.any(d.asks)
	if !ok {
		return false
	}
	calls := []callPlan{first}
	if c, ok := d.any(d.asks); ok {
		calls = append(calls, c)
	}
	second, _ := d.any(func(c model.Call) bool { return c.Name == first.Name })
	calls = distinctIDs(append(calls, second))
	calls[0].answer = answer{word: session}
	d.ask(calls...)
	d.ask(d.fresh(second.Call))
	d.say("Done.")
	d.user("Once more.")
	d.ask(d.fresh(first.Call))
	return true
}

// edit changes arguments to those of another call, or a little.
func edit(d *draft) bool {
	c, ok := d.any(d.asks)
	if !ok {
		return false
	}
	other, _ := d.any(func(o model.Call) bool { return o.Name == c.Name })
	c.answer = answer{word: edits, args: respelled(d, object(other.Args))}
	if v, ok := d.varied(c.Name, c.Args); ok && d.IntN(2) == 0 {
		c.answer.args = v
	}
	d.ask(c)
	d.ask(d.fresh(c.Call)) // no grant arose: it asks again
	return true
}

func editToInvalid(d *draft) bool {
	c, ok := d.any(d.asks)
	if !ok {
		return false
	}
	change := []func(*draft, map[string]any) string{broken, wrongType, missing, encodedTwice}[d.IntN(4)]
	c.answer = answer{word: edits, args: change(d, object(c.Args))}
	d.ask(c)
	return true
}

func editToDenied(d *draft) bool {
	c, ok := d.anyUnique(d.asks)
	if !ok {
		return false
	}
	other, _ := d.unique(d.fresh(c.Call))
	c.answer = answer{word: denies, reason: "no"}
	other.answer = answer{word: edits, args: c.Args}
	d.ask(c)
	d.ask(other)
	return true
}

func noDecision(d *draft) bool {
	c, ok := d.any(d.asks)
	if !ok {
		return false
	}
	c.answer = answer{word: []word{breaks, explodes, junk}[d.IntN(3)]}
	d.ask(c)
	again := d.fresh(c.Call)
	d.ask(again) // it was not denied: it may ask again
	return true
}

// interrupted ends the turn while some questions are answered and some are not.
func interrupted(how interrupt) func(d *draft) bool {
	return func(d *draft) bool {
		calls := append(d.several(1, 3, d.asks), d.several(1, 2, nil)...)
		calls = distinctIDs(calls)
		d.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
		waiting := 0
		for _, c := range calls {
			if d.asks(c.Call) {
				waiting++
			}
		}
		if waiting == 0 {
			return false
		}
		p := d.ask(calls...)
		p.order, p.interrupt, p.after = d.Perm(len(calls)), how, d.IntN(waiting)
		return true
	}
}

// modeChanges sets the mode while questions are open: a narrower one counts at
// once, a wider one from the next turn on (SPEC C6).
func modeChanges(modes ...assent.Mode) func(d *draft) bool {
	return func(d *draft) bool {
		calls := distinctIDs(append(d.several(1, 2, d.asks), d.several(1, 3, nil)...))
		p := d.ask(calls...)
		p.interrupt, p.to, p.after = changes, modes[d.IntN(len(modes))], d.IntN(2)
		c, _ := d.any(nil)
		d.ask(c)
		d.say("Is that all?")
		d.user("Go on.")
		d.ask(distinctIDs(d.several(1, 3, nil))...)
		return true
	}
}
