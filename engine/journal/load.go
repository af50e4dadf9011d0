package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

// loader reads a journal file from its beginning and finds where each stream
// ends and where the file is good up to.
type loader struct {
	tenant, path string
	verify       bool

	off  int64 // where the next line begins
	line int   // its number

	tails map[string]tail // of whole batches

	// The batch that is being read, or the next one.
	begin     int64
	beginLine int
	more      int // how many of its records are still to come
	stream    string
	open      tail
}

// loaded is what a loader found.
type loaded struct {
	tails map[string]tail
	end   int64 // where the last whole batch ends
	line  int   // the first line behind it
}

// readBack reads the first size bytes of r.
//
// A crash leaves its last write incomplete: a last line without end, zeros where
// a page never reached the disk, or a batch of which records are missing. That
// was never acknowledged and may be cut. It is told from damage by what stands
// after it: each line notes where its own write began, so a line of a later
// write proves that this place was durable once.
func readBack(r io.ReaderAt, size int64, tenant, path string, verify bool) (loaded, error) {
	l := &loader{tenant: tenant, path: path, verify: verify, line: 1, beginLine: 1, tails: map[string]tail{}}
	var damage error
	err := eachLine(io.NewSectionReader(r, 0, size), func(line []byte) error {
		if damage != nil {
			return l.behind(damage, line)
		}
		damage = l.add(line)
		if damage != nil && !isTorn(line) {
			return damage
		}
		l.off += int64(len(line))
		l.line++
		return nil
	})
	if err != nil {
		return loaded{}, l.explain(err)
	}
	return loaded{tails: l.tails, end: l.begin, line: l.beginLine}, nil
}

// eachLine calls use with every line, line break included.
func eachLine(r io.Reader, use func(line []byte) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 256<<10), audit.MaxLine)
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i+1], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for s.Scan() {
		if err := use(s.Bytes()); err != nil {
			return err
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fault.New(fault.BadJournal, "it is longer than any line that a journal writes")
	}
	return s.Err()
}

// isTorn says whether a line can be what a crash leaves of a write: up to where
// it ends, or to where a page was not stored and zeros stand, it begins as a
// journal's lines do.
func isTorn(line []byte) bool {
	stored, _, zeros := bytes.Cut(line, []byte{0})
	begun := min(len(stored), len(frameStart))
	return string(stored[:begun]) == frameStart[:begun] && (zeros || line[len(line)-1] != '\n')
}

// behind looks at a line after a torn one.
func (l *loader) behind(damage error, line []byte) error {
	_, raw, err := audit.ParseLine(bytes.TrimSuffix(line, []byte("\n")))
	if f, ok := parseFrame(raw); err == nil && ok && f.at > l.begin {
		l.line-- // the torn line is the one to name
		return damage
	}
	return nil
}

// add takes the next line. An error says that it is not what a journal writes here.
func (l *loader) add(line []byte) error {
	text, whole := bytes.CutSuffix(line, []byte("\n"))
	if !whole {
		return fault.New(fault.BadJournal, "it is not complete")
	}
	r, raw, err := audit.ParseLine(text)
	if err != nil {
		return err
	}
	f, ok := parseFrame(raw)
	if !ok || f.at > l.begin {
		return fault.New(fault.BadJournal, "its frame was not written by a journal")
	}
	if r.Tenant != l.tenant {
		return fault.New(fault.BadConfig, "it belongs to the tenant %s, not %s", r.Tenant, l.tenant)
	}
	prev := l.tails[r.Stream]
	if l.more > 0 {
		if r.Stream != l.stream || f.more != l.more-1 {
			return fault.New(fault.BadJournal, "the batch before it is not complete")
		}
		prev = l.open
	}
	if err := l.follows(&r, f, prev); err != nil {
		return err
	}
	l.more, l.stream, l.open = f.more, r.Stream, tail{off: l.off, seq: r.Seq, hash: r.Hash}
	if f.more == 0 {
		l.tails[l.stream] = l.open
		l.begin, l.beginLine = l.off+int64(len(line)), l.line+1
	}
	return nil
}

func (l *loader) follows(r *audit.Record, f frame, prev tail) error {
	head, back := audit.Genesis(l.tenant, r.Stream), int64(0)
	if prev.seq > 0 {
		head.Seq, head.Hash, back = prev.seq, prev.hash, l.off-prev.off
	}
	if err := r.After(head); err != nil {
		return err
	}
	if f.back != back {
		return fault.New(fault.BadJournal, "its frame points to another place than the stream's previous record")
	}
	if l.verify {
		return r.Check()
	}
	return nil
}

// explain adds the place to what is wrong with a line.
func (l *loader) explain(err error) error {
	if fault.CodeOf(err) == fault.Internal {
		return fault.Wrap(err, fault.BadJournal, "journal %s cannot be read", l.path)
	}
	return fault.Wrap(errors.Unwrap(err), fault.CodeOf(err), "journal %s, line %d: %s", l.path, l.line, fault.TextOf(err))
}
