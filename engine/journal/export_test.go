package journal

import (
	"bytes"
	"errors"
	"sync"
)

// Faults is what a test makes of a journal's system calls. Each is asked before
// the call; an error is the call's answer and the call is not made. Nil: it works.
type Faults struct {
	Write   func(b []byte) (n int, err error) // n bytes are written before the error
	Sync    func() error
	Cut     func() error // truncation
	Rename  func() error
	SyncDir func() error
	Open    func() error
	Synced  func() error // after a sync that worked
	// Quick leaves out every sync, for tests that open thousands of files.
	Quick bool
}

// OpenFaulty is OpenFile with faults.
func OpenFaulty(path string, opts *Options, faults *Faults) (*File, error) {
	real := realSystem()
	return openFile(path, opts, system{
		open: func(path string, flag int) (disk, error) {
			if err := ask(faults.Open); err != nil {
				return nil, err
			}
			d, err := real.open(path, flag)
			if err != nil {
				return nil, err
			}
			return &faultyDisk{d, faults}, nil
		},
		rename: func(from, to string) error {
			if err := ask(faults.Rename); err != nil {
				return err
			}
			return real.rename(from, to)
		},
		syncDir: func(dir string) error {
			if err := ask(faults.SyncDir); err != nil || faults.Quick {
				return err
			}
			return real.syncDir(dir)
		},
	})
}

type faultyDisk struct {
	disk
	faults *Faults
}

func (d *faultyDisk) WriteAt(b []byte, off int64) (int, error) {
	if d.faults.Write != nil {
		if n, err := d.faults.Write(b); err != nil {
			n, _ = d.disk.WriteAt(b[:n], off)
			return n, err
		}
	}
	return d.disk.WriteAt(b, off)
}

func (d *faultyDisk) Sync() error {
	if err := ask(d.faults.Sync); err != nil || d.faults.Quick {
		return err
	}
	if err := d.disk.Sync(); err != nil {
		return err
	}
	return ask(d.faults.Synced)
}

func (d *faultyDisk) Truncate(size int64) error {
	if err := ask(d.faults.Cut); err != nil {
		return err
	}
	return d.disk.Truncate(size)
}

func ask(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

// PowerDisk is a disk in memory that forgets what was not synced, or any part
// of it, when the power fails.
type PowerDisk struct {
	// Syncing is called before a sync counts.
	Syncing func()

	mu     sync.Mutex
	data   []byte // as it is read
	synced []byte // as it is on the disk for sure
}

// Sector is what a PowerDisk stores whole or not at all.
const Sector = 512

// OpenPower opens a journal on d. Only the lock file is at path.
func OpenPower(path string, d *PowerDisk) (*File, error) {
	return openFile(path, nil, system{
		open:    func(string, int) (disk, error) { return d, nil },
		rename:  func(string, string) error { return errors.ErrUnsupported },
		syncDir: func(string) error { return nil },
	})
}

// Fail returns the disk as it may be after a power failure at this moment. keep
// says for each sector that was written since the last sync whether it was stored.
func (d *PowerDisk) Fail(keep func() bool) *PowerDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := bytes.Clone(d.synced)
	for from := len(d.synced) / Sector * Sector; from < len(d.data); from += Sector {
		to := min(from+Sector, len(d.data))
		if keep() {
			after = append(after, make([]byte, max(0, to-len(after)))...)
			copy(after[from:to], d.data[from:to])
		}
	}
	return &PowerDisk{data: after, synced: bytes.Clone(after)}
}

func (d *PowerDisk) WriteAt(b []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.data = append(d.data, make([]byte, max(0, int(off)+len(b)-len(d.data)))...)
	return copy(d.data[off:], b), nil
}

func (d *PowerDisk) ReadAt(b []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.NewReader(d.data).ReadAt(b, off)
}

func (d *PowerDisk) Sync() error {
	if d.Syncing != nil {
		d.Syncing()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced = bytes.Clone(d.data)
	return nil
}

func (d *PowerDisk) Truncate(size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.data = d.data[:size]
	return nil
}

func (d *PowerDisk) Size() (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.data)), nil
}

func (d *PowerDisk) Close() error         { return nil }
func (d *PowerDisk) InPlace(string) error { return nil }
