package main

import (
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model"
)

// kind is one way to make a conversation harder. make adds messages of the
// model, and says whether it could.
type kind struct {
	name  string
	modes []assent.Mode
	make  func(d *draft) bool
}

var (
	open   = []assent.Mode{assent.Auto, assent.Ask, assent.ReadOnly}
	asking = []assent.Mode{assent.Auto, assent.Ask, assent.Ask}
	closed = []assent.Mode{assent.ReadOnly, assent.Off}
)

// kinds is a table: what is made of each conversation.
var kinds = []kind{
	{"arguments: broken JSON", open, args(broken)},
	{"arguments: wrong type", open, args(wrongType)},
	{"arguments: missing", open, args(missing)},
	{"arguments: null", open, args(null)},
	{"arguments: encoded twice", open, args(encodedTwice)},
	{"arguments: in a list", open, args(inList)},
	{"arguments: doubled key", open, args(doubledKey)},
	{"arguments: key in capitals", open, args(caseTwin)},
	{"arguments: half a pair", open, args(halfPair)},
	{"arguments: further key", open, args(furtherKey)},
	{"arguments: text behind", open, args(textBehind)},
	{"arguments: written otherwise", open, args(respelled)},
	{"arguments: strict nulls", open, strictNulls},
	{"arguments: none", open, args(func(*draft, map[string]any) string { return "" })},
	{"batch", open, batch},
	{"batch with faults", open, batchWithFaults},
	{"batch: the same id twice", open, sameIDs},
	{"batch: mixed answers", asking, mixedAnswers},
	{"batch: prompt answers", asking, promptAnswers},
	{"batch: identical calls", asking, identical},
	{"unknown tool", open, unknownTool},
	{"hidden tool", closed, hiddenTool},
	{"repeat after a denial", asking, repeatDenied},
	{"three denials", asking, threeDenials},
	{"approved for the session", asking, forSession},
	{"edit", asking, edit},
	{"edit to invalid", asking, editToInvalid},
	{"edit to what was denied", asking, editToDenied},
	{"handler without a decision", asking, noDecision},
	{"stop with questions open", asking, interrupted(stops)},
	{"message with questions open", asking, interrupted(supersedes)},
	{"narrower mode in a turn", asking, modeChanges(assent.Off, assent.ReadOnly, assent.Ask)},
	{"wider mode in a turn", open, modeChanges(assent.Auto)},
	{"stop while a tool runs", asking, stopRunning},
	{"tool fails", open, toolFails},
	{"limit of repeats", open, runaway},
	{"limit of messages", open, tooManySteps},
	{"limit of calls", open, tooManyCalls},
}

// args makes a kind of a change to the arguments of the tool that was called
// here, or of any other: most recorded calls only read.
func args(change func(d *draft, v map[string]any) string) func(d *draft) bool {
	return func(d *draft) bool {
		other := d.IntN(2) == 0
		c, ok := d.any(func(c model.Call) bool { return other || c.Name == d.recorded.Name })
		if !ok {
			return false
		}
		c.Args = change(d, object(c.Args))
		d.ask(c)
		return true
	}
}

func object(args string) map[string]any {
	v, _ := readStrict(args) // calls of the pool can be read
	return v.(map[string]any)
}

func batch(d *draft) bool {
	d.ask(d.several(2, 5, nil)...)
	return true
}

func batchWithFaults(d *draft) bool {
	calls := d.several(3, 5, nil)
	for i := range calls {
		switch d.IntN(4) {
		case 0:
			calls[i].Args = broken(d, object(calls[i].Args))
		case 1:
			calls[i].Args = wrongType(d, object(calls[i].Args))
		case 2:
			calls[i].Name = d.noTool()
		}
	}
	d.ask(calls...)
	return true
}

func sameIDs(d *draft) bool {
	calls := d.several(2, 5, nil)
	if len(calls) < 2 {
		return false
	}
	i := d.IntN(len(calls) - 1)
	calls[i].ID = calls[i+1].ID
	d.ask(calls...)
	return true
}

func mixedAnswers(d *draft) bool {
	calls := d.several(2, 5, nil)
	c, ok := d.any(d.asks)
	if !ok {
		return false
	}
	calls = append(calls[:len(calls)-1], c)
	for i := range calls {
		calls[i].answer = d.someAnswer(calls[i])
	}
	d.ask(distinctIDs(calls)...).order = d.Perm(len(calls))
	return true
}

// identical calls stand in one message, each spelled in its own way: approving
// one approves no other, and denying one denies those that are still open.
func identical(d *draft) bool {
	c, ok := d.any(d.asks)
	if !ok {
		return false
	}
	calls := []callPlan{c}
	for range 1 + d.IntN(3) {
		again := d.fresh(c.Call)
		again.Args = respelled(d, object(c.Args))
		calls = append(calls, again)
	}
	for i := range calls {
		if d.IntN(3) == 0 {
			calls[i].answer = answer{word: denies, reason: "once is enough"}
		}
	}
	d.ask(distinctIDs(calls)...).order = d.Perm(len(calls))
	return true
}

// promptAnswers lets people answer while other calls of the message run. No
// answer here has a say in another call, so that no order changes what comes out.
func promptAnswers(d *draft) bool {
	var calls []callPlan
	denied := map[string]bool{}
	for range 2 + d.IntN(4) {
		c, ok := d.anyUnique(func(c model.Call) bool { return d.asks(c) || d.runs(c) })
		if !ok {
			return false
		}
		switch {
		case d.IntN(3) == 0 && !denied[c.Name]:
			c.answer, denied[c.Name] = answer{word: denies, reason: "not this one"}, true
		case d.IntN(3) == 0:
			c.answer = answer{word: []word{breaks, explodes, junk}[d.IntN(3)]}
		}
		calls = append(calls, c)
	}
	d.ask(distinctIDs(calls)...).prompt = true
	return true
}

func (d *draft) someAnswer(c callPlan) answer {
	switch d.IntN(6) {
	case 0:
		return answer{word: denies, reason: "not on a " + []string{"Monday", "Friday"}[d.IntN(2)]}
	case 1:
		return answer{word: session}
	case 2:
		if v, ok := d.varied(c.Name, c.Args); ok {
			return answer{word: edits, args: v}
		}
	case 3:
		return answer{word: []word{breaks, explodes, junk}[d.IntN(3)]}
	}
	return answer{}
}

// distinctIDs gives calls with ids that differ, whatever ids they had.
func distinctIDs(calls []callPlan) []callPlan {
	seen := map[string]bool{}
	for i := range calls {
		for seen[calls[i].ID] {
			calls[i].ID += "x"
		}
		seen[calls[i].ID] = true
	}
	return calls
}

// noTool is a name that no tool has, though it may look like one.
func (d *draft) noTool() string {
	name := d.set.tools[d.IntN(len(d.set.tools))].name
	name = []string{strings.ToUpper(name), name + "_", strings.ReplaceAll(name, "_", "-"), "x" + name, "rm"}[d.IntN(5)]
	if d.set.tool(name) != nil {
		return "no_" + name
	}
	return name
}

func unknownTool(d *draft) bool {
	c := d.fresh(d.recorded)
	c.Name = d.noTool()
	if d.IntN(2) == 0 {
		c.Args = "{"
	}
	d.ask(c)
	return true
}

// hiddenTool calls what the mode hides, also with arguments that nobody may look at.
func hiddenTool(d *draft) bool {
	c, ok := d.any(func(c model.Call) bool { return table(d.mode, d.class(c)) == "hidden" })
	if !ok {
		return false
	}
	if d.IntN(2) == 0 {
		c.Args = broken(d, object(c.Args))
	}
	d.ask(c)
	return true
}
