package engine

import (
	"context"
	"slices"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/turn"
)

// reconcile compares what should be happening with what is, and does the
// difference. After a crash the same comparison starts again from nothing.
func (l *session) reconcile(w *turn.World) {
	want := l.s.Wants(w)
	l.askModel(want)
	l.examine(want)
	l.runCalls(want)
	l.post(want)
	l.wake(w, want)
	if !l.s.Turn.Open() {
		l.snapshot = nil
	}
}

func (l *session) askModel(want turn.Wants) {
	switch {
	case want.Model && l.asking == nil:
		ctx, cancel := context.WithCancel(l.e.ctx)
		l.asking = cancel
		turnID, step := l.s.Turn.ID, l.s.Turn.Step+1
		req := &model.Request{System: l.e.o.System, Messages: l.s.Request(l.e.o.Limits), Tools: l.offered()}
		l.later(func() { l.e.spawn(func() { l.generate(ctx, turnID, step, req) }) })
	case !want.Model && l.asking != nil:
		l.asking()
		l.asking = nil
	}
}

// offered is the list for the model, made once for as long as neither the offer
// nor the tools change, so that a provider encodes it once.
func (l *session) offered() *model.Tools {
	if box := l.e.tools.Load(); l.tools == nil || l.box != box {
		l.tools, l.box = box.offered(l.s), box
	}
	return l.tools
}

func (l *session) generate(ctx context.Context, turnID string, step int, req *model.Request) {
	offset, attempt := 0, 1
	answer, err := l.e.ask(ctx, req, func(d model.Delta) {
		if d.Reset {
			offset, attempt = 0, attempt+1
		}
		l.publish(Update{Delta: &Delta{Turn: turnID, Step: step, Attempt: attempt, Offset: offset, Text: d.Text, Reset: d.Reset}})
		offset += len(d.Text)
	})
	l.mu.Lock()
	if ctx.Err() != nil { // stopped: nobody waits for this message
		l.mu.Unlock()
		return
	}
	l.asking = nil
	l.mu.Unlock()
	var in turn.Input = turn.Answered{Turn: turnID, Step: step, Answer: answer}
	if err != nil {
		l.e.log.Warn("the model gave no message", "session", l.id, "turn", turnID, "err", err)
		in = turn.ModelFailed{Turn: turnID, Step: step, Code: string(fault.CodeOf(err)), Text: fault.TextOf(err)}
	}
	l.report(l.apply(in))
}

// ask calls the model. A model that panics has failed.
func (e *Engine) ask(ctx context.Context, req *model.Request, emit func(model.Delta)) (a *model.Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			a, err = nil, fault.New(fault.ModelFailed, "the model failed")
			e.log.Error("the model panicked", "panic", v)
		}
	}()
	if e.o.Model == nil {
		return nil, fault.New(fault.ModelFailed, "this agent has no model")
	}
	ctx, end := e.span(ctx, "model")
	defer func() { end(err) }()
	a, err = e.o.Model.Generate(ctx, req, emit)
	if err == nil && a == nil {
		err = fault.New(fault.ModelFailed, "the model returned nothing")
	}
	return a, err
}

func (e *Engine) span(ctx context.Context, name string) (context.Context, func(error)) {
	if e.o.Trace == nil {
		return ctx, func(error) {}
	}
	return e.o.Trace(ctx, name)
}

// report logs what went wrong with an input that nobody waits for.
func (l *session) report(err error) {
	if err != nil && fault.CodeOf(err) != fault.Conflict && fault.CodeOf(err) != fault.Closed {
		l.e.log.Error("an input was refused", "session", l.id, "err", err)
	}
}

// post closes questions at the desk and opens new ones, in this order, so that
// a card that replaces another one never stands beside it.
func (l *session) post(want turn.Wants) {
	open := make([]string, 0, len(want.Open))
	for _, a := range want.Open {
		open = append(open, a.ID)
	}
	for _, id := range l.posted {
		if a := l.s.Approvals[id]; a != nil && !slices.Contains(open, id) {
			state, text := a.State, a.Reason
			l.later(func() { l.e.o.Desk.Close(id, state, text) })
		}
	}
	for _, a := range want.Open {
		if slices.Contains(l.posted, a.ID) {
			continue
		}
		l.known = append(l.known, a.ID)
		l.e.remember(a.ID, l.id)
		r := l.request(a)
		l.later(func() { l.e.o.Desk.Open(r, l.e.replyTo(l.id, r.ID, r.Digest)) })
	}
	l.posted = open
}

// replyTo brings an answer back. It does not block: the desk may hold locks.
func (e *Engine) replyTo(session, id, digest string) approval.Reply {
	return func(a approval.Answer, by approval.Decided, err error) {
		e.spawn(func() {
			l, lerr := e.hold(session)
			if lerr != nil {
				return
			}
			defer e.rest(l)
			if err != nil {
				l.report(l.apply(turn.Unanswered{Approval: id, Reason: fault.TextOf(err), Via: by.Via}))
				return
			}
			err = l.answer(id, digest, a, by)
			if c := fault.CodeOf(err); c == fault.BadArguments || c == fault.BadAnswer {
				// The desk took the answer, so nobody would be asked again.
				err = l.apply(turn.Unanswered{Approval: id, Reason: fault.TextOf(err), Via: by.Via})
			}
			l.report(err)
		})
	}
}

// answer gives a person's answer to the machine.
func (l *session) answer(id, digest string, a approval.Answer, by approval.Decided) error {
	in := turn.Answer{
		Approval: id, Digest: digest, By: by.By, Via: by.Via,
		Approved: a.State() == approval.Approved, Scope: a.Remembers(), Pattern: []byte(a.Pattern), Until: a.Until,
		Reason: a.Reason, Sticky: a.State() == approval.Denied && a.ForSession, Edit: a.Args, Choice: turn.Choice(a.Became),
	}
	return l.apply(in)
}

// wake sets the one timer of a session: for whatever time alone changes next.
func (l *session) wake(w *turn.World, want turn.Wants) {
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if want.Until.IsZero() {
		return
	}
	l.timer = time.AfterFunc(max(0, want.Until.Sub(w.Now)), func() {
		l.e.spawn(func() { l.report(l.apply(turn.Tick{})) })
	})
}

func (e *Engine) remember(approval, session string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.owners[approval] = session
}

// posted says whether a question is at the desk.
func (e *Engine) posted(approval string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.owners[approval]
	return ok
}

// forget lets go of the questions of a turn that is over. Until then a late
// answer is told who was first.
func (l *session) forget() {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	l.forgetLocked()
}

func (l *session) forgetLocked() {
	for _, id := range l.known {
		if !slices.Contains(l.posted, id) {
			delete(l.e.owners, id)
		}
	}
	l.known = slices.Clone(l.posted)
}
