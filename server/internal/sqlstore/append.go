package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// run is the writer: it makes groups of what waits until the queue is closed.
func (s *Store) run() {
	defer close(s.ended)
	for {
		group := s.queue.take()
		if len(group) == 0 {
			return
		}
		<-s.lock
		s.commit(group)
		s.lock <- struct{}{}
		for _, r := range group {
			r.answer <- r.err
		}
	}
}

// commit writes a group in one transaction. Where that fails, each of it is
// written alone, so that one of them cannot fail the others.
func (s *Store) commit(group []*request) {
	if err := s.usable(); err != nil {
		for _, r := range group {
			r.err = err
		}
		return
	}
	err := s.attempt(group)
	s.poison(err)
	if uncertain(err) {
		err = s.settle(group, err)
	}
	switch {
	case err == nil:
		s.tell(hintsOf(group))
	case len(group) > 1 && s.usable() == nil && !s.lost(err):
		for i := range group {
			s.commit(group[i : i+1])
		}
	default:
		for _, r := range group {
			r.err = s.unwritable(err)
		}
	}
}

// lost says that the connection broke: trying others one by one would be of no use.
func (s *Store) lost(err error) bool { return s.d.Lost != nil && s.d.Lost(err) }

func hintsOf(group []*request) (hints []store.Hint) {
	for _, r := range group {
		if h := (store.Hint{Tenant: r.tenant, Stream: r.stream}); r.err == nil && len(r.recs) > 0 && !slices.Contains(hints, h) {
			hints = append(hints, h)
		}
	}
	return hints
}

func (s *Store) attempt(group []*request) error {
	ctx, cancel := s.bounded()
	defer cancel()
	return s.w.do(ctx, func(t *tx) error {
		p, err := t.lockHeads(group)
		if err != nil {
			return err
		}
		for _, r := range group {
			r.err = nil // it may be the second attempt
			p.request(r)
		}
		p.heads()
		return t.batch(p.list)
	})
}

// settle finds out what became of a commit whose answer was lost. Whoever locks
// the heads knows that the transaction has ended, one way or the other.
func (s *Store) settle(group []*request, lost error) error {
	for end := time.Now().Add(s.d.Timeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ctx, cancel := s.bounded()
		there := false
		err := s.w.try(ctx, func(t *tx) (err error) {
			if _, err := t.lockHeads(group); err != nil {
				return err
			}
			there, err = t.holds(group)
			return err
		})
		cancel()
		switch {
		case err == nil && there:
			return nil
		case err == nil:
			return fault.Wrap(lost, fault.Unwritable, "the connection to the %s store broke: nothing was written", s.d.Name)
		}
	}
	return lost
}

// holds says whether the group's records are stored. One answers for all.
func (t *tx) holds(group []*request) (there bool, err error) {
	for _, r := range group {
		if r.err != nil || len(r.recs) == 0 {
			continue
		}
		rec := r.recs[len(r.recs)-1]
		err := t.query("select hash from records where tenant = ? and stream = ? and seq = ?", []any{r.tenant, r.stream, int64(rec.Seq)},
			func(scan func(...any) error) error {
				var hash []byte
				err := scan(&hash)
				there = err == nil && string(hash) == string(rec.Hash[:])
				return err
			})
		return there, err
	}
	return true, nil
}

// Append of a tenant's journal: see [journal.Journal].
func (s *Store) append(ctx context.Context, tenant, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	recs, err := journal.Commit(stream, drafts)
	if err != nil {
		return nil, err
	}
	change, err := store.Project(tenant, stream, recs)
	if err != nil {
		return nil, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	r := &request{ctx: ctx, tenant: tenant, stream: stream, last: last, recs: recs, change: change, answer: make(chan error, 1)}
	if !s.queue.put(r) {
		return nil, closed()
	}
	if err := <-r.answer; err != nil || len(recs) == 0 {
		return nil, err
	}
	return recs, nil
}
