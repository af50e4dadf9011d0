package sqlstore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

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
