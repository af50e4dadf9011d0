package approval

import (
	"sync"

	"github.com/assentdev/assent/fault"
)

// several is a Desk over others.
type several struct {
	desks []Desk

	mu   sync.Mutex
	open map[string]*shared
}

// shared is a request that is open at several desks.
type shared struct {
	reply Reply
	left  int        // desks that may still answer
	over  *OverError // set when the request was answered or closed; guarded by several.mu
}

// Several returns a Desk that opens each request at all of the given desks, such
// as a Broker's cards and a terminal's handler (SPEC P13). The first answer wins
// and closes the request at the others. A desk that decides nothing leaves it to
// the rest; where none is left, its error is the reply. Without desks that is
// so at once. It is no place for None, which would always win.
func Several(desks ...Desk) Desk {
	return &several{desks: desks, open: map[string]*shared{}}
}

// Open opens the request everywhere. An id that is open gets fault.Conflict.
func (s *several) Open(r Request, reply Reply) {
	q := &shared{reply: reply, left: len(s.desks)}
	if err := s.enter(r.ID, q); err != nil {
		reply(Answer{}, Decided{}, err)
		return
	}
	for _, desk := range s.desks {
		desk.Open(r, func(a Answer, by Decided, err error) { s.answer(r.ID, q, a, by, err) })
		// Another desk may have answered before this one was asked.
		s.mu.Lock()
		over := q.over
		s.mu.Unlock()
		if over != nil {
			desk.Close(r.ID, over.State, over.Text)
		}
	}
}

func (s *several) enter(id string, q *shared) error {
	if len(s.desks) == 0 {
		return noDecision(nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id] != nil {
		return fault.New(fault.Conflict, "approval %q is open already", id)
	}
	s.open[id] = q
	return nil
}

// answer delivers the first answer, or the error of the last desk that had none.
func (s *several) answer(id string, q *shared, a Answer, by Decided, err error) {
	if !s.settle(id, q, a, err) {
		return
	}
	if err == nil {
		for _, desk := range s.desks {
			desk.Close(id, q.over.State, q.over.Text)
		}
	}
	q.reply(a, by, err)
}

func (s *several) settle(id string, q *shared, a Answer, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.over != nil {
		return false
	}
	if q.left--; err != nil && q.left > 0 {
		return false
	}
	q.over = &OverError{State: Undecided}
	if err == nil {
		q.over = &OverError{State: a.State(), Text: "answered through another channel"}
	}
	delete(s.open, id)
	return true
}

// Close closes the request everywhere, also where it was answered before: an
// approval can be withdrawn.
func (s *several) Close(id string, state State, text string) {
	s.mu.Lock()
	if q := s.open[id]; q != nil {
		q.over = &OverError{State: state, Text: text}
		delete(s.open, id)
	}
	s.mu.Unlock()
	for _, desk := range s.desks {
		desk.Close(id, state, text)
	}
}
