package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

// Read implements [Journal]. It costs two small reads a record, however large
// the file is: every line knows where the stream's previous one begins. Records
// are checked against their hashes.
func (f *File) Read(ctx context.Context, stream string, after uint64) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		seg, end, size, err := f.enter(ctx, stream)
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		defer seg.release()
		offs, err := places(seg, end, after)
		if err != nil {
			yield(audit.Record{}, f.unreadable(err, stream))
			return
		}
		w := window{r: seg, size: size}
		for i, off := range offs {
			if ctx.Err() != nil {
				yield(audit.Record{}, cancelled(ctx))
				return
			}
			r, err := w.record(off, stream, after+uint64(i)+1)
			if err != nil {
				yield(audit.Record{}, f.unreadable(err, stream))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Streams implements [Journal].
func (f *File) Streams(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		f.mu.RLock()
		names, err := slices.Sorted(maps.Keys(f.tails)), f.ready(ctx)
		f.mu.RUnlock()
		yieldNames(names, err, yield)
	}
}

// Heads returns the durable end of every stream, sorted, for a checkpoint.
func (f *File) Heads() []audit.Head {
	f.mu.RLock()
	defer f.mu.RUnlock()
	heads := make([]audit.Head, 0, len(f.tails))
	for _, stream := range slices.Sorted(maps.Keys(f.tails)) {
		heads = append(heads, headOf(f.tenant, stream, f.tails[stream]))
	}
	return heads
}

func (f *File) ready(ctx context.Context) error {
	if f.closed {
		return closed()
	}
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	return nil
}

// enter takes hold of the file and of a stream's end. The caller releases the segment.
func (f *File) enter(ctx context.Context, stream string) (*segment, tail, int64, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if err := f.ready(ctx); err != nil {
		return nil, tail{}, 0, err
	}
	f.seg.users.Add(1)
	return f.seg, f.tails[stream], f.size, nil
}

func (f *File) unreadable(err error, stream string) error {
	if code := fault.CodeOf(err); code != fault.Internal {
		return fault.Wrap(errors.Unwrap(err), code, "journal %s, stream %s: %s", f.path, stream, fault.TextOf(err))
	}
	return fault.Wrap(err, fault.BadJournal, "journal %s: stream %s cannot be read", f.path, stream)
}

// places walks a stream from its end back to the record behind after, and
// returns where each line begins, in order.
func places(r io.ReaderAt, end tail, after uint64) ([]int64, error) {
	if end.seq <= after {
		return nil, nil
	}
	offs := make([]int64, end.seq-after)
	var space [len(`{"frame":`) + frameRoom]byte
	off := end.off
	for i := len(offs) - 1; ; i-- {
		offs[i] = off
		if i == 0 {
			return offs, nil
		}
		n, err := r.ReadAt(space[:], off)
		if err != nil && err != io.EOF {
			return nil, err
		}
		fr, ok := parseFrame(bytes.TrimPrefix(space[:n], []byte(`{"frame":`)))
		if !ok || fr.back <= 0 || fr.back > off {
			return nil, fault.New(fault.BadJournal, "the line at byte %d does not lead to the record before it", off)
		}
		off -= fr.back
	}
}

// window reads lines at given places and keeps what it read, since a stream's
// lines are often close together.
type window struct {
	r    io.ReaderAt
	size int64 // of the file that may be looked at
	base int64 // where buf begins
	buf  []byte
}

const windowBytes = 4 << 10

// line returns a copy of the line that begins at off, without its line break.
func (w *window) line(off int64) ([]byte, error) {
	for want := int64(windowBytes); ; want *= 4 {
		if skip := off - w.base; skip >= 0 && skip < int64(len(w.buf)) {
			if text, _, ok := bytes.Cut(w.buf[skip:], []byte("\n")); ok {
				return bytes.Clone(text), nil
			}
			if w.base+int64(len(w.buf)) == w.size && skip == 0 {
				break
			}
		}
		want = min(want, w.size-off)
		if want <= 0 {
			break
		}
		w.base, w.buf = off, slices.Grow(w.buf[:0], int(want))[:want]
		if _, err := w.r.ReadAt(w.buf, off); err != nil && !errors.Is(err, io.EOF) {
			w.buf = w.buf[:0]
			return nil, err
		}
	}
	return nil, fault.New(fault.BadJournal, "no line begins at byte %d", off)
}

// record reads the record seq of a stream and checks that it is that.
func (w *window) record(off int64, stream string, seq uint64) (audit.Record, error) {
	line, err := w.line(off)
	if err != nil {
		return audit.Record{}, err
	}
	r, _, err := audit.ParseLine(line)
	if err != nil {
		return audit.Record{}, err
	}
	if r.Stream != stream || r.Seq != seq {
		return audit.Record{}, fault.New(fault.BadChain, "record %d is not where the file says", seq)
	}
	return r, r.Check()
}
