package journal

import (
	"errors"
	"strings"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

// groupBytes is where a group stops growing. Longer batches are groups of their own.
const groupBytes = 1 << 20

// group is what one write and one fdatasync make durable: whole batches, in the
// order in which they were asked for.
type group struct {
	at       int64 // where it begins in the file
	buf      []byte
	tails    map[string]tail // ends of streams that it moves
	requests []*request
}

// write is the writer: the only one that changes the file.
func (f *File) write() {
	defer close(f.done)
	g := &group{tails: map[string]tail{}}
	var waiting []*request
	for {
		waiting = f.queue.take(waiting[:0])
		if len(waiting) == 0 {
			return
		}
		for _, req := range waiting {
			if len(req.erase) > 0 || len(g.buf) > groupBytes {
				f.flush(g)
			}
			f.take(g, req)
		}
		f.flush(g)
		clear(waiting)
	}
}

// take adds a request to the group, or does an erasure at once.
func (f *File) take(g *group, req *request) {
	switch {
	case f.failed != nil:
		req.err = f.unwritable()
		req.reply()
	case req.ctx.Err() != nil:
		req.err = cancelled(req.ctx)
		req.reply()
	case len(req.erase) > 0:
		req.err = f.rewrite(req)
		req.reply()
	default:
		g.at = f.size
		f.add(g, req)
	}
}

// add encodes a request's records behind what the group holds already.
func (f *File) add(g *group, req *request) {
	g.requests = append(g.requests, req)
	end, moved := g.tails[req.stream]
	if !moved {
		end = f.tails[req.stream]
	}
	if end.seq != req.last {
		req.err = conflict(req.stream, req.last, end.seq)
		return
	}
	g.buf, end = appendBatch(g.buf, g.at, g.at, f.tenant, end, req.stream, req.recs)
	if len(req.recs) > 0 {
		g.tails[req.stream] = end
	}
}

// appendBatch links recs behind end and appends their lines to buf, whose first
// byte is the file's byte base. at goes into the frames.
func appendBatch(buf []byte, base, at int64, tenant string, end tail, stream string, recs []audit.Record) ([]byte, tail) {
	head := headOf(tenant, stream, end)
	var space [frameRoom]byte
	for i := range recs {
		r := &recs[i]
		head.Link(r)
		head = r.Head()
		buf, end = appendOne(buf, space[:0], base, frame{more: len(recs) - 1 - i, at: at}, end, r)
	}
	return buf, end
}

// appendOne appends a record's line and returns the stream's new end.
func appendOne(buf, space []byte, base int64, fr frame, end tail, r *audit.Record) ([]byte, tail) {
	off := base + int64(len(buf))
	if end.seq > 0 {
		fr.back = off - end.off
	}
	return r.AppendLine(buf, fr.append(space)), tail{off: off, seq: r.Seq, hash: r.Hash}
}

func headOf(tenant, stream string, end tail) audit.Head {
	if end.seq == 0 {
		return audit.Genesis(tenant, stream)
	}
	return audit.Head{Tenant: tenant, Stream: stream, Seq: end.seq, Hash: end.hash}
}

// flush makes the group durable, then shows it to readers, then answers.
func (f *File) flush(g *group) {
	if len(g.buf) > 0 {
		if err := f.store(g.buf); err != nil {
			for _, req := range g.requests {
				req.err = f.because(err)
			}
		} else {
			f.show(g)
		}
	}
	for _, req := range g.requests {
		req.reply()
	}
	clear(g.requests)
	clear(g.tails)
	g.buf, g.requests = g.buf[:0], g.requests[:0]
	if cap(g.buf) > 4*groupBytes {
		g.buf = nil
	}
}

func (f *File) show(g *group) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.size += int64(len(g.buf))
	for stream, end := range g.tails {
		if f.tails[stream].seq == 0 {
			stream = strings.Clone(stream) // the caller's may be a piece of something large
		}
		f.tails[stream] = end
	}
}

// store writes b at the file's end. A part that was written is taken away again.
// After a failed fdatasync nobody knows what the disk holds, and asking again
// would not tell, so nothing more is written (SPEC D8).
func (f *File) store(b []byte) error {
	if err := f.seg.InPlace(f.path); err != nil {
		f.poison(err)
		return err
	}
	if _, err := f.seg.WriteAt(b, f.size); err != nil {
		if undo := errors.Join(f.seg.Truncate(f.size), f.seg.Sync()); undo != nil {
			f.poison(undo)
		}
		return err
	}
	if err := f.seg.Sync(); err != nil {
		f.poison(err)
		_ = f.seg.Truncate(f.size) // so that the next to open it is likely to find it gone
		return err
	}
	return nil
}

// poison ends all writing.
func (f *File) poison(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = err
}

func (f *File) because(err error) error {
	return fault.Wrap(err, fault.Unwritable, "journal %s could not be written: nothing runs until it can", f.path)
}

func (f *File) unwritable() error {
	return fault.Wrap(f.failed, fault.Unwritable, "journal %s failed earlier and takes nothing more: see to its disk and open it again", f.path)
}
