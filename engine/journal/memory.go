package journal

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

// Memory is a journal that ends with the process. Its records are chained like
// those of every journal, so that they can be exported and verified. Make one
// with [NewMemory].
type Memory struct {
	tenant string

	mu      sync.RWMutex
	streams map[string][]audit.Record
	closed  bool
}

var _ Journal = (*Memory)(nil)

// NewMemory returns an empty journal of the tenant DefaultTenant.
func NewMemory() *Memory {
	return &Memory{tenant: DefaultTenant, streams: map[string][]audit.Record{}}
}

// Append implements [Journal]. It never returns fault.Unwritable.
func (m *Memory) Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	recs, err := Commit(stream, drafts)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	return m.add(stream, last, recs)
}

// Read implements [Journal].
func (m *Memory) Read(ctx context.Context, stream string, after uint64) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		m.mu.RLock()
		recs, err := m.streams[stream], m.ready(ctx)
		m.mu.RUnlock()
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		for _, r := range recs[min(after, uint64(len(recs))):] {
			if ctx.Err() != nil {
				yield(audit.Record{}, cancelled(ctx))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Streams implements [Journal].
func (m *Memory) Streams(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		m.mu.RLock()
		names, err := slices.Sorted(maps.Keys(m.streams)), m.ready(ctx)
		m.mu.RUnlock()
		yieldNames(names, err, yield)
	}
}

// Heads returns the end of every stream, sorted, for a checkpoint.
func (m *Memory) Heads() []audit.Head {
	m.mu.RLock()
	defer m.mu.RUnlock()
	heads := make([]audit.Head, 0, len(m.streams))
	for _, name := range slices.Sorted(maps.Keys(m.streams)) {
		heads = append(heads, m.head(name))
	}
	return heads
}

// Erase implements [Journal].
func (m *Memory) Erase(ctx context.Context, stream string, seqs ...uint64) error {
	if len(seqs) == 0 {
		return nil
	}
	rec, err := Erasure(stream, seqs)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.ready(ctx); err != nil {
		return err
	}
	recs := slices.Clone(m.streams[stream]) // those who read see the slice they began with
	for _, seq := range seqs {
		if seq < 1 || seq > uint64(len(recs)) {
			return noRecord(stream, seq)
		}
		recs[seq-1].Erase()
	}
	m.streams[stream] = recs
	_, err = m.add(audit.Admin, m.head(audit.Admin).Seq, rec)
	return err
}

// Close implements [Journal]. The records are given up.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.streams = true, nil
	return nil
}

func (m *Memory) ready(ctx context.Context) error {
	if m.closed {
		return closed()
	}
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	return nil
}

func (m *Memory) add(stream string, last uint64, recs []audit.Record) ([]audit.Record, error) {
	head := m.head(stream)
	if head.Seq != last {
		return nil, conflict(stream, last, head.Seq)
	}
	if len(recs) == 0 {
		return nil, nil
	}
	Link(head, recs)
	m.streams[stream] = append(m.streams[stream], recs...)
	return recs, nil
}

func (m *Memory) head(stream string) audit.Head {
	if recs := m.streams[stream]; len(recs) > 0 {
		return recs[len(recs)-1].Head()
	}
	return audit.Genesis(m.tenant, stream)
}

func yieldNames(names []string, err error, yield func(string, error) bool) {
	if err != nil {
		yield("", err)
		return
	}
	for _, name := range names {
		if !yield(name, nil) {
			return
		}
	}
}

func conflict(stream string, last, is uint64) error {
	return fault.New(fault.Conflict, "stream %s ends with record %d, not %d: read it and decide again", stream, is, last)
}

func noRecord(stream string, seq uint64) error {
	return fault.New(fault.NotFound, "stream %s has no record %d", stream, seq)
}

func cancelled(ctx context.Context) error {
	return fault.Wrap(context.Cause(ctx), fault.Cancelled, "stopped before anything was written")
}

func closed() error { return fault.New(fault.Closed, "the journal is closed") }
