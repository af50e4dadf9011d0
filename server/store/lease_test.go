package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// What an engine on a server is given.
var _ = engine.Options{Lease: (*store.Lease)(nil), NewID: store.NewID}

// members is a database that a test can take away.
type members struct {
	mu    sync.Mutex
	err   error
	beats int
	left  bool
}

func (m *members) set(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

func (m *members) ask() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beats++
	return m.err
}

func (m *members) Join(context.Context, string, time.Duration) error { return m.ask() }
func (m *members) Beat(context.Context, string, time.Duration) error { return m.ask() }
func (m *members) Leave(context.Context, string) error               { m.left = true; return nil }
func (m *members) Members(context.Context) ([]store.Member, error)   { return nil, nil }

func held(l *store.Lease) bool { return l.Held("s1", 1) == nil }

// proves: S2 (an owner acts only while the database has confirmed it)
func TestALeaseIsHeldAsLongAsItsBeatsAreConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &members{}
		l, err := store.Hold(t.Context(), m, "m1", nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if !held(l) {
			t.Error("not held although every beat was confirmed")
		}
		m.set(errors.New("the database is away"))
		time.Sleep(5 * time.Second)
		if !held(l) {
			t.Error("one beat that is late ends the lease")
		}
		time.Sleep(8 * time.Second)
		if held(l) {
			t.Error("held although nothing was confirmed for 12 seconds of 15")
		}
		if code := fault.CodeOf(l.Held("s1", 1)); code != fault.Fenced {
			t.Errorf("code %q", code)
		}
		m.set(nil)
		time.Sleep(6 * time.Second)
		if !held(l) {
			t.Error("the database confirms that it lives, and it is not held")
		}
		if err := l.Close(t.Context()); err != nil || !m.left || held(l) {
			t.Errorf("closed: %v, left %v, held %v", err, m.left, held(l))
		}
	})
}

// proves: S2 (a member that the database counts as dead never acts again)
func TestALeaseThatWasLostStaysLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &members{}
		l, err := store.Hold(t.Context(), m, "m1", nil)
		if err != nil {
			t.Fatal(err)
		}
		m.set(fault.New(fault.Fenced, "the member is dead"))
		<-l.Lost()
		m.set(nil)
		beats := m.beats
		time.Sleep(time.Hour)
		if held(l) || m.beats != beats {
			t.Errorf("held %v, %d more beats", held(l), m.beats-beats)
		}
		_ = l.Close(t.Context())
	})
}

// proves: S2 (a process that was frozen, or whose machine slept, notices it by
// either clock)
func TestEitherClockEndsALease(t *testing.T) {
	for name, c := range map[string]struct {
		mono, wall time.Duration
		want       bool
	}{
		"nothing has passed":                      {0, 0, true},
		"just before the margin":                  {11 * time.Second, 11 * time.Second, true},
		"at the margin":                           {12 * time.Second, 12 * time.Second, false},
		"the machine slept: only the wall clock":  {time.Second, 20 * time.Second, false},
		"the clock was set back: only the other":  {20 * time.Second, time.Second, false},
		"the clock was set back to before a beat": {time.Second, -time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			var mono, wall time.Duration
			l, err := store.HoldBy(t.Context(), &members{}, "m1", &store.LeaseOptions{Every: time.Hour}, func() (time.Duration, time.Duration) { return mono, wall })
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close(t.Context())
			mono, wall = c.mono, c.wall
			if held(l) != c.want {
				t.Errorf("held %v, want %v", held(l), c.want)
			}
		})
	}
}

func TestHoldTellsWhyItCannotJoin(t *testing.T) {
	m := &members{err: fault.New(fault.Conflict, "the name is taken")}
	if _, err := store.Hold(t.Context(), m, "m1", nil); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("got %v", err)
	}
}
