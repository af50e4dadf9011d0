package main

import (
	"slices"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// oracle says what the rules want of a scenario. It is written from SPEC A1 to
// A7, C1, C6, D1, D4, P5 to P12, S2 and S6, and uses of the product only its words.
type oracle struct {
	sc      *scenario
	classes map[string]assent.Class
	specs   map[string]*spec
	store   *store

	chosen  assent.Mode     // by the user
	mode    assent.Mode     // of this turn (SPEC C6)
	granted map[string]bool // tools that are approved for the session
	denied  map[key]bool    // calls that a person denied since the last user message
	denials map[string]int  // of a tool, in this turn
	repeats map[key]int     // in this turn
	calls   int             // in this turn
	out     *expectation
	talk    []wantMessage
}

// fate is what must become of a call.
type fate struct {
	outcome  turn.Outcome
	category policy.Category
	asked    []string // the arguments that a person is shown, one for each question
	ran      bool
	args     string // with which it ran
	text     textRule
}

// expectation is what must become of a scenario.
type expectation struct {
	fates     []fate // of all calls, in order
	turns     []turnFate
	exchanges []exchange
}

// turnFate is how a turn must end, and how it is driven there.
type turnFate struct {
	end   turn.End
	steps []stage
}

// exchange is a request to the model and its answer.
type exchange struct {
	want   []wantMessage
	answer model.Message
}

// stage is what people do during one message's calls, of which so many ask.
type stage struct {
	asked int
	acts  []act
}

// act is one thing that a person does, once so many questions are open and so
// many calls have ended and started.
type act struct {
	asked, ended, started int
	question              int // the how-manieth of the message; -1 for an interrupt
	answer                answer
	interrupt             interrupt
	to                    assent.Mode
}

func (s *set) expect(sc *scenario) *expectation {
	specs, _ := s.specs()
	o := &oracle{sc: sc, specs: specs, classes: map[string]assent.Class{}, store: sc.results.store(sc.kind != "replay"), chosen: sc.mode, granted: map[string]bool{}, out: &expectation{}}
	for _, t := range s.tools {
		o.classes[t.name] = t.class
	}
	for i, t := range sc.turns {
		o.turn(t, sc.open && i == len(sc.turns)-1)
	}
	return o.out
}

func (o *oracle) turn(t turnPlan, open bool) {
	o.mode = o.chosen
	o.denied, o.denials, o.repeats, o.calls = map[key]bool{}, map[string]int{}, map[key]int{}, 0 // P10
	o.talk = append(o.talk, wantMessage{role: model.User, text: exactly(t.user)})
	var f turnFate
	for i := range t.steps {
		if l := o.sc.limits.Steps; l > 0 && i == l { // S6
			f.end = turn.ByLimit
			break
		}
		o.exchange(&t.steps[i])
		if len(t.steps[i].calls) == 0 {
			f.end = turn.Done
			break
		}
		m := &message{oracle: o, plan: &t.steps[i], fates: make([]fate, len(t.steps[i].calls))}
		f.end = m.decide()
		f.steps = append(f.steps, m.stage)
		o.out.fates = append(o.out.fates, m.fates...)
		for _, r := range m.fates {
			o.talk = append(o.talk, wantMessage{role: model.ToolRole, text: r.text})
		}
		if f.end != "" {
			break
		}
	}
	if f.end == "" && open {
		f.end = turn.ByModelFailure
	}
	o.out.turns = append(o.out.turns, f)
}

// exchange notes a request, and its answer.
func (o *oracle) exchange(p *stepPlan) {
	m := model.Message{Role: model.Assistant, Text: p.text}
	for _, c := range p.calls {
		m.Calls = append(m.Calls, c.Call)
	}
	o.out.exchanges = append(o.out.exchanges, exchange{slices.Clone(o.talk), m})
	o.talk = append(o.talk, wantMessage{role: model.Assistant, text: exactly(p.text), calls: m.Calls})
}
