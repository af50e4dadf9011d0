package sqlstore

import (
	"context"
	"runtime"
	"sync"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/server/store"
)

// request is a batch of records that waits to be written.
type request struct {
	ctx    context.Context
	tenant string
	stream string
	last   uint64
	recs   []audit.Record
	change *store.Change
	err    error // set by the writer before it answers
	answer chan error
}

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

// groupSize is how many requests one transaction holds at most.
const groupSize = 512

// take waits for requests and returns those of one group. It returns none when
// the queue is closed and empty.
func (q *queue) take() []*request {
	for {
		q.gather()
		q.mu.Lock()
		n := min(len(q.list), groupSize)
		group := q.list[:n:n]
		q.list = q.list[n:]
		closed := q.closed
		if len(q.list) > 0 {
			q.signal()
		}
		q.mu.Unlock()
		if n > 0 || closed {
			return group
		}
		<-q.wake
	}
}

// gather lets callers who were just answered ask again before the group is
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
