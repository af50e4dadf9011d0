package journal

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
