package audit

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/assentdev/assent/fault"
)

// VerifyOptions configures Verify. Nil checks the chains only.
type VerifyOptions struct {
	// Keys are the public keys that may have signed checkpoints. With keys, at
	// least one checkpoint has to be there and every one has to be signed.
	Keys []ed25519.PublicKey
	// Saved are checkpoints that were kept elsewhere. They prove that nothing they
	// cover was cut off or made anew.
	Saved []*Signed
}

// Verify reads a log and finds what was edited, removed, reordered or, with
// checkpoints, truncated or made anew. Streams may be interleaved. An error is
// one of reading; what is wrong with the log is in the report.
func Verify(lines iter.Seq2[Line, error], opts *VerifyOptions) (*Report, error) {
	if opts == nil {
		opts = &VerifyOptions{}
	}
	v := &verifier{opts: opts, heads: map[streamKey]Head{}, known: map[streamKey][]Head{}, erased: map[streamKey][]span{}, said: map[streamKey][]span{}}
	for _, s := range opts.Saved {
		v.save(s)
	}
	for line, err := range lines {
		if err := v.line(line, err); err != nil {
			return nil, err
		}
	}
	v.finish()
	return &v.report, nil
}

type streamKey struct{ tenant, stream string }

// verifier goes through a log once. It keeps the end of each stream, and of
// erased payloads only where they are.
type verifier struct {
	opts   *VerifyOptions
	report Report
	heads  map[streamKey]Head
	known  map[streamKey][]Head // what saved checkpoints say
	last   *Signed              // the checkpoint in the file
	erased map[streamKey][]span // payloads that are gone
	said   map[streamKey][]span // erasures that were recorded
}

func (v *verifier) problem(kind Kind, line int, h Head, text string, args ...any) {
	v.report.Count++
	if len(v.report.Problems) < MaxProblems {
		v.report.Problems = append(v.report.Problems, Problem{kind, line, h.Stream, h.Seq, fmt.Sprintf(text, args...)})
	}
}

func (v *verifier) line(line Line, err error) error {
	switch {
	case err != nil && line.N > 0 && fault.CodeOf(err) == fault.BadJournal:
		kind := Malformed
		if line.Torn {
			kind = Incomplete
		}
		v.problem(kind, line.N, Head{}, "%s", fault.TextOf(err))
	case err != nil:
		return err
	case v.last != nil:
		v.problem(Malformed, line.N, Head{}, "something follows the checkpoint that ends an export")
	case line.Signed != nil:
		v.checkpoint(line)
	default:
		v.record(line.N, &line.Record)
	}
	return nil
}

// record checks one record and its place.
func (v *verifier) record(n int, r *Record) {
	v.report.Records++
	at, key := r.Head(), streamKey{r.Tenant, r.Stream}
	if what := r.changed(); what != "" {
		v.problem(Edited, n, at, "%s was changed", what)
	}
	head, begun := v.heads[key]
	if !begun {
		head = Genesis(r.Tenant, r.Stream)
	}
	switch {
	case r.Seq <= head.Seq:
		v.problem(Reordered, n, at, "it stands behind record %d", head.Seq)
		return
	case r.Seq > head.Seq+1:
		v.problem(Removed, n, at, "records %d to %d are missing before it", head.Seq+1, r.Seq-1)
	case r.Prev != head.Hash:
		v.problem(Edited, n, at, "it does not follow the record before it: one of the two was replaced")
	}
	v.heads[key] = at
	for _, h := range v.known[key] {
		if h.Seq == r.Seq && h.Hash != r.Hash {
			v.problem(Rewritten, n, at, "a signed checkpoint knows another record in its place")
		}
	}
	v.payload(key, r)
}

// payload counts payloads that are not at hand and what was said about them.
func (v *verifier) payload(key streamKey, r *Record) {
	switch r.State {
	case Erased:
		v.report.Erased++
		v.erased[key] = addSpan(v.erased[key], span{r.Seq, r.Seq})
	case Withheld:
		v.report.Withheld++
	case Masked:
		v.report.Masked++
	}
	if r.Stream != Admin || r.Type != TypeErased {
		return
	}
	var e struct {
		Stream string `json:"stream"`
		Seqs   []span `json:"seqs"`
	}
	if json.Unmarshal(r.Header, &e) == nil {
		k := streamKey{r.Tenant, e.Stream}
		v.said[k] = append(v.said[k], e.Seqs...)
	}
}

// save takes a checkpoint that was kept elsewhere.
func (v *verifier) save(s *Signed) {
	if !v.vouched(s, 0) {
		return
	}
	for _, h := range s.Checkpoint.Heads {
		key := streamKey{h.Tenant, h.Stream}
		v.known[key] = append(v.known[key], h)
	}
}

// vouched says whether a checkpoint's signature holds, and keeps the latest that does.
func (v *verifier) vouched(s *Signed, line int) bool {
	if len(v.opts.Keys) == 0 && line > 0 {
		return true // the chains are checked against it, but it proves nothing
	}
	if !s.SignedBy(v.opts.Keys...) {
		v.problem(Unsigned, line, Head{}, "the checkpoint is not signed by any of the %d keys", len(v.opts.Keys))
		return false
	}
	if v.report.Signed == nil || s.Checkpoint.Time >= v.report.Signed.Checkpoint.Time {
		v.report.Signed = s
	}
	return true
}

// checkpoint takes the one that ends an export: it says where every stream of
// the file ends, and what the file's lines are.
func (v *verifier) checkpoint(line Line) {
	v.last = line.Signed
	v.vouched(line.Signed, line.N)
	c := &line.Signed.Checkpoint
	if c.Lines != nil && (c.Lines.Count != line.N-1 || c.Lines.Sum != line.Before) {
		v.problem(Edited, line.N, Head{}, "the lines before the checkpoint are not the %d that it was made for", c.Lines.Count)
	}
	ends := maps.Clone(v.heads)
	for _, h := range c.Heads {
		key := streamKey{h.Tenant, h.Stream}
		v.compare(line.N, h, ends[key])
		delete(ends, key)
	}
	for _, key := range sortedKeys(ends) {
		v.problem(Rewritten, line.N, ends[key], "the checkpoint does not know the stream")
	}
}

// compare compares the end that the last checkpoint gives with the one that is there.
func (v *verifier) compare(line int, want, is Head) {
	switch {
	case is.Seq < want.Seq:
		v.problem(Truncated, line, want, "the stream ends with record %d", is.Seq)
	case is.Seq > want.Seq:
		v.problem(Rewritten, line, is, "the checkpoint ends the stream with record %d", want.Seq)
	case is.Hash != want.Hash:
		v.problem(Rewritten, line, is, "the checkpoint knows another record in its place")
	}
}

// finish looks for what is missing.
func (v *verifier) finish() {
	for _, key := range sortedKeys(v.known) {
		for _, h := range v.known[key] {
			if is := v.heads[key].Seq; is < h.Seq {
				v.problem(Truncated, 0, h, "the stream ends with record %d and a signed checkpoint knows more", is)
			}
		}
	}
	if len(v.opts.Keys) > 0 && v.last == nil && len(v.opts.Saved) == 0 {
		v.problem(Unsigned, 0, Head{}, "there is no checkpoint, so nothing proves where the log ends")
	}
	if v.last == nil || v.last.Checkpoint.Whole {
		v.unrecorded()
	}
	for _, key := range sortedKeys(v.heads) {
		v.report.Heads = append(v.report.Heads, v.heads[key])
	}
}

// unrecorded finds payloads that were taken away behind the log's back.
func (v *verifier) unrecorded() {
	for _, key := range sortedKeys(v.erased) {
		said := joinSpans(v.said[key])
		for _, s := range v.erased[key] {
			if seq := firstOutside(s, said); seq > 0 {
				v.problem(Unrecorded, 0, Head{Tenant: key.tenant, Stream: key.stream, Seq: seq}, "its payload is gone and no record says that it was erased")
			}
		}
	}
}

func sortedKeys[V any](m map[streamKey]V) []streamKey {
	return slices.SortedFunc(maps.Keys(m), func(a, b streamKey) int {
		return compareHeads(Head{Tenant: a.tenant, Stream: a.stream}, Head{Tenant: b.tenant, Stream: b.stream})
	})
}
