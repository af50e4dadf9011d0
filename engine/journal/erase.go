package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/assentdev/assent/audit"
)

// newSuffix is added to the journal's path for the file that an erasure writes.
const newSuffix = ".new"

// rewrite writes the file anew without the payloads that req names, and puts it
// in the old one's place. Until the rename nothing has changed.
func (f *File) rewrite(req *request) error {
	for _, seq := range req.erase {
		if seq < 1 || seq > f.tails[req.stream].seq {
			return noRecord(req.stream, seq)
		}
	}
	if err := f.seg.InPlace(f.path); err != nil {
		f.poison(err)
		return f.because(err)
	}
	c, err := f.copy(req)
	if err == nil {
		if err = f.sys.rename(f.path+newSuffix, f.path); err != nil {
			c.to.Close()
		}
	}
	if err != nil {
		_ = os.Remove(f.path + newSuffix)
		return f.because(err)
	}
	f.swap(c)
	if err := f.sys.syncDir(filepath.Dir(f.path)); err != nil {
		f.poison(err) // the old file may be back after a crash, and with it what was to be erased
		return f.because(err)
	}
	return nil
}

// swap makes the copy the journal's file. Who reads the old one goes on doing so.
func (f *File) swap(c *copier) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.seg.release() // it was durable, so an error of its close says nothing
	f.seg, f.tails, f.size = newSegment(c.to), c.tails, c.size
}

// copier writes the lines of one file to another.
type copier struct {
	tenant string
	to     disk
	tails  map[string]tail
	size   int64 // of what was written
	buf    []byte
	space  [frameRoom]byte
}

// copy writes the new file, without the payloads and with the record that says
// so, and makes it durable.
func (f *File) copy(req *request) (_ *copier, err error) {
	to, err := f.sys.open(f.path+newSuffix, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			to.Close()
		}
	}()
	c := &copier{tenant: f.tenant, to: to, tails: make(map[string]tail, len(f.tails))}
	gone := make(map[uint64]bool, len(req.erase))
	for _, seq := range req.erase {
		gone[seq] = true
	}
	err = eachLine(io.NewSectionReader(f.seg, 0, f.size), func(line []byte) error {
		return c.line(line[:len(line)-1], func(r *audit.Record) bool {
			return r.Stream == req.stream && gone[r.Seq]
		})
	})
	if err != nil {
		return nil, err
	}
	at := c.size + int64(len(c.buf))
	c.buf, c.tails[audit.Admin] = appendBatch(c.buf, c.size, at, c.tenant, c.tails[audit.Admin], audit.Admin, req.recs)
	return c, errors.Join(c.flush(), to.Sync())
}

// line copies one line, with a frame for its new place.
func (c *copier) line(line []byte, erase func(*audit.Record) bool) error {
	r, _, err := audit.ParseLine(line)
	if err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	if erase(&r) {
		r.Erase()
	}
	// All that is copied was durable, so each line is a write of its own.
	fr := frame{at: c.size + int64(len(c.buf))}
	c.buf, c.tails[r.Stream] = appendOne(c.buf, c.space[:0], c.size, fr, c.tails[r.Stream], &r)
	if len(c.buf) > groupBytes {
		return c.flush()
	}
	return nil
}

func (c *copier) flush() error {
	_, err := c.to.WriteAt(c.buf, c.size)
	c.size += int64(len(c.buf))
	c.buf = c.buf[:0]
	return err
}
