package engine

import (
	"context"
	"runtime/debug"
	"slices"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// exam is what a tool's own functions are being asked about a call.
type exam struct {
	key    string
	cancel context.CancelFunc
}

// examine hears the tools' own functions before a call is decided.
func (l *session) examine(want turn.Wants, box *Toolbox) {
	wanted := map[string]bool{}
	for _, c := range want.Examine {
		key := c.ID + c.Digest // edited arguments are examined anew
		wanted[key] = true
		if l.exams[key] != nil {
			continue
		}
		if l.exams == nil {
			l.exams = map[string]*exam{}
		}
		ctx, cancel := context.WithCancel(l.e.ctx)
		x := &exam{key, cancel}
		l.exams[key] = x
		e, call := box.byWire[c.Wire], l.described(c)
		raw := []byte(c.Raw)
		if c.Edited != nil {
			raw = c.Args
		}
		l.later(func() { l.spawn(func() { l.report(l.examined(x, l.hear(ctx, e, call, raw))) }) })
	}
	for key, x := range l.exams {
		if !wanted[key] {
			x.cancel()
			delete(l.exams, key)
		}
	}
}

// described describes a call as far as it is known before it is decided, to its
// tool's own functions.
func (l *session) described(c *turn.Call) *tool.Call {
	return &tool.Call{
		ID: c.ID, Turn: l.s.Turn.ID, Session: l.id, Agent: l.s.Agent, Tool: c.Wire, Mode: l.s.Mode,
		Principal: l.s.Principal, Groups: slices.Clone(l.s.Groups), // a tool must not change who acts
		Log: l.e.log.With("session", l.id, "call", c.ID), Progress: func(string) {},
	}
}

// examined brings what was heard to the machine. If it is of a tool that was
// replaced meanwhile, the call is examined again.
func (l *session) examined(x *exam, in turn.Examined) error {
	l.mu.Lock()
	x.cancel()
	if l.exams[x.key] != x { // nobody waits for it
		l.mu.Unlock()
		return nil
	}
	delete(l.exams, x.key)
	err := l.commit(in)
	l.mu.Unlock()
	l.drain()
	return err
}

// hear calls Raise, Confirm and Preview, none of which has side effects. One
// that fails makes the call stricter, never looser (SPEC D8).
func (l *session) hear(ctx context.Context, e *entry, call *tool.Call, raw []byte) turn.Examined {
	in := turn.Examined{Call: call.ID, Pin: e.Pin}
	args, err := e.Check(raw)
	if err != nil {
		return in // cannot be: the machine checked it
	}
	in.Digest = args.Digest
	ctx, cancel := context.WithTimeout(tool.WithCall(ctx, call), l.e.o.HookTime)
	defer cancel()
	if e.def.Raise != nil {
		if in.Raised, err = guard(ctx, e.def.Raise, args.Canonical); err != nil {
			in.Raised = policy.Unknown
			call.Log.Error("raise failed: the call counts as unknown", "err", err)
		}
	}
	if e.def.Confirm != nil {
		if in.Confirm, err = guard(ctx, e.def.Confirm, args.Canonical); err != nil {
			in.Confirm = true
			call.Log.Error("confirm failed: the call asks", "err", err)
		}
	}
	if e.def.Preview != nil {
		if in.Preview, err = guard(ctx, e.def.Preview, args.Canonical); err != nil {
			in.NoView = toolError(err)
		}
	}
	return in
}

// guard calls one of a tool's functions with its own copy of the arguments. It
// does not wait for one that ignores its context.
func guard[T any](ctx context.Context, f func(context.Context, []byte) (T, error), args []byte) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- result{err: &panicked{v, debug.Stack()}}
			}
		}()
		v, err := f(ctx, append([]byte(nil), args...))
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}
