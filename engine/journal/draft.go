package journal

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/assentdev/assent/audit"
)

// Commit does what can be done for drafts before the end of their stream is
// known: it checks them and commits to their payloads. Whoever writes a
// [Journal] links the records when it is their turn. An error has code
// fault.BadEvent.
func Commit(stream string, drafts []audit.Draft) ([]audit.Record, error) {
	if err := audit.CheckName(stream); err != nil {
		return nil, err
	}
	recs := make([]audit.Record, len(drafts))
	for i, d := range drafts {
		r, err := audit.Commit(d, audit.NewSalt())
		if err != nil {
			return nil, err
		}
		recs[i] = r
	}
	return recs, nil
}

// Link gives committed records their places behind head and returns the
// stream's new end.
func Link(head audit.Head, recs []audit.Record) audit.Head {
	for i := range recs {
		head.Link(&recs[i])
		head = recs[i].Head()
	}
	return head
}

// Erasure makes the record for the stream audit.Admin that says which payloads
// of a stream were erased. It has no place yet: see [Link].
func Erasure(stream string, seqs []uint64) ([]audit.Record, error) {
	if err := audit.CheckName(stream); err != nil {
		return nil, err
	}
	header, err := json.Marshal(struct {
		Stream string      `json:"stream"`
		Seqs   [][2]uint64 `json:"seqs"`
	}{stream, ranges(seqs)})
	if err != nil {
		return nil, err
	}
	return Commit(audit.Admin, []audit.Draft{{Type: audit.TypeErased, Version: 1, Time: time.Now(), Header: header}})
}

// ranges joins numbers that follow each other, so that the erasure of a whole
// stream fits into one header.
func ranges(seqs []uint64) (list [][2]uint64) {
	for _, n := range slices.Sorted(slices.Values(seqs)) {
		if end := len(list) - 1; end >= 0 && n <= list[end][1]+1 {
			list[end][1] = n
		} else {
			list = append(list, [2]uint64{n, n})
		}
	}
	return list
}
