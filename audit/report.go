package audit

import (
	"fmt"

	"github.com/assentdev/assent/fault"
)

// Kind says what is wrong with a log.
type Kind string

// The kinds of problem.
const (
	Malformed  Kind = "malformed"  // a line that no log wrote
	Incomplete Kind = "incomplete" // the last line has no end: a crash, or the log is being written
	Edited     Kind = "edited"     // a record is not what it was
	Removed    Kind = "removed"    // records are missing from the middle or the beginning of a stream
	Reordered  Kind = "reordered"  // a record stands behind one that followed it, or twice
	Truncated  Kind = "truncated"  // a checkpoint knows more than there is
	Rewritten  Kind = "rewritten"  // a checkpoint knows another record in this place
	Unrecorded Kind = "unrecorded" // a payload is gone and no record of its erasure is there
	Unsigned   Kind = "unsigned"   // a checkpoint is not signed by any of the keys
)

// MaxProblems is how many problems a report lists.
const MaxProblems = 100

// Problem is one thing that is wrong, and where.
type Problem struct {
	Kind   Kind
	Line   int    // 0 where no line shows it, as with what is missing at the end
	Stream string // "" where it concerns no single stream
	Seq    uint64
	Text   string
}

// String returns the problem as a line for people.
func (p Problem) String() string {
	where := ""
	if p.Line > 0 {
		where = fmt.Sprintf("line %d: ", p.Line)
	}
	if p.Stream != "" {
		where += fmt.Sprintf("stream %s, record %d: ", p.Stream, p.Seq)
	}
	return fmt.Sprintf("%s%s (%s)", where, p.Text, p.Kind)
}

// Report is what [Verify] found.
type Report struct {
	Records                  int
	Erased, Withheld, Masked int // of those: how many have no payload, or a masked copy
	// Unfinished counts lines at the end of a journal file that belong to a write
	// which did not finish. Nobody was told of them, and they are not looked at.
	Unfinished int
	Heads      []Head // the end of every stream, sorted
	// Signed is the latest checkpoint whose signature was verified. What it covers
	// is proven; what came after it is chained but could have been cut off. Nil:
	// the chains hold in themselves, and whoever could write all of the log could
	// have made it anew.
	Signed *Signed
	// Problems are the first MaxProblems, and Count is how many there are.
	Problems []Problem
	Count    int
}

// Err returns nil if no problem was found, and else an error of code
// fault.BadChain whose text is the first one.
func (r *Report) Err() error {
	if r.Count == 0 {
		return nil
	}
	text := r.Problems[0].String()
	if r.Count > 1 {
		text += fmt.Sprintf(", and %d more", r.Count-1)
	}
	return fault.New(fault.BadChain, "the log does not verify: %s", text)
}
