package journal

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/filelock"
)

// Options configures a File. A nil *Options means all defaults.
type Options struct {
	// Tenant is whose log the file is. "" stands for DefaultTenant.
	Tenant string
	// SkipVerify opens the file without checking hashes, which takes about 5 µs a
	// record. Lines are parsed all the same.
	SkipVerify bool
	// Log is told when a torn end was cut. Nil is silent.
	Log *slog.Logger
}

// File is a journal in one append-only file of JSON Lines, for one process. All
// callers that wait for the disk at the same time share one write and one
// fdatasync. Make one with [OpenFile].
//
// In memory it holds the end of each stream (about 200 bytes) and no records.
type File struct {
	path   string
	tenant string
	sys    system
	lock   *os.File
	repair Repair
	queue  *queue
	done   chan struct{} // closed when the writer has ended

	mu     sync.RWMutex
	seg    *segment
	tails  map[string]tail
	size   int64 // of what is durable
	failed error // why nothing can be written any more; nil as long as it can
	closed bool
}

var _ Journal = (*File)(nil)

// tail is where a stream ends.
type tail struct {
	off  int64 // where the line of its last record begins
	seq  uint64
	hash audit.Hash
}

// Repair says what was cut from the end of a file when it was opened: what a
// crash had left half written, and nobody had been told was durable.
type Repair struct {
	Line   int   // the first line that was cut; 0 if nothing was
	Offset int64 // where it began, in bytes
	Bytes  int64 // how many bytes were cut
}

// OpenFile opens the journal at path and creates it, readable by its owner
// only, if there is none. A second file, path with ".lock" added, keeps other
// processes out for as long as the journal is open.
//
// The whole file is read and every chain is verified. What a crash left half
// written at its end is cut off; see [File.Repaired]. Anything else that is not
// as it was written refuses the file.
//
// Errors: fault.Conflict, it is open already; fault.BadConfig, it belongs to
// another tenant; fault.BadJournal, a line cannot be read; fault.BadChain, a
// line was changed; fault.Unwritable, the file system refuses.
func OpenFile(path string, opts *Options) (*File, error) {
	return openFile(path, opts, realSystem())
}

func openFile(path string, opts *Options, sys system) (_ *File, err error) {
	if opts == nil {
		opts = &Options{}
	}
	f := &File{path: path, tenant: opts.Tenant, sys: sys, done: make(chan struct{}), queue: newQueue()}
	if f.tenant == "" {
		f.tenant = DefaultTenant
	}
	if err := audit.CheckName(f.tenant); err != nil {
		return nil, err
	}
	if f.lock, err = filelock.Lock(path + ".lock"); errors.Is(err, filelock.ErrLocked) {
		return nil, fault.New(fault.Conflict, "journal %s is open already: close the other process first", path)
	} else if err != nil {
		return nil, fault.Wrap(err, fault.Unwritable, "journal %s cannot be locked", path)
	}
	if err := f.load(!opts.SkipVerify); err != nil {
		f.lock.Close()
		return nil, err
	}
	if f.repair.Line > 0 && opts.Log != nil {
		opts.Log.Warn("journal: a half-written end was cut off", "path", path, "line", f.repair.Line, "bytes", f.repair.Bytes)
	}
	go f.write()
	return f, nil
}

// load opens the file, reads it, repairs its end and makes all that durable.
func (f *File) load(verify bool) (err error) {
	_ = os.Remove(f.path + newSuffix) // what an erasure that did not finish left behind
	d, err := f.sys.open(f.path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return fault.Wrap(err, fault.Unwritable, "journal %s cannot be opened", f.path)
	}
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	size, err := d.Size()
	if err != nil {
		return fault.Wrap(err, fault.Unwritable, "journal %s cannot be opened", f.path)
	}
	got, err := readBack(d, size, f.tenant, f.path, verify)
	if err != nil {
		return err
	}
	if got.end < size {
		f.repair = Repair{Line: got.line, Offset: got.end, Bytes: size - got.end}
		err = d.Truncate(got.end)
	}
	// What a crash left in the page cache only must be on the disk before
	// anybody acts on it.
	if err = errors.Join(err, d.Sync(), f.sys.syncDir(filepath.Dir(f.path))); err != nil {
		return fault.Wrap(err, fault.Unwritable, "journal %s cannot be made durable", f.path)
	}
	f.seg, f.tails, f.size = newSegment(d), got.tails, got.end
	return nil
}

// Repaired says what was cut off when the file was opened.
func (f *File) Repaired() Repair { return f.repair }

// Append implements [Journal]. After an error of the disk it truncates what was
// written in part. Where that fails, and after every failed fdatasync, the
// journal stays unwritable until it is opened again; reading goes on.
func (f *File) Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	recs, err := Commit(stream, drafts)
	if err != nil {
		return nil, err
	}
	req := &request{ctx: ctx, stream: stream, last: last, recs: recs, answer: make(chan error, 1)}
	if err := f.ask(req); err != nil {
		return nil, err
	}
	if len(recs) == 0 {
		return nil, nil
	}
	return recs, nil
}

// Erase implements [Journal]. It writes the whole file anew, beside the old one,
// and appending waits meanwhile. The old file's blocks are given back to the
// file system, which may keep their content until it needs them. On Windows an
// open file cannot be replaced: there it returns fault.Unwritable.
func (f *File) Erase(ctx context.Context, stream string, seqs ...uint64) error {
	if len(seqs) == 0 {
		return nil
	}
	recs, err := Erasure(stream, seqs)
	if err != nil {
		return err
	}
	return f.ask(&request{ctx: ctx, stream: stream, recs: recs, erase: seqs, answer: make(chan error, 1)})
}

// ask hands a request to the writer and waits for its answer.
func (f *File) ask(req *request) error {
	if req.ctx.Err() != nil {
		return cancelled(req.ctx)
	}
	if !f.queue.put(req) {
		return closed()
	}
	return <-req.answer
}

// Close implements [Journal].
func (f *File) Close() error {
	f.queue.close()
	<-f.done
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(f.seg.release(), f.lock.Close())
}
