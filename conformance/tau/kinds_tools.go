package main

import "github.com/assentdev/assent/model"

// Kinds in which tools do not come back, and models go on and on.

// stopRunning stops a turn in which a tool works and does not come to an end.
func stopRunning(d *draft) bool {
	c, ok := d.anyUnique(func(c model.Call) bool { return d.runs(c) || d.asks(c) })
	if !ok {
		return false
	}
	c.does = hangs
	calls := distinctIDs(append(d.several(0, 2, nil), c))
	p := d.ask(calls...)
	p.interrupt = []interrupt{stops, supersedes}[d.IntN(2)]
	if d.asks(c.Call) { // it is approved first
		p.after = 1
		p.order = []int{len(calls) - 1}
		for i := range len(calls) - 1 {
			p.order = append(p.order, i)
		}
	}
	return true
}

func toolFails(d *draft) bool {
	c, ok := d.anyUnique(func(c model.Call) bool { return d.runs(c) || d.asks(c) })
	if !ok {
		return false
	}
	c.does = []deed{fails, panics}[d.IntN(2)]
	d.ask(distinctIDs(append(d.several(0, 2, nil), c))...)
	return true
}

// runaway repeats one call, spelled each time anew, beyond the limit.
func runaway(d *draft) bool {
	c, ok := d.any(d.runs)
	if !ok {
		return false
	}
	d.limits.Repeats = 2 + d.IntN(3)
	for range d.limits.Repeats + 3 {
		again := d.fresh(c.Call)
		again.Args = respelled(d, object(c.Args))
		d.ask(again)
	}
	return true
}

func tooManySteps(d *draft) bool {
	steps, _ := d.inTurn()
	d.limits.Steps = steps + 2
	for range 4 {
		c, ok := d.any(d.runs)
		if !ok {
			return false
		}
		d.ask(c)
	}
	return true
}

func tooManyCalls(d *draft) bool {
	_, before := d.inTurn()
	calls := d.several(2, 5, nil)
	d.limits.Calls = before + len(calls) - d.IntN(2) // at the limit, or one beyond
	d.ask(calls...)
	return true
}
