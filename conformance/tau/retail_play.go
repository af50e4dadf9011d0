package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	desk "github.com/assentdev/assent/examples/shop/shop"
	stock "github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/turn"
)

// retailOutcome is what became of a task.
type retailOutcome struct {
	task       *retailTask
	calls      []*retailHappened
	equalStore bool
	wrong      []string
}

// retailHappened is what became of one call.
type retailHappened struct {
	id       string // ours
	want     *retailFate
	asked    []approval.Request
	previews int // cards with one
	started  int
	outcomes []turn.Outcome
	told     string // to the model
	verdict  verdict
}

// verdict says how a result compares with the recorded one.
type verdict string

const (
	equalResult     verdict = "equal"
	refusedEarlier  verdict = "refused earlier"  // by the check, where the original tool failed
	wordedOtherwise verdict = "worded otherwise" // an error in both, whose text is Python's own
	otherResult     verdict = "other"
)

func (o *retailOutcome) complain(format string, args ...any) {
	o.wrong = append(o.wrong, fmt.Sprintf(format, args...))
}

// play runs a task on a fresh copy of the shop and judges what happened.
func (s *retailSet) play(ctx context.Context, t *retailTask) *retailOutcome {
	o := &retailOutcome{task: t}
	left, err := s.inCopy(ctx, func(fresh *stock.Store) error { return o.talk(ctx, s, fresh) })
	if err != nil {
		o.complain("%v", err)
		return o
	}
	o.compareStore(left)
	return o
}

// talk lets an agent with the shop's tools have the conversation, in mode auto,
// with a person who approves.
func (o *retailOutcome) talk(ctx context.Context, s *retailSet, fresh *stock.Store) error {
	m := &retailModel{system: s.system, task: o.task}
	person := assenttest.NewPerson().Answers("", approval.Approve())
	log := journal.NewMemory()
	agent, err := assent.Start(ctx, assent.WithModel(m), assent.WithInstructions(s.system),
		assent.WithToolSource(s.source(desk.App(fresh, nil).Source())), assent.WithPrincipal("desk"),
		assent.WithApprovals(person), assent.WithJournal(log), assent.WithLimits(o.task.limits()))
	if err != nil {
		return err
	}
	defer agent.Close()
	chat, err := agent.StartSession(ctx, assent.Auto)
	if err != nil {
		return err
	}
	result, err := chat.Send(ctx, cmp.Or(o.task.Instruction, "Hello.")).Wait()
	if err != nil {
		o.complain("the conversation broke off: %v", err)
	} else if result.End != turn.Done {
		o.complain("the conversation ended as %s", result.End)
	}
	if err := o.read(ctx, log, chat.ID()); err != nil {
		return err
	}
	o.judge(m.results(), person.Asked())
	return nil
}

// limits are wide enough for any task.
func (t *retailTask) limits() assent.Limits {
	n := len(t.Calls) + 1
	return assent.Limits{Steps: n, Calls: n, Repeats: n, ResultBytes: 1 << 20}
}

// read verifies the session's log and takes from it what became of the calls.
func (o *retailOutcome) read(ctx context.Context, log journal.Journal, session string) error {
	ctx = context.WithoutCancel(ctx)
	report, err := audit.Verify(audit.Records(journal.Records(ctx, log, audit.SessionStream(session))), nil)
	if err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		o.complain("the log does not hold: %v", err)
	}
	ids := map[string]*retailHappened{}
	for r, err := range log.Read(ctx, audit.SessionStream(session), 0) {
		if err != nil {
			return err
		}
		e, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err != nil {
			return err
		}
		o.take(e, ids)
	}
	return nil
}

// take notes what one event says of a call.
func (o *retailOutcome) take(e turn.Event, ids map[string]*retailHappened) {
	switch b := e.Body.(type) {
	case *turn.ModelAnswered:
		for _, c := range b.Calls {
			if len(o.calls) < len(o.task.Calls) {
				h := &retailHappened{id: c.ID, want: &o.task.Calls[len(o.calls)].want}
				o.calls = append(o.calls, h)
				ids[c.ID] = h
			}
		}
	case *turn.CallStarted:
		if h := ids[e.Refs.Call]; h != nil {
			h.started++
		}
	case *turn.CallEnded:
		if h := ids[e.Refs.Call]; h != nil {
			h.outcomes = append(h.outcomes, b.Outcome)
		}
	}
}
