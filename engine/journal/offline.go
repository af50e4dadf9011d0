package journal

import (
	"crypto"
	"errors"
	"io"
	"iter"
	"os"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

// VerifyFile verifies a journal file or an export, without opening it as a
// journal: another process may have it open. A write that has not finished is
// left out and counted.
//
// The error is one of reading, with code fault.BadJournal; what is wrong with
// the log is in the report.
func VerifyFile(path string, opts *audit.VerifyOptions) (*audit.Report, error) {
	var unfinished int
	var report *audit.Report
	err := withLines(path, func(lines iter.Seq2[audit.Line, error]) (err error) {
		report, err = audit.Verify(finished(lines, &unfinished), opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	report.Unfinished = unfinished
	return report, nil
}

// ExportFile exports a journal file, which another process may have open. An
// error has code fault.BadJournal if a line cannot be read, and is else one of w.
func ExportFile(w io.Writer, path string, opts *audit.ExportOptions) (signed *audit.Signed, err error) {
	err = withLines(path, func(lines iter.Seq2[audit.Line, error]) (err error) {
		signed, err = audit.Export(w, records(path, finished(lines, new(int))), opts)
		return err
	})
	return signed, err
}

// CheckpointFile signs where the streams of a journal file end. It verifies the
// file first: an error of code fault.BadChain says that it is not sound, and
// nothing was signed.
func CheckpointFile(path string, key crypto.Signer, at time.Time) (*audit.Signed, error) {
	report, err := VerifyFile(path, nil)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return nil, err
	}
	return audit.Sign(audit.NewCheckpoint(at, true, report.Heads), key)
}

func withLines(path string, use func(iter.Seq2[audit.Line, error]) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fault.Wrap(err, fault.BadJournal, "%s cannot be read", path)
	}
	defer f.Close()
	return use(audit.Lines(f))
}

// finished holds the lines of a batch back until it is whole. What is left over
// at the end of a journal file is counted and not yielded. Lines without a frame,
// as in an export, pass.
func finished(lines iter.Seq2[audit.Line, error], left *int) iter.Seq2[audit.Line, error] {
	return func(yield func(audit.Line, error) bool) {
		var held []audit.Line
		framed := false
		for line, err := range lines {
			f, ok := parseFrame(line.Frame)
			framed = framed || ok
			if err != nil && line.Torn && framed {
				*left = 1
				break
			}
			held = append(held, line)
			if err == nil && f.more > 0 {
				continue
			}
			for i, l := range held {
				var e error
				if i == len(held)-1 {
					e = err
				}
				if !yield(l, e) {
					return
				}
			}
			held = held[:0]
		}
		*left += len(held)
	}
}

// records takes the records from the lines of a journal file.
func records(path string, lines iter.Seq2[audit.Line, error]) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for line, err := range lines {
			switch {
			case err != nil && line.N > 0:
				err = fault.Wrap(errors.Unwrap(err), fault.CodeOf(err), "%s, line %d: %s", path, line.N, fault.TextOf(err))
			case err == nil && line.Signed != nil:
				err = fault.New(fault.BadJournal, "%s, line %d: an export cannot be exported again", path, line.N)
			}
			if !yield(line.Record, err) || err != nil {
				return
			}
		}
	}
}
