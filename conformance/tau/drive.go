package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/model/openai"
	"github.com/assentdev/assent/turn"
)

// outcome is what became of a scenario.
type outcome struct {
	*expectation
	names  []string // of the tools
	ends   []turn.End
	wrong  []string
	person *person
	ledger *ledger
	log    []turn.Event
}

func (o *outcome) complain(format string, args ...any) {
	o.wrong = append(o.wrong, fmt.Sprintf(format, args...))
}

// play runs a scenario through the SDK and compares what happened with exp. An
// error says that it could not be run.
func (s *set) play(ctx context.Context, client *http.Client, sc *scenario, exp *expectation) (*outcome, error) {
	out := &outcome{expectation: exp, person: &person{}, ledger: s.ledger(sc)}
	for _, t := range s.tools {
		out.names = append(out.names, t.name)
	}
	p := &player{exchanges: exp.exchanges, system: s.system, recording: sc.recording, open: sc.open}
	server := assenttest.NewModelServer(nil, p, &assenttest.ModelServerOptions{TextPiece: 40, ArgsPiece: 16, Discard: true})
	defer server.Close()
	m, err := openai.New(openai.Options{BaseURL: server.URL, Model: "player", Strict: sc.strict, MaxRetries: -1, HTTPClient: client})
	if err != nil {
		return nil, err
	}
	log := journal.NewMemory()
	agent, err := assent.New(assent.WithModel(m), assent.WithInstructions(s.system), assent.WithTools(out.ledger.define(s.tools)...),
		assent.WithApprovals(out.person), assent.WithJournal(log), assent.WithLimits(sc.limits))
	if err != nil {
		return nil, err
	}
	defer agent.Close()
	if err := agent.Start(ctx); err != nil {
		return nil, err
	}
	chat, err := agent.StartSession(ctx, sc.mode)
	if err != nil {
		return nil, err
	}
	out.talk(ctx, chat, sc)
	out.wrong = append(out.wrong, p.complaints()...)
	out.hidden(s, sc)
	return out, out.read(ctx, log, chat.ID())
}

// talk sends the user's messages one after another.
func (o *outcome) talk(ctx context.Context, chat *assent.Session, sc *scenario) {
	var next *assent.Turn
	for i, plan := range sc.turns {
		if next == nil {
			next = chat.Send(ctx, plan.user)
		}
		d := &drive{outcome: o, chat: chat, turn: next, stages: o.turns[i].steps, ctx: ctx}
		if i+1 < len(sc.turns) {
			d.then = sc.turns[i+1].user
		}
		var ok bool
		if next, ok = d.follow(); !ok {
			o.complain("turn %d of %d stood still: %s", i+1, len(sc.turns), d.where())
			return
		}
	}
	if next != nil {
		o.complain("a turn was begun that nobody planned")
	}
}

// drive follows one turn and lets people do their part when it is time.
type drive struct {
	*outcome
	ctx    context.Context
	chat   *assent.Session
	turn   *assent.Turn
	stages []stage
	then   string // the user's next message

	at             int // messages with calls so far
	asked          []string
	ended, started int // calls of the present message
	done           int // acts of the present message
	next           chan *assent.Turn
}

// follow reads the turn to its end. It returns the turn that superseded it, if
// one did, and false if the turn did not come to an end by itself.
func (d *drive) follow() (*assent.Turn, bool) {
	for ev, err := range d.turn.Events() {
		if err != nil {
			d.complain("the events of a turn ended: %v", err)
			return nil, false
		}
		switch ev := ev.(type) {
		case assent.Message:
			if ev.Calls > 0 {
				d.at++
				d.asked, d.ended, d.started, d.done = nil, 0, 0, 0
			}
		case assent.ApprovalAsked:
			d.asked = append(d.asked, ev.Approval)
		case assent.CallStarted:
			d.started++
		case assent.CallEnded:
			d.ended++
		case assent.TurnEnded:
			d.ends = append(d.ends, ev.End)
		}
		d.act()
	}
	if d.ctx.Err() != nil {
		return nil, false
	}
	if d.next != nil {
		return <-d.next, true
	}
	return nil, true
}

// act does all that it is time for.
func (d *drive) act() {
	if d.at == 0 || d.at > len(d.stages) {
		return
	}
	for s := &d.stages[d.at-1]; d.done < len(s.acts); d.done++ {
		a := s.acts[d.done]
		if len(d.asked) < a.asked || d.ended < a.ended || d.started < a.started {
			return
		}
		d.person.sees(d.ctx, d.asked[:a.asked])
		switch a.interrupt {
		case stops:
			if err := d.turn.Stop(); err != nil {
				d.complain("a turn could not be stopped: %v", err)
			}
		case changes:
			if err := d.chat.SetMode(a.to); err != nil {
				d.complain("the mode could not be set: %v", err)
			}
		case supersedes:
			d.next = make(chan *assent.Turn, 1)
			go func() { d.next <- d.chat.Send(d.ctx, d.then) }() // follow waits for it
		default:
			d.person.say(d.asked[a.question], a.answer)
		}
	}
}

func (d *drive) where() string {
	if d.at == 0 || d.at > len(d.stages) {
		return fmt.Sprintf("after %d messages with calls", d.at)
	}
	s := d.stages[d.at-1]
	return fmt.Sprintf("message %d with calls: %d of %d questions, %d calls ended, %d started, %d of %d acts done", d.at, len(d.asked), s.asked, d.ended, d.started, d.done, len(s.acts))
}
