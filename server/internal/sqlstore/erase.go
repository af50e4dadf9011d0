package sqlstore

import (
	"context"
	"errors"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// erase removes payloads, records that they are gone, and takes back what the
// rows said because of them.
func (s *Store) erase(ctx context.Context, tenant, stream string, seqs []uint64) error {
	if len(seqs) == 0 {
		return nil
	}
	recs, err := journal.Erasure(stream, seqs)
	if err != nil {
		return err
	}
	of, admin := streamKey{tenant, stream}, streamKey{tenant, audit.Admin}
	err = s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		p, err := t.lock([]streamKey{of, admin}, []streamKey{admin})
		if err != nil {
			return nil, err
		}
		for _, seq := range seqs {
			if seq < 1 || seq > p.end(of).Seq {
				return nil, fault.New(fault.NotFound, "stream %s has no record %d", stream, seq)
			}
			p.add("update records set state = ?, salt = null, payload = null where tenant = ? and stream = ? and seq = ?", int64(audit.Erased), tenant, stream, int64(seq))
		}
		p.move(admin, journal.Link(p.end(admin), recs))
		p.records(recs)
		p.heads()
		if err := t.batch(p.list); err != nil {
			return nil, err
		}
		return []store.Hint{{Tenant: tenant, Stream: stream}, {Tenant: tenant, Stream: audit.Admin}}, t.reproject(of, p.end(of).Seq)
	})
	if err == nil && s.d.Erased != nil {
		s.sweepErased()
	}
	return err
}

// sweepErased lets the database remove the remains of erased payloads. Where that
// fails they go with its next round of the same.
func (s *Store) sweepErased() {
	select {
	case <-s.lock:
	case <-s.ended:
		return
	}
	defer func() { s.lock <- struct{}{} }()
	if s.w.conn == nil {
		return
	}
	if err := s.d.Erased(context.Background(), s.w.conn); err != nil {
		s.log.Warn("remains of erased payloads are still in the write-ahead log", "err", err)
	}
}

// reproject makes the rows about a stream anew.
func (t *tx) reproject(k streamKey, last uint64) error {
	change, err := store.Project(k.tenant, k.stream, nil)
	if err != nil || change == nil {
		return err
	}
	if err := t.batch(forgetRows(change)); err != nil {
		return err
	}
	for after := uint64(0); after < last; after += pageSize {
		if err := t.projectPage(k, after); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) projectPage(k streamKey, after uint64) error {
	var page []audit.Record
	err := t.query("select "+recordColumns+" from records where tenant = ? and stream = ? and seq > ? order by seq limit ?",
		[]any{k.tenant, k.stream, int64(after), pageSize}, func(scan func(...any) error) error {
			r, err := scanRecord(scan, k.tenant, k.stream)
			page = append(page, r)
			return err
		})
	if err != nil {
		return err
	}
	change, err := store.Project(k.tenant, k.stream, page)
	if err != nil {
		return err
	}
	var p plan
	p.change(change)
	return t.batch(p.list)
}

// Rebuild implements [store.Upkeep].
func (s *Store) Rebuild(ctx context.Context) error {
	tenants, err := s.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		heads, err := s.Heads(ctx, tenant)
		if err != nil {
			return err
		}
		for _, h := range heads {
			if err := s.rebuild(ctx, streamKey{tenant, h.Stream}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) rebuild(ctx context.Context, k streamKey) error {
	if c, err := store.Project(k.tenant, k.stream, nil); c == nil {
		return err
	}
	return s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		p, err := t.lock([]streamKey{k}, nil)
		if err != nil {
			return nil, err
		}
		return nil, t.reproject(k, p.end(k).Seq)
	})
}

// Restore implements [store.Logs].
func (s *Store) Restore(ctx context.Context, recs []audit.Record) error {
	if len(recs) == 0 {
		return nil
	}
	return s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		streams := map[streamKey][]audit.Record{}
		var keys []streamKey
		for _, r := range recs {
			k := streamKey{r.Tenant, r.Stream}
			streams[k] = append(streams[k], r)
			keys = append(keys, k)
		}
		p, err := t.lock(keys, keys)
		if err != nil {
			return nil, err
		}
		var hints []store.Hint
		for _, k := range distinct(keys) {
			if err := errors.Join(audit.CheckName(k.tenant), audit.CheckName(k.stream)); err != nil {
				return nil, err
			}
			if err := t.restore(p, k, streams[k]); err != nil {
				return nil, err
			}
			hints = append(hints, store.Hint{Tenant: k.tenant, Stream: k.stream})
		}
		p.heads()
		return hints, t.batch(p.list)
	})
}

// restore adds the records of one stream that are not there yet.
func (t *tx) restore(p *plan, k streamKey, recs []audit.Record) error {
	if recs[0].Seq <= p.end(k).Seq {
		n, err := t.known(k, recs)
		if err != nil {
			return err
		}
		recs = recs[n:]
	}
	if len(recs) == 0 {
		return nil
	}
	end := p.end(k)
	for i := range recs {
		if err := store.Fits(&recs[i], end); err != nil {
			return err
		}
		end = recs[i].Head()
	}
	change, err := store.Project(k.tenant, k.stream, recs)
	if err != nil {
		return err
	}
	p.move(k, end)
	p.records(recs)
	p.change(change)
	return nil
}

// known returns how many of the records are there already, unchanged.
func (t *tx) known(k streamKey, recs []audit.Record) (n int, err error) {
	err = t.query("select seq, hash from records where tenant = ? and stream = ? and seq >= ? and seq <= ? order by seq",
		[]any{k.tenant, k.stream, int64(recs[0].Seq), int64(recs[len(recs)-1].Seq)}, func(scan func(...any) error) error {
			var seq int64
			var hash []byte
			if err := scan(&seq, &hash); err != nil {
				return err
			}
			if uint64(seq) != recs[n].Seq || string(hash) != string(recs[n].Hash[:]) {
				return fault.New(fault.BadChain, "stream %s: another record %d is there already", k.stream, seq)
			}
			n++
			return nil
		})
	return n, err
}
