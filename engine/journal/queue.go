package journal

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/assentdev/assent/audit"
)

// request is a batch that waits to be written, or an erasure.
type request struct {
	ctx    context.Context
	stream string
	last   uint64
	recs   []audit.Record
	erase  []uint64 // not empty: an erasure, and recs is the record that says so
	err    error    // set by the writer before it answers
	answer chan error
}

func (r *request) reply() { r.answer <- r.err }

// queue holds requests in order. It needs no limit: each request is one caller
// that waits.
type queue struct {
	mu     sync.Mutex
	list   []*request
	closed bool
	wake   chan struct{} // holds a token when there is news
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// put adds a request, unless the queue is closed.
func (q *queue) put(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.list = append(q.list, r)
	q.signal()
	return true
}

// take waits for requests and appends all of them to dst. It appends none when
// the queue is closed and empty.
func (q *queue) take(dst []*request) []*request {
	for {
		q.gather()
		q.mu.Lock()
		dst = append(dst, q.list...)
		clear(q.list)
		q.list = q.list[:0]
		closed := q.closed
		q.mu.Unlock()
		if len(dst) > 0 || closed {
			return dst
		}
		<-q.wake
	}
}

// gather lets callers who were just answered ask again before the next group is
// closed: a group of all of them costs no more disk than two of half of them. It
// waits for nobody.
func (q *queue) gather() {
	for before := -1; before < q.size(); {
		before = q.size()
		runtime.Gosched()
	}
}

func (q *queue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list)
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// segment is an open file that readers share with the writer. Whoever is the
// last to release it closes it.
type segment struct {
	disk
	users atomic.Int64
}

func newSegment(d disk) *segment {
	s := &segment{disk: d}
	s.users.Store(1)
	return s
}

func (s *segment) release() error {
	if s.users.Add(-1) == 0 {
		return s.Close()
	}
	return nil
}
