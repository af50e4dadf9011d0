package main

import (
	"encoding/json"
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

// The changes to arguments. Each returns JSON text, or what should have been one.

func broken(d *draft, v map[string]any) string {
	text := canonical(v)
	at := d.IntN(len(text))
	for at > 0 && text[at]&0xc0 == 0x80 { // no half characters: JSON text cannot carry them
		at--
	}
	return []string{text[:at], text[:at] + "," + text[at:], "{'" + text[2:], "```json\n" + text + "\n```"}[d.IntN(4)]
}

// pick chooses a member, "" where there is none.
func (d *draft) pick(v map[string]any) string {
	keys := sortedKeys(v)
	if len(keys) == 0 {
		return ""
	}
	return keys[d.IntN(len(keys))]
}

// wrongType gives a value, or one within it, another type.
func wrongType(d *draft, v map[string]any) string {
	k := d.pick(v)
	in := v
	for range 3 {
		if list, ok := in[k].([]any); ok && len(list) > 0 && d.IntN(2) == 0 {
			if m, ok := list[0].(map[string]any); ok && len(m) > 0 {
				in = m
				k = d.pick(m)
			}
		}
	}
	if _, text := in[k].(string); text {
		in[k] = []any{json.Number("3"), true, []any{}, map[string]any{}}[d.IntN(4)]
	} else {
		in[k] = []any{"3", "", "true"}[d.IntN(3)]
	}
	return canonical(v)
}

func missing(d *draft, v map[string]any) string {
	delete(v, d.pick(v))
	return canonical(v)
}

func null(d *draft, v map[string]any) string {
	if k := d.pick(v); k != "" {
		v[k] = nil
	}
	return canonical(v)
}

func encodedTwice(_ *draft, v map[string]any) string { return canonical(canonical(v)) }

func inList(_ *draft, v map[string]any) string { return canonical([]any{v}) }

func doubledKey(d *draft, v map[string]any) string {
	k := d.pick(v)
	return "{" + canonical(k) + ":" + canonical(v[k]) + "," + canonical(v)[1:]
}

func caseTwin(d *draft, v map[string]any) string {
	k := d.pick(v)
	v[strings.ToUpper(k)] = v[k]
	if d.IntN(2) == 0 {
		delete(v, k)
	}
	return canonical(v)
}

func halfPair(d *draft, v map[string]any) string {
	k := d.pick(v)
	half := []string{`"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\ude00"`}[d.IntN(4)] // the last is whole
	v[k] = json.Number(half)                                                           // stands in the text as it is
	return plain(v)
}

// plain writes an object whose numbers are any text.
func plain(v map[string]any) string {
	var parts []string
	for _, k := range sortedKeys(v) {
		text := canonical(v[k])
		if n, ok := v[k].(json.Number); ok {
			text = string(n)
		}
		parts = append(parts, canonical(k)+":"+text)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func furtherKey(d *draft, v map[string]any) string {
	v["further_key"] = d.n
	v["further_key"] = []any{true, "x", nil}[d.IntN(3)]
	return canonical(v)
}

func textBehind(d *draft, v map[string]any) string {
	return canonical(v) + []string{"{}", " x", ",", "\n\n", "\x00"}[d.IntN(5)] // white space is no text
}
