package engine

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/assentdev/assent/approval"
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
	w := l.e.world(l)
	events, refusal := l.s.Handle(in, w)
	if refusal != nil && len(events) == 0 {
		return refusal
	}
	events, err := l.follow(w, events)
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

// load reads the session from the journal, if it is not in memory, and takes it
// under a new epoch, unless it is ours.
func (l *session) load() error {
	if l.s != nil {
		return nil
	}
	err := l.safely(l.take)
	if err != nil && l.epoch != 0 {
		l.drop(err) // nothing would wake those who wait for it
	}
	return err
}

func (l *session) take() error {
	if err := l.read(); err != nil {
		return err
	}
	l.recall()
	switch {
	case l.s.ID == "" || l.epoch != 0 && l.s.Epoch == l.epoch:
		return nil
	case l.epoch != 0 && l.s.Epoch > l.epoch:
		owner := l.s.Owner
		l.s = nil
		return fault.New(fault.Fenced, "session %s was taken over by %s", l.id, owner)
	}
	return l.own()
}

func (l *session) read() error {
	s := turn.New(compilePattern)
	seq := uint64(0)
	for r, err := range l.e.o.Journal.Read(context.Background(), audit.SessionStream(l.id), 0) {
		if err != nil {
			return err
		}
		if r.State == audit.Erased {
			return fault.New(fault.NotFound, "session %s was erased", l.id)
		}
		ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err != nil {
			return err
		}
		if err := s.Apply(ev); err != nil {
			return err
		}
		seq = r.Seq
	}
	l.s, l.seq, l.tools = s, seq, nil
	return nil
}

// recall finds what the journal does not hold: the version that the turn began
// under and, of a session that slept, its epoch and its questions at the desk.
func (l *session) recall() {
	t := l.s.Turn
	switch {
	case !t.Open():
		l.snapshot = nil
	case l.snapshot == nil || l.snapshot.Version() != t.Policy:
		l.snapshot = l.e.snapshot(t.Policy)
	}
	if l.epoch != 0 || l.lost {
		return
	}
	for id, a := range l.s.Approvals {
		if a.Open() && l.e.posted(id) {
			l.posted = append(l.posted, id)
		}
	}
	l.known = slices.Clone(l.posted)
	if l.s.Owner == l.e.o.Owner {
		l.epoch = l.s.Epoch
	}
}

// own takes the session: calls that an earlier owner started are dealt with.
func (l *session) own() error {
	w := l.e.world(l)
	events, err := l.s.Handle(turn.Own{Owner: l.e.o.Owner}, w)
	if err != nil {
		return err
	}
	if events, err = l.follow(w, events); err == nil {
		err = l.write(events)
	}
	if err != nil {
		l.failed(err)
		return err
	}
	l.epoch, l.lost = w.Epoch, false
	l.tell(events)
	l.reconcile(w)
	return nil
}

// failed forgets a state whose events could not be written. Where another writer
// was first, the session is read and decided again.
func (l *session) failed(err error) {
	l.s, l.tools = nil, nil
	if fault.CodeOf(err) != fault.Conflict {
		l.drop(err)
	}
}

// drop gives the session up until somebody needs it again. What runs goes on, and
// its result is recorded if the log can be written by then; otherwise it is in
// doubt, as after a crash. A session that another owner has taken stays with it,
// and what runs is cancelled.
func (l *session) drop(err error) {
	l.s, l.tools = nil, nil
	if fault.CodeOf(err) == fault.Fenced {
		l.endRuns()
	} else {
		l.epoch, l.lost = 0, true
	}
	l.e.log.Error("session dropped from memory", "session", l.id, "err", err)
	l.letGo(err)
}

// letGo ends everything that happens for the session outside, but for calls.
func (l *session) letGo(err error) {
	l.cancelAll()
	for _, id := range l.posted {
		l.later(func() { l.e.o.Desk.Close(id, approval.Asked, "") })
	}
	l.posted = nil
	for w := range l.watchers {
		w.fail(err)
	}
	l.dismiss()
}

func (l *session) cancelAll() {
	if l.asking != nil {
		l.asking.cancel()
		l.asking = nil
	}
	for id, x := range l.exams {
		x.cancel()
		delete(l.exams, id)
	}
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

func (l *session) endRuns() {
	for id, r := range l.runs {
		r.end(errDropped)
		delete(l.runs, id)
	}
}

var errDropped = errors.New("the session was dropped")

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
