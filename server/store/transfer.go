package store

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

// Records yields all records of the tenants, or of all tenants without any, for
// an export or to verify them. Each tenant's stream audit.Admin comes last.
func Records(ctx context.Context, s Logs, tenants ...string) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		if len(tenants) == 0 {
			var err error
			if tenants, err = s.Tenants(ctx); err != nil {
				yield(audit.Record{}, err)
				return
			}
		}
		for _, tenant := range tenants {
			for r, err := range journal.Records(ctx, s.Journal(tenant)) {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// Export writes the logs of the tenants, or of all tenants without any, as
// package audit specifies: it can be verified without a server, and imported
// into any store. Members and commands are not part of it.
func Export(ctx context.Context, s Logs, w io.Writer, opts *audit.ExportOptions, tenants ...string) (*audit.Signed, error) {
	return audit.Export(w, Records(ctx, s, tenants...), opts)
}

// importBatch is how many records, and importBytes about how many bytes, one
// transaction of an import holds.
const (
	importBatch = 512
	importBytes = 8 << 20
)

// Import adds the records of an export as they are. All of it is verified before
// anything is written; then it goes on in batches. One that was interrupted can
// be begun again.
//
// Errors: fault.BadJournal, a payload was left out of the export; fault.BadChain,
// it does not verify, was cut off, or does not continue what the store holds
// already; those of [Logs.Restore].
func Import(ctx context.Context, s Logs, r io.ReadSeeker, opts *audit.VerifyOptions) (*audit.Report, error) {
	whole := false
	report, err := audit.Verify(untilCheckpoint(audit.Lines(r), &whole), opts)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return report, err
	}
	if !whole {
		return report, fault.New(fault.BadChain, "no checkpoint ends this export: it was cut off, or is none")
	}
	if report.Withheld+report.Masked > 0 {
		return report, fault.New(fault.BadJournal, "%d payloads were left out of this export or masked: export everything", report.Withheld+report.Masked)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return report, err
	}
	return report, restoreAll(ctx, s, r)
}

// untilCheckpoint notes whether there was one.
func untilCheckpoint(lines iter.Seq2[audit.Line, error], seen *bool) iter.Seq2[audit.Line, error] {
	return func(yield func(audit.Line, error) bool) {
		for line, err := range lines {
			*seen = *seen || line.Signed != nil
			if !yield(line, err) {
				return
			}
		}
	}
}

func restoreAll(ctx context.Context, s Logs, r io.Reader) error {
	var batch []audit.Record
	size := 0
	flush := func() error {
		err := s.Restore(ctx, batch)
		batch, size = batch[:0], 0
		return err
	}
	for line, err := range audit.Lines(r) {
		if err != nil {
			return err
		}
		if line.Signed != nil {
			continue
		}
		batch = append(batch, line.Record)
		if size += len(line.Record.Payload); len(batch) == importBatch || size > importBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// Fits says whether a record may be restored behind head: a link in its chain,
// sealed as it is, and nothing left out.
func Fits(r *audit.Record, head audit.Head) error {
	if r.State != audit.Whole && r.State != audit.Erased {
		return fault.New(fault.BadJournal, "stream %s: the payload of record %d was left out", r.Stream, r.Seq)
	}
	return errors.Join(r.After(head), r.Check())
}
