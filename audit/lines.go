package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"iter"

	"github.com/assentdev/assent/fault"
)

// Line is one line of a journal file or an export: a record or, at the end of an
// export, a checkpoint.
type Line struct {
	N      int     // its number, from 1
	Record Record  // where Signed is nil
	Frame  []byte  // the notes of the store that wrote the record; nil for none
	Signed *Signed // where the line is a checkpoint
	Torn   bool    // with an error: it is the last line and has no end
	// Before is the SHA-256 of all the lines before a checkpoint.
	Before Hash
}

// Lines reads a journal file or an export. A line that is neither a record nor a
// checkpoint is yielded with an error of code fault.BadJournal, and reading goes
// on; an error of r ends it.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		s := bufio.NewScanner(r)
		s.Buffer(make([]byte, 0, 64<<10), MaxLine)
		s.Split(splitLines)
		sum := sha256.New()
		for n := 1; s.Scan(); n++ {
			line, err := readLine(s.Bytes(), sum)
			line.N = n
			if !yield(line, err) {
				return
			}
			sum.Write(s.Bytes())
		}
		switch err := s.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Line{}, fault.Wrap(err, fault.BadJournal, "a line is longer than %d bytes", MaxLine))
		case err != nil:
			yield(Line{}, err)
		}
	}
}

// splitLines is a bufio.SplitFunc that leaves the line breaks on.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

func readLine(b []byte, before hash.Hash) (line Line, err error) {
	text, whole := bytes.CutSuffix(b, []byte("\n"))
	if !whole {
		line.Torn = true
		return line, fault.New(fault.BadJournal, "the last line is not complete")
	}
	if !bytes.HasPrefix(text, []byte(`{"checkpoint":`)) {
		line.Record, line.Frame, err = ParseLine(bytes.Clone(text))
		return line, err
	}
	if line.Signed, err = ParseSigned(text); err != nil {
		return line, err
	}
	before.Sum(line.Before[:0])
	return line, nil
}

// Records makes lines of records, for [Verify].
func Records(recs iter.Seq2[Record, error]) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		n := 0
		for r, err := range recs {
			n++
			if !yield(Line{N: n, Record: r}, err) {
				return
			}
		}
	}
}

// decodeStrict reads one JSON value that has no members but those of v.
func decodeStrict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	return nil
}
