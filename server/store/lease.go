package store

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
)

// LeaseOptions configures a Lease. Nil means all defaults.
type LeaseOptions struct {
	// TTL is how long a member lives without a beat. Default 15 s.
	TTL time.Duration
	// Every is the time between beats. Default a third of TTL.
	Every time.Duration
	// Margin is how much earlier than TTL the lease counts as lost here: it covers
	// the time from the look at it to the effect's first byte, and clocks that run
	// at different speeds. Default a fifth of TTL.
	Margin time.Duration
	Log    *slog.Logger // nil: silent
}

// Lease keeps a member alive and says whether it still is: it is the
// engine.Lease of every session that the member owns. Make one with [Hold].
//
// It does not ask the database when it is asked, which an effect waits for. It is
// held while the last beat that the database confirmed began less than TTL minus
// Margin ago, by the wall clock and by the monotonic clock: one stands still while
// a machine sleeps, the other can be set back. Once lost it stays lost, since the
// sessions may have been taken meanwhile.
type Lease struct {
	members Members
	member  string
	o       LeaseOptions
	clock   func() (mono, wall time.Duration)

	mu   sync.Mutex
	mono time.Duration // when the newest confirmed beat began
	wall time.Duration
	lost bool

	gone chan struct{}
	stop context.CancelFunc
	done chan struct{}
}

// Hold joins as a member, under a name that was never used, and beats until
// Close. Errors are those of [Members.Join].
func Hold(ctx context.Context, m Members, member string, opts *LeaseOptions) (*Lease, error) {
	return hold(ctx, m, member, opts, clock())
}

// clock returns the time that has passed since now, by both clocks.
func clock() func() (mono, wall time.Duration) {
	begin := time.Now()
	return func() (mono, wall time.Duration) {
		now := time.Now()
		return now.Sub(begin), now.Round(0).Sub(begin.Round(0))
	}
}

func hold(ctx context.Context, m Members, member string, opts *LeaseOptions, clock func() (mono, wall time.Duration)) (*Lease, error) {
	l := &Lease{members: m, member: member, clock: clock, gone: make(chan struct{}), done: make(chan struct{})}
	if opts != nil {
		l.o = *opts
	}
	l.o.setDefaults()
	mono, wall := clock()
	if err := m.Join(ctx, member, l.o.TTL); err != nil {
		return nil, err
	}
	l.mono, l.wall = mono, wall
	ctx, l.stop = context.WithCancel(context.Background())
	go l.beat(ctx)
	return l, nil
}

func (o *LeaseOptions) setDefaults() {
	if o.TTL <= 0 {
		o.TTL = 15 * time.Second
	}
	if o.Every <= 0 {
		o.Every = o.TTL / 3
	}
	if o.Margin <= 0 {
		o.Margin = o.TTL / 5
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Member returns the member's name: give it to engine.Options.Owner.
func (l *Lease) Member() string { return l.member }

// Lost is closed when the lease was lost and cannot be had back: the process
// should end, or go on as a new member with a new engine.
func (l *Lease) Lost() <-chan struct{} { return l.gone }

// Held implements engine.Lease. An error has code fault.Fenced.
func (l *Lease) Held(string, uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held()
}

func (l *Lease) held() error {
	mono, wall := l.clock()
	age := max(mono-l.mono, wall-l.wall)
	if l.lost || age >= l.o.TTL-l.o.Margin || wall < l.wall {
		return fault.New(fault.Fenced, "member %s has not been confirmed for %s: another one may have taken its sessions", l.member, age.Round(time.Millisecond))
	}
	return nil
}

func (l *Lease) beat(ctx context.Context) {
	defer close(l.done)
	tick := time.NewTicker(l.o.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !l.once(ctx) {
			close(l.gone)
			return
		}
	}
}

// once beats once and says whether the member lives.
func (l *Lease) once(ctx context.Context) bool {
	mono, wall := l.clock() // before it is sent: so we never think to live longer than the database does
	each, cancel := context.WithTimeout(ctx, l.o.TTL)
	err := l.members.Beat(each, l.member, l.o.TTL)
	cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.mono, l.wall = mono, wall
	case fault.CodeOf(err) == fault.Fenced:
		l.lost = true
		l.o.Log.Error("the lease of this process was lost", "member", l.member, "err", err)
	default:
		l.o.Log.Warn("a beat was not confirmed", "member", l.member, "err", err)
	}
	return !l.lost
}

// Close ends the lease and leaves. Nothing is held afterwards. It may be called
// more than once.
func (l *Lease) Close(ctx context.Context) error {
	l.stop()
	<-l.done
	l.mu.Lock()
	l.lost = true
	l.mu.Unlock()
	return l.members.Leave(ctx, l.member)
}
