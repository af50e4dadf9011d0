package sqlstore

import (
	"context"
	"sync"

	"github.com/assentdev/assent/server/store"
)

// hubRoom is how many hints wait for one who listens; what comes beyond is lost.
const hubRoom = 256

// Hub hands hints to everybody in this process who listens. It waits for nobody.
type Hub struct {
	mu     sync.Mutex
	ears   map[chan store.Hint]context.CancelFunc
	closed bool
}

// NewHub returns a hub to which nobody listens yet.
func NewHub() *Hub { return &Hub{ears: map[chan store.Hint]context.CancelFunc{}} }

// Tell gives a hint to everybody who has room for it.
func (h *Hub) Tell(hint store.Hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ear := range h.ears {
		select {
		case ear <- hint:
		default:
		}
	}
}

func (h *Hub) listen(ctx context.Context) <-chan store.Hint {
	ear := make(chan store.Hint, hubRoom)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(ear)
		return ear
	}
	ctx, cancel := context.WithCancel(ctx)
	h.ears[ear] = cancel
	context.AfterFunc(ctx, func() { h.forget(ear) })
	return ear
}

func (h *Hub) forget(ear chan store.Hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cancel, ok := h.ears[ear]; ok {
		delete(h.ears, ear)
		cancel()
		close(ear)
	}
}

func (h *Hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, cancel := range h.ears {
		cancel()
	}
}

// Changes implements [store.Store].
func (s *Store) Changes(ctx context.Context) <-chan store.Hint { return s.hub.listen(ctx) }

// tell hints here and at other replicas.
func (s *Store) tell(hints []store.Hint) {
	for _, h := range hints {
		s.hub.Tell(h)
	}
	if s.d.Publish != nil && len(hints) > 0 {
		s.d.Publish(hints)
	}
}
