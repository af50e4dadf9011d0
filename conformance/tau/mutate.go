package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model"
)

// maker makes recordings harder. All its choices come from one seed.
type maker struct {
	*rand.Rand
	set   *set
	specs map[string]*spec
	pool  map[string][]model.Call // recorded calls whose arguments the oracle can judge, by tool
	names []string                // of the pool, sorted
	n     int
}

// mutants derives one scenario of each kind from each conversation.
func (s *set) mutants(seed uint64, only string) ([]*scenario, error) {
	m := newMaker(s, seed)
	var list []*scenario
	for _, k := range kinds {
		if only != "" && !slices.Contains(strings.Split(only, ","), k.name) {
			continue
		}
		for i := range s.convs {
			if sc, ok := m.derive(i, k); ok {
				sc.name = fmt.Sprintf("seed %d, conversation %d", seed, i+1)
				list = append(list, sc)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("nothing can be made of these recordings for the kinds %q", only)
	}
	return list, nil
}

func newMaker(s *set, seed uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0)), set: s, pool: map[string][]model.Call{}}
	var vague map[string]error
	m.specs, vague = s.specs()
	for _, c := range s.convs {
		for _, msg := range c.Messages {
			for _, call := range msg.Calls {
				if m.specs[call.Name] == nil || vague[call.Name] != nil {
					continue
				}
				if _, err := m.specs[call.Name].arguments(call.Args); err == nil {
					m.pool[call.Name] = append(m.pool[call.Name], call)
				}
			}
		}
	}
	m.names = slices.Sorted(maps.Keys(m.pool))
	return m
}

// derive takes a conversation up to one of its calls and lets the kind go on
// from there. Then the model ends the turn, and the user sends one more message,
// so that whatever happened must stand in the request after it.
func (m *maker) derive(i int, k kind) (*scenario, bool) {
	turns, _ := plans(m.set.convs[i].Messages)
	at, step, ok := m.place(turns)
	if !ok {
		return nil, false
	}
	sc := &scenario{kind: k.name, mode: k.modes[m.IntN(len(k.modes))], results: results{}}
	sc.results.add(m.specs, m.set.convs[i].Messages)
	sc.turns = slices.Clone(turns[:at+1])
	last := &sc.turns[at]
	last.steps = slices.Clone(last.steps[:step])
	d := &draft{maker: m, scenario: sc, recorded: turns[at].steps[step].calls[0].Call}
	if !k.make(d) {
		return nil, false
	}
	d.say("That is all.")
	d.user("And now?")
	d.say("Nothing more.")
	return sc, true
}

// place chooses a message with calls.
func (m *maker) place(turns []turnPlan) (at, step int, ok bool) {
	var places [][2]int
	for i, t := range turns {
		for j, p := range t.steps {
			if len(p.calls) > 0 {
				places = append(places, [2]int{i, j})
			}
		}
	}
	if len(places) == 0 {
		return 0, 0, false
	}
	p := places[m.IntN(len(places))]
	return p[0], p[1], true
}

// draft is a scenario in the making.
type draft struct {
	*maker
	*scenario
	recorded model.Call // the call that was recorded at this place
}

// user begins another turn.
func (d *draft) user(text string) { d.turns = append(d.turns, turnPlan{user: text}) }

func (d *draft) say(text string) { d.add(stepPlan{text: text}) }

func (d *draft) add(p stepPlan) {
	t := &d.turns[len(d.turns)-1]
	t.steps = append(t.steps, p)
}

// ask lets the model make these calls, in one message.
func (d *draft) ask(calls ...callPlan) *stepPlan {
	d.add(stepPlan{calls: calls})
	t := &d.turns[len(d.turns)-1]
	return &t.steps[len(t.steps)-1]
}

// inTurn counts the messages and calls of the present turn.
func (d *draft) inTurn() (steps, calls int) {
	for _, p := range d.turns[len(d.turns)-1].steps {
		steps++
		calls += len(p.calls)
	}
	return steps, calls
}

// fresh gives a call an id: a new one, or one that an earlier message used
// (SPEC S2).
func (d *draft) fresh(c model.Call) callPlan {
	d.n++
	c.ID = fmt.Sprintf("call_m%d", d.n)
	if d.IntN(4) == 0 {
		for _, t := range d.turns {
			for _, p := range t.steps {
				for _, was := range p.calls {
					if d.IntN(4) == 0 && !strings.HasPrefix(was.ID, "call_m") {
						c.ID = was.ID
					}
				}
			}
		}
	}
	return callPlan{Call: c}
}

// any returns a recorded call for which want holds: each tool is as likely as
// another, however often it was called.
func (d *draft) any(want func(model.Call) bool) (callPlan, bool) {
	for _, t := range d.Perm(len(d.names)) {
		calls := d.pool[d.names[t]]
		for _, i := range d.Perm(len(calls)) {
			if want == nil || want(calls[i]) {
				return d.fresh(calls[i]), true
			}
		}
	}
	return callPlan{}, false
}

func (d *draft) class(c model.Call) assent.Class { return d.set.tool(c.Name).class }

// asks says whether a person would be asked about the call.
func (d *draft) asks(c model.Call) bool { return table(d.mode, d.class(c)) == "ask" }

func (d *draft) runs(c model.Call) bool { return table(d.mode, d.class(c)) == "run" }

// several returns between least and most calls with ids that differ.
func (d *draft) several(least, most int, want func(model.Call) bool) (calls []callPlan) {
	used := map[string]bool{}
	for range least + d.IntN(most-least+1) {
		if c, ok := d.any(want); ok && !used[c.ID] {
			used[c.ID] = true
			calls = append(calls, c)
		}
	}
	return calls
}

// unique changes a call so that no other is identical to it.
func (d *draft) unique(c callPlan) (callPlan, bool) {
	v, ok := d.varied(c.Name, c.Args)
	c.Args = v
	return c, ok
}

// anyUnique returns a call as any does, changed so that no other is identical.
func (d *draft) anyUnique(want func(model.Call) bool) (callPlan, bool) {
	c, ok := d.any(func(c model.Call) bool {
		_, free := d.varied(c.Name, c.Args)
		return free && want(c)
	})
	if !ok {
		return c, false
	}
	return d.unique(c)
}

// varied gives a text argument that is free another value.
func (d *draft) varied(tool, args string) (string, bool) {
	v, err := readStrict(args)
	if err != nil {
		return "", false
	}
	m := v.(map[string]any)
	for _, k := range sortedKeys(m) {
		text, ok := m[k].(string)
		if p := d.specs[tool].Properties[k]; ok && p != nil && p.Enum == nil {
			d.n++
			m[k] = fmt.Sprintf("%s %d", text, d.n)
			return canonical(m), true
		}
	}
	return "", false
}
