package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
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
	case len(group) > 1 && s.usable() == nil && !uncertain(err):
		for i := range group {
			s.commit(group[i : i+1])
		}
	default:
		for _, r := range group {
			r.err = s.unwritable(err)
		}
	}
}

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

// plan is the statements of a transaction that appends.
type plan struct {
	ends  map[streamKey]audit.Head
	moved []streamKey
	list  []Statement
}

type streamKey struct{ tenant, stream string }

func compareKeys(a, b streamKey) int {
	return cmp.Or(strings.Compare(a.tenant, b.tenant), strings.Compare(a.stream, b.stream))
}

// lockHeads reads the ends of the streams that a group appends to, and keeps
// other replicas from appending to them until the transaction ends.
func (t *tx) lockHeads(group []*request) (*plan, error) {
	var keys, fresh []streamKey
	for _, r := range group {
		k := streamKey{r.tenant, r.stream}
		keys = append(keys, k)
		if r.last == 0 && len(r.recs) > 0 {
			fresh = append(fresh, k)
		}
	}
	return t.lock(keys, fresh)
}

// lock reads the ends of streams. Those in fresh may have no row yet: where
// replicas can be in each other's way, it is made first, so that it can be locked.
func (t *tx) lock(keys, fresh []streamKey) (*plan, error) {
	p := &plan{ends: make(map[streamKey]audit.Head, len(keys))}
	keys, fresh = distinct(keys), distinct(fresh)
	if t.w.d.ForUpdate != "" && len(fresh) > 0 {
		var list []Statement
		for _, k := range fresh {
			g := audit.Genesis(k.tenant, k.stream)
			list = append(list, Statement{"insert into heads (tenant, stream, seq, hash) values (?, ?, 0, ?) on conflict do nothing", []any{k.tenant, k.stream, g.Hash[:]}})
		}
		if err := t.batch(list); err != nil {
			return nil, err
		}
	}
	for chunk := range slices.Chunk(keys, 64) {
		if err := t.readHeads(chunk, p.ends); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func distinct(keys []streamKey) []streamKey {
	keys = slices.SortedFunc(slices.Values(keys), compareKeys)
	return slices.Compact(keys)
}

func (t *tx) readHeads(keys []streamKey, ends map[streamKey]audit.Head) error {
	n := 1
	for n < len(keys) {
		n *= 2
	}
	args := make([]any, 0, 2*n)
	for i := range n {
		k := keys[min(i, len(keys)-1)] // few lengths, so that few statements are prepared
		args = append(args, k.tenant, k.stream)
	}
	text := "select tenant, stream, seq, hash from heads where (tenant, stream) in (values (?, ?)" + strings.Repeat(", (?, ?)", n-1) + ")"
	if n == 1 {
		text = "select tenant, stream, seq, hash from heads where tenant = ? and stream = ?"
	}
	if t.w.d.ForUpdate != "" {
		text += " order by tenant, stream" + t.w.d.ForUpdate
	}
	return t.query(text, args, func(scan func(...any) error) error {
		h, err := scanHead(scan)
		ends[streamKey{h.Tenant, h.Stream}] = h
		return err
	})
}

func scanHead(scan func(...any) error) (h audit.Head, err error) {
	var seq int64
	var hash []byte
	err = scan(&h.Tenant, &h.Stream, &seq, &hash)
	h.Seq = uint64(seq)
	copy(h.Hash[:], hash)
	return h, err
}

func (p *plan) end(k streamKey) audit.Head {
	if h, ok := p.ends[k]; ok {
		return h
	}
	return audit.Genesis(k.tenant, k.stream)
}

// request adds what a request writes, or says why it does not.
func (p *plan) request(r *request) {
	k := streamKey{r.tenant, r.stream}
	end := p.end(k)
	switch {
	case r.ctx.Err() != nil:
		r.err = cancelled(r.ctx)
	case end.Seq != r.last:
		r.err = fault.New(fault.Conflict, "stream %s ends with record %d, not %d: read it and decide again", r.stream, end.Seq, r.last)
	case len(r.recs) > 0:
		p.move(k, journal.Link(end, r.recs))
		p.records(r.recs)
		p.change(r.change)
	}
}

func (p *plan) move(k streamKey, end audit.Head) {
	p.ends[k] = end
	p.moved = append(p.moved, k)
}

func (p *plan) add(text string, args ...any) { p.list = append(p.list, Statement{text, args}) }

func (p *plan) records(recs []audit.Record) {
	for i := range recs {
		r := &recs[i]
		p.add("insert into records (tenant, stream, seq, version, type, time, header, commitment, prev, hash, state, salt, payload)"+
			" values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			r.Tenant, r.Stream, int64(r.Seq), r.Version, r.Type, r.Time, string(r.Header), r.Commitment[:], r.Prev[:], r.Hash[:], int64(r.State), r.Salt, r.Payload)
	}
}

// heads writes the ends of the streams that moved, in the order in which all
// replicas lock them.
func (p *plan) heads() {
	for _, k := range distinct(p.moved) {
		h := p.ends[k]
		p.add("insert into heads (tenant, stream, seq, hash) values (?, ?, ?, ?)"+
			" on conflict (tenant, stream) do update set seq = excluded.seq, hash = excluded.hash", k.tenant, k.stream, int64(h.Seq), h.Hash[:])
	}
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
