// Package rate bounds how often somebody may do something, in bounded memory.
//
// Each key has a token bucket. A bucket that is full again is as good as none and
// is forgotten. Where more keys have a bucket in use than the limiter remembers,
// newcomers share one: so memory is bounded, and what all of them together may do
// is bounded as well, however many addresses somebody has.
package rate

import (
	"container/list"
	"sync"
	"time"
)

// Limit is a token bucket's size. A zero or negative field means the default.
type Limit struct {
	PerSecond float64 // how many tokens come back in a second. Default 10
	Burst     int     // how many there are at most. Default 40
}

func (l Limit) orDefaults() Limit {
	if l.PerSecond <= 0 {
		l.PerSecond = 10
	}
	if l.Burst <= 0 {
		l.Burst = 40
	}
	return l
}

// DefaultKeys is how many keys a limiter remembers unless it is told.
const DefaultKeys = 1 << 16

// Limiter has a bucket for each key. It is safe for concurrent use; make one
// with [New].
type Limiter[K comparable] struct {
	step  time.Duration // in which one token comes back
	slack time.Duration // how far ahead of the clock a bucket may be
	most  int
	now   func() time.Time
	start time.Time

	mu     sync.Mutex
	known  map[K]*list.Element // of *bucket[K]
	recent *list.List          // the one that was used last is in front
	shared bucket[K]           // of those that there is no room for
}

// bucket says until when its tokens are used up, as a time since the start: a
// bucket whose time is past is full.
type bucket[K comparable] struct {
	key   K
	until time.Duration
}

// New returns a limiter that remembers at most that many keys; zero or less
// means [DefaultKeys]. A nil now is time.Now.
func New[K comparable](limit Limit, most int, now func() time.Time) *Limiter[K] {
	limit = limit.orDefaults()
	if most <= 0 {
		most = DefaultKeys
	}
	if now == nil {
		now = time.Now
	}
	step := max(time.Duration(float64(time.Second)/limit.PerSecond), 1)
	return &Limiter[K]{
		step: step, slack: step * time.Duration(limit.Burst-1), most: most, now: now, start: now(),
		known: map[K]*list.Element{}, recent: list.New(),
	}
}

// Take takes a token of a key. Where there is none it says how long to wait for
// the next one.
func (l *Limiter[K]) Take(key K) (ok bool, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().Sub(l.start)
	l.forget(now)
	e, b := l.find(key)
	if early := b.until - l.slack - now; early > 0 {
		return false, early
	}
	b.until = max(b.until, now) + l.step
	if e != nil {
		l.recent.MoveToFront(e)
	}
	return true, 0
}

// find returns the bucket of a key, or the shared one.
func (l *Limiter[K]) find(key K) (*list.Element, *bucket[K]) {
	if e := l.known[key]; e != nil {
		return e, e.Value.(*bucket[K])
	}
	if len(l.known) >= l.most {
		return nil, &l.shared
	}
	b := &bucket[K]{key: key}
	e := l.recent.PushFront(b)
	l.known[key] = e
	return e, b
}

// forget drops up to two buckets that are full again, beginning with those that
// were not used for the longest time. Each call can add one at most, so the
// limiter shrinks while it is in use.
func (l *Limiter[K]) forget(now time.Duration) {
	for range 2 {
		e := l.recent.Back()
		if e == nil || e.Value.(*bucket[K]).until > now {
			return
		}
		l.recent.Remove(e)
		delete(l.known, e.Value.(*bucket[K]).key)
	}
}

// Len returns how many keys are remembered now.
func (l *Limiter[K]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.known)
}
