package engine

import (
	"context"
	"sync"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/turn"
)

// Update is something that happened in a session. Exactly one field is set.
type Update struct {
	Event    *turn.Event // committed to the journal
	Delta    *Delta      // a piece of a message that streams; it is not in the journal
	Progress *Progress   // what a running tool says of itself; it is not in the journal
	Offers   *Offers     // what waits for a device from here on; it is not in the journal
}

// Delta is a piece of a message of the model (SPEC S3).
type Delta struct {
	Turn    string
	Step    int // the message's number in the turn
	Attempt int // pieces of earlier attempts of this message are void
	Offset  int // bytes of this attempt before this piece
	Text    string
	Reset   bool // a new attempt begins
}

// Progress is what a running tool says of itself.
type Progress struct{ Turn, Call, Text string }

// Watcher receives a session's updates in order. A slow watcher delays nobody:
// its updates wait in memory.
type Watcher struct {
	mu    sync.Mutex
	queue []Update
	err   error
	more  chan struct{} // holds at most one wake-up
	l     *session
	over  bool // no longer watching; guarded by the session's lock
}

var errOver error = fault.New(fault.Closed, "nothing more comes: the turn has ended, or watching was stopped")

// Next returns the next update, waiting for it. It ends with ctx's error, with
// the error that ended the session in memory, or with fault.Closed after Stop,
// after the end of the turn, or when the engine is closed.
func (w *Watcher) Next(ctx context.Context) (Update, error) {
	for {
		w.mu.Lock()
		if len(w.queue) > 0 {
			u := w.queue[0]
			w.queue[0] = Update{}
			w.queue = w.queue[1:]
			w.mu.Unlock()
			return u, nil
		}
		err := w.err
		w.mu.Unlock()
		if err != nil {
			return Update{}, err
		}
		select {
		case <-w.more:
		case <-ctx.Done():
			return Update{}, ctx.Err()
		}
	}
}

// Stop ends the watching. It may be called more than once; the end of the turn
// also ends it, and what was not read yet can still be read.
func (w *Watcher) Stop() {
	w.l.mu.Lock()
	over := w.over
	w.over = true
	delete(w.l.watchers, w)
	w.l.mu.Unlock()
	w.fail(errOver)
	if !over {
		w.l.e.rest(w.l)
	}
}

func (w *Watcher) push(u Update) {
	w.mu.Lock()
	w.queue = append(w.queue, u)
	w.mu.Unlock()
	w.wake()
}

func (w *Watcher) fail(err error) {
	w.mu.Lock()
	if w.err == nil {
		w.err = err
	}
	w.mu.Unlock()
	w.wake()
}

func (w *Watcher) wake() {
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// watch adds a watcher, which holds the session as long as it watches. The
// session is locked.
func (l *session) watch() *Watcher {
	w := &Watcher{more: make(chan struct{}, 1), l: l}
	if l.watchers == nil {
		l.watchers = map[*Watcher]struct{}{}
	}
	l.watchers[w] = struct{}{}
	return w
}

// tell publishes committed events. The session is locked.
func (l *session) tell(events []turn.Event) {
	ended := false
	for i := range events {
		for w := range l.watchers {
			w.push(Update{Event: &events[i]})
		}
		_, end := events[i].Body.(*turn.TurnEnded)
		ended = ended || end
	}
	if ended {
		l.dismiss()
	}
}

// dismiss lets all watchers go.
func (l *session) dismiss() {
	for w := range l.watchers {
		w.over = true
		w.fail(errOver)
		delete(l.watchers, w)
		l.later(func() { l.e.rest(l) })
	}
}

// publish sends what is not in the journal.
func (l *session) publish(u Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.watchers {
		w.push(u)
	}
}
