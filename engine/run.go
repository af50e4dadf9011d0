package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// errStopped is the cause of a run's cancellation when its turn is stopped.
var errStopped = errors.New("the turn was stopped")

// run is a call that runs here.
type run struct {
	attempt int
	cancel  context.CancelCauseFunc
	grace   *time.Timer // set when it was cancelled
}

// end cancels a run whose result nobody waits for.
func (r *run) end(cause error) {
	if r.grace != nil {
		r.grace.Stop()
	}
	r.cancel(cause)
}

// runCalls starts what was claimed and cancels what the turn no longer wants.
func (l *session) runCalls(want turn.Wants, box *Toolbox) {
	wanted := map[string]bool{}
	for _, c := range want.Run {
		wanted[c.ID] = true
		r := l.runs[c.ID]
		if r == nil || r.attempt != c.Attempt {
			l.start(c, box)
		} else if want.Cancel && r.grace == nil {
			r.cancel(errStopped)
			r.grace = l.giveUpAfter(l.e.o.Grace, turn.Finished{Call: c.ID, Attempt: r.attempt, Kind: turn.Abandoned, Stopped: true})
		}
	}
	for id, r := range l.runs {
		if !wanted[id] {
			r.end(nil)
			delete(l.runs, id)
		}
	}
}

// start begins a claimed call. Its intent is in the journal already. The tool
// gets its own copy of the arguments: it must not change what is recorded.
func (l *session) start(c *turn.Call, box *Toolbox) {
	e := box.byWire[c.Wire]
	if e != nil && !e.is(c.Decided) {
		e = nil
	}
	ctx, cancel := context.WithCancelCause(l.e.ctx)
	if l.runs == nil {
		l.runs = map[string]*run{}
	}
	l.runs[c.ID] = &run{attempt: c.Attempt, cancel: cancel}
	call := l.call(c)
	args, undo, epoch := bytes.Clone(c.Args), c.Undoes != "", c.Epoch
	l.later(func() { l.spawn(func() { l.run(ctx, e, call, epoch, args, undo) }) })
}

// runsHere says whether a call has not come back yet. The session is locked.
func (l *session) runsHere(call string, attempt int) bool {
	r := l.runs[call]
	return r != nil && r.attempt == attempt
}

// comesBack records the result of a run. Where that fails, nobody knows what
// became of the call, and the machine must hear that it runs no more.
func (l *session) comesBack(in turn.Finished) {
	err := l.apply(in)
	l.report(err)
	l.mu.Lock()
	if l.runsHere(in.Call, in.Attempt) {
		l.runs[in.Call].end(nil)
		delete(l.runs, in.Call)
	}
	l.mu.Unlock()
	if err != nil {
		l.report(l.apply(turn.Tick{}))
	}
}

// is says whether the tool is the one that was decided on.
func (e *entry) is(d *turn.Decided) bool {
	return e.Kind == d.Kind && e.Source == d.Source && e.Name == d.Name && e.Pin == d.Pin
}

// call describes a claimed call to its tool.
func (l *session) call(c *turn.Call) *tool.Call {
	call := l.described(c)
	call.Tool, call.Class, call.Mode, call.Attempt = c.Decided.Name, c.Decided.Class, c.Decided.Mode, c.Attempt
	call.Log = call.Log.With("tool", call.Tool)
	if a := l.s.Approvals[c.Approval]; a != nil {
		call.Approved = tool.Approval{ID: a.ID, By: a.By, Via: a.Via}
	}
	call.Progress = func(text string) {
		l.publish(Update{Progress: &Progress{Turn: call.Turn, Call: call.ID, Text: text}})
	}
	return call
}

// run does the effect and reports what came of it.
func (l *session) run(ctx context.Context, e *entry, call *tool.Call, epoch uint64, args []byte, undo bool) {
	in := turn.Finished{Call: call.ID, Attempt: call.Attempt}
	if lease := l.e.o.Lease; lease != nil && lease.Held(l.id, epoch) != nil {
		l.fenced() // whoever owns the session now finds the claim and asks a person
		return
	}
	if in.Err = l.obstacle(e, call, epoch); in.Err != "" {
		l.comesBack(in)
		return
	}
	if t := e.def.Timeout; t > 0 {
		late := l.giveUpAfter(t+l.e.o.Grace, turn.Finished{Call: call.ID, Attempt: call.Attempt, Kind: turn.TimedOut})
		defer late.Stop()
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	in.Kind, in.Err = turn.Panicked, textFailed
	recorded := true
	defer func() { // also of a tool that ends its goroutine
		if recorded {
			l.comesBack(in)
		}
	}()
	l.e.o.Crash("before effect")
	res, err := l.e.perform(tool.WithCall(ctx, call), e.def, args, undo)
	l.e.o.Crash("after effect")
	if err != nil && l.e.ctx.Err() != nil && errors.Is(err, ctx.Err()) && context.Cause(ctx) != errStopped {
		recorded = false // the engine was closed: whether it had its effect is in doubt
		return
	}
	in.Kind, in.Err = turn.Returned, ""
	l.fill(ctx, &in, res, err, call)
}

const textFailed = "the tool failed unexpectedly."

// obstacle says why a claimed call does not begin after all; "" if it does. The
// session may have been dropped since, or taken over.
func (l *session) obstacle(e *entry, call *tool.Call, epoch uint64) string {
	if e == nil { // replaced between the decision and now
		return "the tool is gone"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.epoch != epoch || !l.runsHere(call.ID, call.Attempt) {
		return "the log failed before the tool began: it did not run."
	}
	return ""
}

// fenced gives the session up right before an effect: this process may have been
// frozen, and replaced.
func (l *session) fenced() {
	l.mu.Lock()
	l.drop(fault.New(fault.Fenced, "session %s belongs to another owner", l.id))
	l.mu.Unlock()
	l.drain()
}

type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

func (e *Engine) perform(ctx context.Context, t *tool.Tool, args []byte, undo bool) (res tool.Result, err error) {
	ctx, end := e.span(ctx, "tool "+t.Name)
	defer func() {
		if v := recover(); v != nil {
			res, err = tool.Result{}, &panicked{v, debug.Stack()}
		}
		end(err)
	}()
	if undo {
		if t.Undo == nil {
			return tool.Result{}, fault.New(fault.CannotUndo, "this tool has no undo.")
		}
		return t.Undo(ctx, args)
	}
	return t.Run(ctx, args)
}

// giveUpAfter gives a run up that does not come back: its outcome is unknown
// unless it only reads. What runs cannot be ended from here.
func (l *session) giveUpAfter(d time.Duration, in turn.Finished) *time.Timer {
	in.Err = "the tool did not come back."
	return time.AfterFunc(d, func() {
		l.spawn(func() { l.comesBack(in) })
	})
}
