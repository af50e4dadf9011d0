package engine

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"sync"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/turn"
)

// session is a session that this process owns. Its state is what the journal
// holds; after any failure to write it is thrown away and read again.
type session struct {
	e  *Engine
	id string

	mu       sync.Mutex
	s        *turn.Session // nil: to be read from the journal
	seq      uint64
	epoch    uint64 // ours
	lost     bool   // a write failed: what ran is in doubt
	snapshot *policy.Policy
	tools    *model.Tools // of s.Offered
	box      *Toolbox     // that tools was made from
	asking   *asking
	exams    map[string]*exam
	runs     map[string]*run
	posted   []string // approvals that are open at the desk
	known    []string // approvals of the newest turn that the engine knows by id
	timer    *time.Timer
	kit      *Toolbox               // the tools that the session had last
	recalled map[string]*time.Timer // calls on devices that were told to stop
	offers   string                 // what was last published as offered
	watchers map[*Watcher]struct{}

	todo     []func() // what is done outside, in order, without the lock
	draining bool

	refs   int // who holds it; guarded by the engine's lock
	rested int // how often it came to rest; guarded by the engine's lock
}

// apply is one input from Handle to the journal and to what follows outside.
// It returns the input's own error, or why it could not be written.
func (l *session) apply(in turn.Input) error {
	l.mu.Lock()
	err := l.commit(in)
	l.mu.Unlock()
	l.drain()
	return err
}

// attempts bounds how often an input is decided again because another writer
// was first.
const attempts = 5

func (l *session) commit(in turn.Input) error {
	for range attempts {
		err := l.safely(func() error { return l.try(in) })
		if fault.CodeOf(err) != fault.Conflict || l.s != nil {
			return err
		}
	}
	err := fault.New(fault.Conflict, "session %s is being written by others: try again", l.id)
	l.drop(err)
	return err
}

// safely turns a panic into an error. The machine does not panic, but it calls
// code of the application, such as a type's UnmarshalJSON.
func (l *session) safely(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			l.e.log.Error("a session panicked", "session", l.id, "panic", v, "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "session %s failed unexpectedly", l.id)
			l.drop(err)
		}
	}()
	return f()
}

// try decides an input on the newest state and writes what follows. Nothing is
// done outside, and nobody is told, before the journal has it.
func (l *session) try(in turn.Input) error {
	if !l.e.takes(in) {
		return errClosed
	}
	if err := l.load(); err != nil {
		return err
	}
	w, err := l.e.world(l)
	if err != nil {
		return err
	}
	events, refusal := l.s.Handle(in, w)
	if refusal != nil && len(events) == 0 {
		return refusal
	}
	events, err = l.follow(w, events)
	if err == nil {
		err = l.write(events)
	}
	if err != nil {
		l.failed(err)
		return err
	}
	l.epoch = w.Epoch
	l.tell(events)
	l.keepGrants()
	l.reconcile(w)
	return refusal
}

// maxFollow bounds the events that one input can lead to: the machine comes to
// rest long before.
const maxFollow = 100_000

// follow applies events and asks the machine for what follows until it rests.
func (l *session) follow(w *turn.World, events []turn.Event) ([]turn.Event, error) {
	for done := 0; ; {
		for ; done < len(events); done++ {
			if err := l.s.Apply(events[done]); err != nil {
				return nil, err
			}
			switch b := events[done].Body.(type) {
			case *turn.TurnStarted:
				l.snapshot, w.Snapshot = w.Policy, w.Policy
				l.forget()
			case *turn.SessionOwned:
				w.Epoch = b.Epoch // ours once it is written
			case *turn.ToolsOffered:
				l.tools = nil
			}
		}
		more := l.s.Next(w)
		if len(more) == 0 || l.e.isClosing() { // what would follow now could not be done
			return events, nil
		}
		if len(events) > maxFollow {
			return nil, fault.New(fault.Internal, "session %s does not come to rest", l.id)
		}
		events = append(events, more...)
	}
}

func (l *session) write(events []turn.Event) error {
	if len(events) == 0 {
		return nil
	}
	drafts := make([]audit.Draft, len(events))
	for i, e := range events {
		header, payload, err := e.Encode()
		if err != nil {
			return fault.Wrap(err, fault.Internal, "an event of session %s cannot be encoded", l.id)
		}
		drafts[i] = audit.Draft{Type: string(e.Body.Type()), Version: turn.Version, Time: time.UnixMilli(e.At), Header: header, Payload: payload}
	}
	l.e.o.Crash("before append")
	// Not the caller's context: who asks may go away, what was decided is written.
	_, err := l.e.o.Journal.Append(context.Background(), audit.SessionStream(l.id), l.seq, drafts)
	if err != nil {
		return err
	}
	l.e.o.Crash("after append")
	l.seq += uint64(len(events))
	return nil
}

// keepGrants brings the grants for the user that this session made into the
// user's book, where they hold for every session.
func (l *session) keepGrants() {
	for _, g := range l.s.Given {
		if err := l.e.keep(l.s.Principal, g); err != nil {
			l.e.log.Error("a grant for a user could not be kept: it will be asked again", "session", l.id, "grant", g.ID, "err", err)
		}
	}
}

// principal is whose session it is; "" before that is known.
func (l *session) principal() string {
	if l.s == nil {
		return ""
	}
	return l.s.Principal
}

func compilePattern(p json.RawMessage) (policy.Condition, error) {
	return schema.CompileCondition(p, nil)
}

// later adds something that is done outside the lock, in order.
func (l *session) later(f func()) { l.todo = append(l.todo, f) }

// drain does what was added by later. One goroutine does it at a time, so that
// the order holds.
func (l *session) drain() {
	l.mu.Lock()
	if l.draining {
		l.mu.Unlock()
		return
	}
	l.draining = true
	for len(l.todo) > 0 {
		todo := l.todo
		l.todo = nil
		l.mu.Unlock()
		for _, f := range todo {
			l.outside(f)
		}
		l.mu.Lock()
	}
	l.draining = false
	l.mu.Unlock()
}

// outside does one thing outside. A desk that panics must not keep the others
// from being done.
func (l *session) outside(f func()) {
	defer func() {
		if v := recover(); v != nil {
			l.e.log.Error("the desk panicked", "session", l.id, "panic", v, "stack", string(debug.Stack()))
		}
	}()
	f()
}
