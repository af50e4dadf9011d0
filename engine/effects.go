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
	box := w.Tools.(*Toolbox) // the one that was decided by, whatever has replaced it since
	l.askModel(want, box)
	l.examine(want, box)
	l.runCalls(want, box)
	l.onDevices(want)
	l.post(want, box)
	l.wake(w, want)
	if !l.s.Turn.Open() {
		l.snapshot = nil
	}
}

// asking is a request to the model that is under way.
type asking struct {
	turn   string
	step   int
	cancel context.CancelFunc
}

func (l *session) askModel(want turn.Wants, box *Toolbox) {
	if a := l.asking; a != nil && (!want.Model || a.turn != l.s.Turn.ID || a.step != l.s.Turn.Step+1) {
		a.cancel()
		l.asking = nil
	}
	if !want.Model || l.asking != nil {
		return
	}
	ctx, cancel := context.WithCancel(l.e.ctx)
	a := &asking{l.s.Turn.ID, l.s.Turn.Step + 1, cancel}
	l.asking = a
	req := &model.Request{System: l.e.o.System, Messages: l.s.Request(l.e.o.Limits), Tools: l.offered(box)}
	l.later(func() { l.spawn(func() { l.generate(ctx, a, req) }) })
}

// offered is the list for the model, made once for as long as neither the offer
// nor the tools change, so that a provider encodes it once.
func (l *session) offered(box *Toolbox) *model.Tools {
	if l.tools == nil || l.box != box {
		l.tools, l.box = box.offered(l.s), box
	}
	return l.tools
}

func (l *session) generate(ctx context.Context, a *asking, req *model.Request) {
	defer a.cancel()
	var in turn.Input = turn.ModelFailed{Turn: a.turn, Step: a.step, Code: string(fault.ModelFailed), Text: "the model failed"}
	defer func() { l.report(l.answered(a, in)) }() // also of a model that ends its goroutine
	answer, err := l.e.ask(ctx, req, l.stream(ctx, a))
	if err == nil {
		in = turn.Answered{Turn: a.turn, Step: a.step, Answer: answer}
		return
	}
	if ctx.Err() == nil {
		l.e.log.Warn("the model gave no message", "session", l.id, "turn", a.turn, "err", err)
	}
	in = turn.ModelFailed{Turn: a.turn, Step: a.step, Code: string(fault.CodeOf(err)), Text: fault.TextOf(err)}
}

// stream publishes the pieces of a message, until nobody waits for it any more.
func (l *session) stream(ctx context.Context, a *asking) func(model.Delta) {
	offset, attempt := 0, 1
	return func(d model.Delta) {
		if ctx.Err() != nil {
			return
		}
		if d.Reset {
			offset, attempt = 0, attempt+1
		}
		l.publish(Update{Delta: &Delta{Turn: a.turn, Step: a.step, Attempt: attempt, Offset: offset, Text: d.Text, Reset: d.Reset}})
		offset += len(d.Text)
	}
}

// answered brings what the model gave to the machine. Between the end of the
// request and that, nobody else may find that the model is not being asked.
func (l *session) answered(a *asking, in turn.Input) error {
	l.mu.Lock()
	if l.asking != a { // stopped: nobody waits for this message
		l.mu.Unlock()
		return nil
	}
	l.asking = nil
	err := l.commit(in)
	l.mu.Unlock()
	l.drain()
	return err
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
func (l *session) post(want turn.Wants, box *Toolbox) {
	open := make([]string, 0, len(want.Open))
	for _, a := range want.Open {
		open = append(open, a.ID)
	}
	for _, id := range l.posted {
		if slices.Contains(open, id) {
			continue
		}
		state, text := approval.Asked, "" // of an earlier turn: only taken away
		if a := l.s.Approvals[id]; a != nil {
			state, text = a.State, a.Reason
		}
		l.later(func() { l.e.o.Desk.Close(id, state, text) })
	}
	for _, a := range want.Open {
		if slices.Contains(l.posted, a.ID) {
			continue
		}
		l.known = append(l.known, a.ID)
		l.e.remember(a.ID, l.id)
		r := l.request(a, box)
		l.later(func() { l.e.open(r) })
	}
	l.posted = open
}

// open shows a request at the desk. From one that panics no decision can be had
// (SPEC P11).
func (e *Engine) open(r approval.Request) {
	reply := e.replyTo(r.Session, r.ID, r.Digest)
	defer func() {
		if v := recover(); v != nil {
			reply(approval.Answer{}, approval.Decided{}, fault.New(fault.Undecided, "the desk failed"))
			panic(v)
		}
	}()
	e.o.Desk.Open(r, reply)
}

// replyTo brings an answer back. It does not block: the desk may hold locks.
func (e *Engine) replyTo(session, id, digest string) approval.Reply {
	return func(a approval.Answer, by approval.Decided, err error) {
		l, herr := e.hold(session)
		if herr != nil {
			return // the question stays open in the journal
		}
		l.spawn(func() { l.report(l.reply(id, digest, a, by, err)) })
		e.rest(l)
	}
}

func (l *session) reply(id, digest string, a approval.Answer, by approval.Decided, err error) error {
	if err == nil {
		err = l.answer(id, digest, a, by)
		// The desk took the answer, so nobody would be asked again.
		if c := fault.CodeOf(err); c != fault.BadArguments && c != fault.BadAnswer {
			return err
		}
	}
	return l.apply(turn.Unanswered{Approval: id, Reason: fault.TextOf(err), Via: by.Via})
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
		l.spawn(func() { l.report(l.apply(turn.Tick{})) })
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
