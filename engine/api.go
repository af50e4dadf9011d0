package engine

import (
	"context"
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// Who names the person or program that a session belongs to.
type Who struct {
	Principal string
	Groups    []string
}

// Create starts a session and returns its id.
func (e *Engine) Create(who Who, mode policy.Mode) (string, error) {
	id := e.o.NewID("session")
	return id, e.Do(id, turn.Begin{Session: id, Agent: e.o.Agent, Principal: who.Principal, Groups: who.Groups, Mode: mode, Owner: e.o.Owner})
}

// hold returns a session that this process owns or takes, until rest is called
// with it.
func (e *Engine) hold(id string) (*session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return nil, errClosed
	}
	l := e.sessions[id]
	if l == nil {
		l = &session{e: e, id: id}
		e.sessions[id] = l
	}
	l.refs++
	return l, nil
}

// Do gives an input to a session.
func (e *Engine) Do(session string, in turn.Input) error {
	l, err := e.hold(session)
	if err != nil {
		return err
	}
	defer e.rest(l)
	return l.apply(in)
}

// Begin begins a turn and returns its id and a watcher that has all of the
// turn's updates. With a turn open it is fault.Busy. The caller stops the watcher.
func (e *Engine) Begin(session string, in turn.Input) (string, *Watcher, error) {
	l, err := e.hold(session)
	if err != nil {
		return "", nil, err
	}
	l.mu.Lock()
	err = l.load() // before the watcher: what an earlier turn comes to is not its turn's
	w := l.watch()
	if err == nil {
		err = l.commit(in)
	}
	id := ""
	if err == nil {
		id = l.s.Turn.ID
	}
	l.mu.Unlock()
	l.drain()
	if err != nil {
		w.Stop()
		return "", nil, err
	}
	return id, w, nil
}

// Stop stops a session's open turn and waits until it has ended.
func (e *Engine) Stop(ctx context.Context, session string, stop turn.Stop) error {
	l, err := e.hold(session)
	if err != nil {
		return err
	}
	l.mu.Lock()
	w := l.watch()
	err = l.commit(stop)
	open := err == nil && l.s.Turn.Open()
	l.mu.Unlock()
	l.drain()
	defer w.Stop()
	for open && err == nil {
		var u Update
		if u, err = w.Next(ctx); err == nil && u.Event != nil {
			_, ended := u.Event.Body.(*turn.TurnEnded)
			open = !ended
		}
	}
	return err
}

// View shows a session's state to read. It must not be kept or changed.
func (e *Engine) View(id string, read func(s *turn.Session)) error {
	return e.view(id, func(l *session) error {
		read(l.s)
		return nil
	})
}

// view shows a session that is loaded and locked.
func (e *Engine) view(id string, read func(l *session) error) error {
	l, err := e.hold(id)
	if err != nil {
		return err
	}
	defer e.rest(l)
	defer l.drain()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return err
	}
	if l.s.ID == "" {
		return fault.New(fault.NotFound, "there is no session %s", l.id)
	}
	return read(l)
}

// Answer gives a person's answer to an open approval, whichever session it is
// in. The first answer counts; every later one is fault.AlreadyDecided.
func (e *Engine) Answer(id, digest string, a approval.Answer, by approval.Decided) error {
	e.mu.Lock()
	session, ok := e.owners[id]
	e.mu.Unlock()
	if !ok {
		return fault.New(fault.NotFound, "no approval %s is open", id)
	}
	l, err := e.hold(session)
	if err != nil {
		return err
	}
	defer e.rest(l)
	return l.answer(id, digest, a, by)
}

// CheckEdit says what is wrong with arguments that a person would put in place
// of those of an open approval: nil, or an error with code fault.BadArguments.
// A desk takes an answer only once, so a form checks first.
func (e *Engine) CheckEdit(id string, args []byte) error {
	e.mu.Lock()
	owner, ok := e.owners[id]
	e.mu.Unlock()
	if !ok {
		return fault.New(fault.NotFound, "no approval %s is open", id)
	}
	wire := ""
	var box *Toolbox
	err := e.view(owner, func(l *session) (err error) {
		if a := l.s.Approvals[id]; a != nil {
			wire = l.s.Call(a.Call).Wire
		}
		box, err = l.toolbox()
		return err
	})
	if err != nil {
		return err
	}
	t, ok := box.Lookup(wire)
	if !ok || t.Check == nil {
		return fault.New(fault.NotAllowed, "the tool %s is gone", wire)
	}
	_, err = t.Check(args)
	return err
}

// Recover takes up every session of the journal that has an open turn: questions
// are asked again at the desk, calls that were running are in doubt.
func (e *Engine) Recover(ctx context.Context) error {
	for stream, err := range e.o.Journal.Streams(ctx) {
		if err != nil {
			return err
		}
		id, ok := strings.CutPrefix(stream, audit.SessionStream(""))
		if !ok {
			continue
		}
		if open, err := e.hasOpenTurn(ctx, stream); err != nil {
			return err
		} else if !open {
			continue // read, and taken, when it is used
		}
		if err := e.View(id, func(*turn.Session) {}); err != nil && fault.CodeOf(err) != fault.NotFound {
			return err
		}
	}
	return nil
}

// hasOpenTurn says whether a session's newest turn goes on, without taking it.
func (e *Engine) hasOpenTurn(ctx context.Context, stream string) (open bool, err error) {
	for r, err := range e.o.Journal.Read(ctx, stream, 0) {
		if err != nil {
			return false, err
		}
		switch turn.Type(r.Type) {
		case (*turn.TurnStarted)(nil).Type():
			open = true
		case (*turn.TurnEnded)(nil).Type():
			open = false
		}
	}
	return open, nil
}

// Sessions returns the ids of all sessions in the journal.
func (e *Engine) Sessions(ctx context.Context) ([]string, error) {
	var ids []string
	for stream, err := range e.o.Journal.Streams(ctx) {
		if err != nil {
			return nil, err
		}
		if id, ok := strings.CutPrefix(stream, audit.SessionStream("")); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// rested is a session that came to rest for the n-th time.
type rested struct {
	l *session
	n int
}

// rest lets go of a session. Beyond those that are kept, sessions in which
// nothing happens leave the memory, with their questions open: they are read
// from the journal when they are needed.
func (e *Engine) rest(l *session) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l.refs--
	l.rested++
	e.idle = append(e.idle, rested{l, l.rested})
	for len(e.idle) > e.o.Keep {
		old := e.idle[0]
		e.idle[0] = rested{}
		e.idle = e.idle[1:]
		if old.l.refs == 0 && old.l.rested == old.n && e.sessions[old.l.id] == old.l && old.l.sleep() {
			delete(e.sessions, old.l.id)
		}
	}
}

// sleep says whether nothing needs the session in memory. One that is being
// worked on stays awake. The engine is locked.
func (l *session) sleep() bool {
	if !l.mu.TryLock() {
		return false
	}
	defer l.mu.Unlock()
	if l.asking != nil || len(l.exams)+len(l.runs)+len(l.recalled)+len(l.watchers)+len(l.todo) > 0 || l.draining || l.timer != nil {
		return false
	}
	l.forgetLocked()
	return !l.lost
}

// Follow watches a turn that is open already. Without one it is fault.NotFound.
// The caller stops the watcher.
func (e *Engine) Follow(session string) (string, *Watcher, error) {
	l, err := e.hold(session)
	if err != nil {
		return "", nil, err
	}
	l.mu.Lock()
	w := l.watch()
	id := ""
	if err = l.load(); err == nil {
		if l.s.Turn.Open() {
			id = l.s.Turn.ID
		} else {
			err = fault.New(fault.NotFound, "session %s has no open turn", session)
		}
	}
	l.mu.Unlock()
	l.drain()
	if err != nil {
		w.Stop()
		return "", nil, err
	}
	return id, w, nil
}
