package sqlstore

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

// tenantLog is the log of one tenant.
type tenantLog struct {
	s      *Store
	tenant string
	closed atomic.Bool
}

// Journal implements [store.Logs].
func (s *Store) Journal(tenant string) journal.Journal { return &tenantLog{s: s, tenant: tenant} }

// Close implements [journal.Journal]. The store stays open.
func (l *tenantLog) Close() error {
	l.closed.Store(true)
	return nil
}

func (l *tenantLog) ready(ctx context.Context) error {
	if l.closed.Load() {
		return fault.New(fault.Closed, "the journal is closed")
	}
	if err := audit.CheckName(l.tenant); err != nil {
		return err
	}
	return l.s.ready(ctx)
}

// Append implements [journal.Journal].
func (l *tenantLog) Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	return l.s.append(ctx, l.tenant, stream, last, drafts)
}

// Erase implements [journal.Journal].
func (l *tenantLog) Erase(ctx context.Context, stream string, seqs ...uint64) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	return l.s.erase(ctx, l.tenant, stream, seqs)
}

// Read implements [journal.Journal]. Records are fetched in pages, so that a slow
// reader holds nothing, and are checked against their hashes.
func (l *tenantLog) Read(ctx context.Context, stream string, after uint64) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		if err := l.ready(ctx); err != nil {
			yield(audit.Record{}, err)
			return
		}
		last, err := l.s.head(ctx, l.tenant, stream)
		for err == nil && after < last.Seq {
			var page []audit.Record
			if page, err = l.s.page(ctx, l.tenant, stream, after, last.Seq); err != nil {
				break
			}
			for i := range page {
				if ctx.Err() != nil {
					yield(audit.Record{}, cancelled(ctx))
					return
				}
				if !yield(page[i], nil) {
					return
				}
			}
			after = page[len(page)-1].Seq
		}
		if err != nil {
			yield(audit.Record{}, err)
		}
	}
}

// Streams implements [journal.Journal].
func (l *tenantLog) Streams(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		heads, err := l.heads(ctx)
		if err != nil {
			yield("", err)
			return
		}
		for _, h := range heads {
			if !yield(h.Stream, nil) {
				return
			}
		}
	}
}

func (l *tenantLog) heads(ctx context.Context) ([]audit.Head, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	return l.s.Heads(ctx, l.tenant)
}

// pageSize is how many records are fetched at once.
const pageSize = 128

const recordColumns = "seq, version, type, time, header, commitment, prev, hash, state, salt, payload"

// page returns the records that follow after, at least one, at most up to last.
func (s *Store) page(ctx context.Context, tenant, stream string, after, last uint64) (page []audit.Record, err error) {
	err = s.query(ctx, "select "+recordColumns+" from records where tenant = ? and stream = ? and seq > ? and seq <= ? order by seq limit ?",
		[]any{tenant, stream, int64(after), int64(last), pageSize}, func(scan func(...any) error) error {
			r, err := scanRecord(scan, tenant, stream)
			if next := after + uint64(len(page)) + 1; err == nil && r.Seq != next {
				err = missing(stream, next)
			}
			page = append(page, r)
			return err
		})
	if err == nil && len(page) == 0 {
		err = missing(stream, after+1)
	}
	return page, err
}

func missing(stream string, seq uint64) error {
	return fault.New(fault.BadJournal, "stream %s: record %d is missing", stream, seq)
}

func scanRecord(scan func(...any) error, tenant, stream string) (audit.Record, error) {
	r := audit.Record{Tenant: tenant, Stream: stream}
	var seq, state int64
	var header string
	var commitment, prev, hash []byte
	if err := scan(&seq, &r.Version, &r.Type, &r.Time, &header, &commitment, &prev, &hash, &state, &r.Salt, &r.Payload); err != nil {
		return r, err
	}
	r.Seq, r.State, r.Header = uint64(seq), audit.State(state), json.RawMessage(header)
	copy(r.Commitment[:], commitment)
	copy(r.Prev[:], prev)
	copy(r.Hash[:], hash)
	if r.State == audit.Whole && r.Payload == nil {
		r.Payload = []byte{}
	}
	if err := r.Check(); err != nil {
		return r, fault.Wrap(err, fault.BadJournal, "stream %s: record %d is not as it was written", stream, seq)
	}
	return r, nil
}

func (s *Store) head(ctx context.Context, tenant, stream string) (h audit.Head, err error) {
	err = s.query(ctx, "select tenant, stream, seq, hash from heads where tenant = ? and stream = ?", []any{tenant, stream},
		func(scan func(...any) error) (err error) {
			h, err = scanHead(scan)
			return err
		})
	return h, err
}

// Heads implements [store.Logs].
func (s *Store) Heads(ctx context.Context, tenant string) (heads []audit.Head, err error) {
	err = s.query(ctx, "select tenant, stream, seq, hash from heads where tenant = ? and seq > 0", []any{tenant},
		func(scan func(...any) error) error {
			h, err := scanHead(scan)
			heads = append(heads, h)
			return err
		})
	// Sorted here: databases sort text by the rules of some language.
	slices.SortFunc(heads, func(a, b audit.Head) int {
		return compareKeys(streamKey{a.Tenant, a.Stream}, streamKey{b.Tenant, b.Stream})
	})
	return heads, err
}

// Tenants implements [store.Logs].
func (s *Store) Tenants(ctx context.Context) (list []string, err error) {
	err = s.query(ctx, "select distinct tenant from heads where seq > 0", nil, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		list = append(list, name)
		return err
	})
	slices.Sort(list)
	return list, err
}
