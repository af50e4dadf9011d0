package audit

import (
	"bufio"
	"crypto"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"io"
	"iter"
	"maps"
	"slices"
	"time"
)

// Filter chooses what of a log is exported. The zero Filter chooses everything.
//
// An export holds every record of the streams that it names, so that their
// chains can be verified. Records that Turn, From or Until leave out are there
// without their payload.
type Filter struct {
	Streams []string  // none: all
	Turn    string    // records whose header has this "turn"; "": all
	From    time.Time // zero: from the beginning
	Until   time.Time // exclusive; zero: to the end
}

// ExportOptions configures Export. Nil exports everything, unsigned.
type ExportOptions struct {
	Filter Filter
	// Secrets returns the places in a record's payload that are masked in the
	// export, as JSON Pointers; a "*" stands for any one member or element. The
	// log keeps the real values, and so does the commitment. A payload that is not
	// JSON and has secrets is withheld. Where the text of a call's result is masked,
	// its structured form is too. Nil: nothing is masked.
	Secrets func(*Record) []string
	// Key signs the checkpoint that ends the export. Nil: it is not signed, and
	// proves nothing to anybody who does not trust the file.
	Key crypto.Signer
	// Time is the checkpoint's time. Zero: now.
	Time time.Time
}

// Export writes records as JSON Lines, followed by a checkpoint that covers the
// lines and says where their streams end. It returns the checkpoint.
//
// Records of a stream have to come in order. Export does not look for tampering:
// run [Verify] over what it wrote. Errors are those of recs and of w.
func Export(w io.Writer, recs iter.Seq2[Record, error], opts *ExportOptions) (*Signed, error) {
	if opts == nil {
		opts = &ExportOptions{}
	}
	e := &exporter{opts: opts, w: bufio.NewWriter(w), sum: sha256.New(), heads: map[streamKey]Head{}}
	for r, err := range recs {
		if err != nil {
			return nil, err
		}
		if err := e.record(r); err != nil {
			return nil, err
		}
	}
	s, err := e.checkpoint()
	if err != nil {
		return nil, err
	}
	return s, e.w.Flush()
}

type exporter struct {
	opts  *ExportOptions
	w     *bufio.Writer
	sum   hash.Hash
	count int
	heads map[streamKey]Head
	buf   []byte
}

func (e *exporter) record(r Record) error {
	f := &e.opts.Filter
	if len(f.Streams) > 0 && !slices.Contains(f.Streams, r.Stream) {
		return nil
	}
	if r.State == Whole {
		if !f.chooses(&r) {
			r.withhold()
		} else if e.opts.Secrets != nil {
			r.mask(r.bothForms(e.opts.Secrets(&r)))
		}
	}
	e.heads[streamKey{r.Tenant, r.Stream}] = r.Head()
	e.count++
	e.buf = r.AppendLine(e.buf[:0], nil)
	e.sum.Write(e.buf)
	_, err := e.w.Write(e.buf)
	return err
}

func (f *Filter) chooses(r *Record) bool {
	at := r.When()
	if at.Before(f.From) || !f.Until.IsZero() && !at.Before(f.Until) {
		return false
	}
	if f.Turn == "" {
		return true
	}
	var refs struct {
		Turn string `json:"turn"`
	}
	return json.Unmarshal(r.Header, &refs) == nil && refs.Turn == f.Turn
}

func (r *Record) withhold() { r.set(Withheld, nil) }

// mask replaces secrets. The salt goes too: with it, and all but the secret,
// somebody could try values until one fits the commitment.
func (r *Record) mask(pointers []string) {
	if len(pointers) == 0 {
		return
	}
	masked, n, err := Mask(r.Payload, pointers)
	switch {
	case err != nil:
		r.withhold()
	case n > 0:
		r.set(Masked, masked)
	}
}

// bothForms adds to the pointers that hide the text of a call's result its
// structured form, which says the same to programs.
func (r *Record) bothForms(pointers []string) []string {
	if r.Type == "call.ended" && slices.Contains(pointers, "/text") {
		return append(slices.Clip(pointers), "/structured")
	}
	return pointers
}

func (e *exporter) checkpoint() (*Signed, error) {
	at := e.opts.Time
	if at.IsZero() {
		at = time.Now()
	}
	c := NewCheckpoint(at, len(e.opts.Filter.Streams) == 0, slices.Collect(maps.Values(e.heads)))
	c.Lines = &LinesSum{Count: e.count}
	e.sum.Sum(c.Lines.Sum[:0])
	s := &Signed{Checkpoint: c}
	if e.opts.Key != nil {
		var err error
		if s, err = Sign(c, e.opts.Key); err != nil {
			return nil, err
		}
	}
	line, err := s.Line()
	if err != nil {
		return nil, err
	}
	_, err = e.w.Write(line)
	return s, err
}
