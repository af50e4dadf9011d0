package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/turn"
)

// load reads the session from the journal, if it is not in memory, and takes it
// under a new epoch, unless it is ours.
func (l *session) load() error {
	if l.s != nil {
		return nil
	}
	err := l.safely(l.take)
	for n := 1; n < attempts && fault.CodeOf(err) == fault.Conflict; n++ {
		err = l.safely(l.take)
	}
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
	w, err := l.e.world(l)
	if err != nil {
		l.failed(err)
		return err
	}
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
		l.e.noteAway(l.id, nil)
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
	for id, t := range l.recalled {
		t.Stop()
		delete(l.recalled, id)
	}
	l.offers = ""
}

func (l *session) endRuns() {
	for id, r := range l.runs {
		r.end(errDropped)
		delete(l.runs, id)
	}
}

var errDropped = errors.New("the session was dropped")
