// Package journal keeps a log in memory or in a file.
//
// A journal is append-only. What [Journal.Append] has returned is durable, and a
// journal that cannot write says so with every call, so that nothing runs that
// cannot be recorded (SPEC D8).
package journal

import (
	"context"
	"iter"
	"slices"

	"github.com/assentdev/assent/audit"
)

// DefaultTenant is the tenant of a journal that was given none.
const DefaultTenant = "local"

// Journal is a log of one tenant. Its methods are safe for concurrent use.
type Journal interface {
	// Append adds drafts to the end of a stream, all or none, and returns their
	// records when they are durable. last is the seq of the stream's last record
	// as the caller knows it, 0 for none.
	//
	// The context counts until the drafts are being written; from then on the
	// answer is waited for. The drafts' bytes must not be changed afterwards.
	//
	// Errors: fault.Conflict, another writer was first; fault.BadEvent, a draft
	// or the stream's name is not well formed; fault.Cancelled, the context
	// ended; fault.Closed; fault.Unwritable, it could not be written. In each
	// case nothing was added, and nothing of it will be seen later.
	Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error)

	// Read yields the records of a stream whose seq is above after, in order, up
	// to the last one that was durable when the iteration began. A stream that
	// does not exist has none. After an error (fault.BadJournal, fault.Cancelled,
	// fault.Closed) it ends.
	Read(ctx context.Context, stream string, after uint64) iter.Seq2[audit.Record, error]

	// Streams yields the names of the streams that have records, sorted.
	Streams(ctx context.Context) iter.Seq2[string, error]

	// Erase removes the payloads of records for ever and adds to the stream
	// audit.Admin a record of type audit.TypeErased that says which. The chains
	// hold. What is erased already stays so; without seqs nothing is done.
	//
	// Errors are those of Append and fault.NotFound for a record that does not
	// exist; then nothing was erased.
	Erase(ctx context.Context, stream string, seqs ...uint64) error

	// Close waits for what is being written and ends the journal. Everything but
	// Close then returns fault.Closed.
	Close() error
}

// Records yields all records of the streams, or of the whole journal without
// any, stream by stream, for an export or to verify them. The stream
// audit.Admin comes last, so that it tells of every erasure that was seen.
func Records(ctx context.Context, j Journal, streams ...string) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		names, err := recordStreams(ctx, j, streams)
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		for _, name := range names {
			for r, err := range j.Read(ctx, name, 0) {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

func recordStreams(ctx context.Context, j Journal, streams []string) (names []string, err error) {
	admin := len(streams) == 0 || slices.Contains(streams, audit.Admin)
	if len(streams) == 0 {
		for name, err := range j.Streams(ctx) {
			if err != nil {
				return nil, err
			}
			streams = append(streams, name)
		}
	}
	for _, name := range streams {
		if name != audit.Admin {
			names = append(names, name)
		}
	}
	if admin {
		names = append(names, audit.Admin)
	}
	return names, nil
}
