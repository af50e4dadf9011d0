package main

import (
	"fmt"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/scripted"
)

// scenario is a conversation to run, and what the people and tools in it do.
type scenario struct {
	name   string
	kind   string      // replay, or how it was made harder
	mode   assent.Mode // in which the session starts
	strict bool        // tools are offered for strict function calling (SPEC A7)
	limits assent.Limits
	turns  []turnPlan
	// results holds what a tool gives: the recorded result of a call.
	results results
	// open says that the conversation ends with results, so that the model is
	// asked once more and has no answer.
	open bool
	// recording, if not nil, must agree with every request to the model.
	recording *scripted.Recording
}

// turnPlan is a user's message and what the model says to it.
type turnPlan struct {
	user  string
	steps []stepPlan
}

// stepPlan is one message of the model.
type stepPlan struct {
	text  string
	calls []callPlan
	order []int // in which order people answer, by call; nil: in call order
	// prompt answers come at once, whatever else is open or runs.
	prompt bool
	// After so many answers the user ends the turn, or sets the mode.
	interrupt interrupt
	after     int
	to        assent.Mode
}

// interrupt is what a user does beside answering.
type interrupt string

const (
	changes    interrupt = "change of mode"
	stops      interrupt = "stop"
	supersedes interrupt = "supersede" // with the next message
)

// callPlan is a call, what a person says to it, and what its tool does.
type callPlan struct {
	model.Call
	answer answer
	does   deed
}

// deed is what a tool does instead of giving its result.
type deed string

const (
	hangs  deed = "hang" // until it is cancelled
	fails  deed = "fail"
	panics deed = "panic"
)

// answer is what a person says to a question. The zero value approves.
type answer struct {
	word   word
	reason string // of a denial
	args   string // of an edit
}

// word is a kind of answer.
type word string

const (
	approves word = ""
	session  word = "approve for session"
	denies   word = "deny"
	edits    word = "edit"
	breaks   word = "handler fails"
	explodes word = "handler panics"
	junk     word = "handler answers junk"
)

// key is a call that is identical to others: a tool and canonical arguments.
type key struct{ tool, args string }

// results are recorded results, by call, in the order in which they came.
type results map[key][]string

// add reads the results of a conversation. Calls whose arguments do not fit are
// left out: their tool never ran.
func (r results) add(specs map[string]*spec, messages []model.Message) {
	calls := map[string]key{}
	for _, m := range messages {
		for _, c := range m.Calls {
			delete(calls, c.ID) // S2: an id may come again for another call
			if s := specs[c.Name]; s != nil {
				if args, err := s.arguments(c.Args); err == nil {
					calls[c.ID] = key{c.Name, args}
				}
			}
		}
		if k, ok := calls[m.CallID]; ok && m.Role == model.ToolRole {
			r[k] = append(r[k], m.Text)
		}
	}
}

// store gives results out: each recorded one once, then the last again.
type store struct {
	left results
	once bool // only ever the first, so that calls at the same time need no order
}

func (r results) store(once bool) *store {
	left := results{}
	for k, texts := range r {
		left[k] = texts
	}
	return &store{left, once}
}

// take returns the result of a call, and whether it was recorded.
func (s *store) take(k key) (string, bool) {
	texts := s.left[k]
	if len(texts) == 0 {
		return "", false
	}
	if len(texts) > 1 && !s.once {
		s.left[k] = texts[1:]
	}
	return texts[0], true
}

// invented is what a tool gives that has no recorded result.
func invented(k key) string { return fmt.Sprintf("%s did %s", k.tool, k.args) }

// failure is the error of a tool that fails.
func failure(k key) string { return fmt.Sprintf("%s could not do %s", k.tool, k.args) }

// replays are the recordings as they are, each in three modes.
func (s *set) replays() []*scenario {
	specs, _ := s.specs()
	var list []*scenario
	for i, rec := range s.convs {
		for _, mode := range []assent.Mode{assent.Auto, assent.Ask, assent.ReadOnly} {
			sc := &scenario{name: convName(i), kind: "replay", mode: mode, results: results{}}
			sc.results.add(specs, rec.Messages)
			sc.turns, sc.open = plans(rec.Messages)
			if mode != assent.ReadOnly {
				sc.recording = &scripted.Recording{System: s.system, Messages: rec.Messages}
			}
			list = append(list, sc)
		}
	}
	return list
}

// plans cuts a conversation into turns. A last message that has no answer is
// left out; open says that results have none.
func plans(messages []model.Message) (turns []turnPlan, open bool) {
	for i, m := range messages {
		switch m.Role {
		case model.User:
			if i+1 < len(messages) {
				turns = append(turns, turnPlan{user: m.Text})
			}
		case model.Assistant:
			p := stepPlan{text: m.Text}
			for _, c := range m.Calls {
				p.calls = append(p.calls, callPlan{Call: c})
			}
			last := &turns[len(turns)-1]
			last.steps = append(last.steps, p)
		}
		open = m.Role == model.ToolRole
	}
	return turns, open
}

// specs are the schemas as the oracle reads them. Those with keywords that it
// does not know are named in vague: it takes what was recorded for right, and
// nothing is made of it.
func (s *set) specs() (specs map[string]*spec, vague map[string]error) {
	specs, vague = map[string]*spec{}, map[string]error{}
	for _, t := range s.tools {
		var err error
		if specs[t.name], err = readSpec(t.input); err != nil {
			specs[t.name], vague[t.name] = &spec{}, err
		}
	}
	return specs, vague
}
