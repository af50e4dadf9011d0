package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// disk is a journal's file, as narrow as a test needs it to make it fail.
type disk interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error // what was written, and the size, are on the disk
	Close() error
	Size() (int64, error)
	// InPlace says whether path still names this file. Somebody who moved or
	// removed it would otherwise get a journal whose lines nobody ever sees.
	InPlace(path string) error
}

// system is what a journal asks of the operating system besides.
type system struct {
	open    func(path string, flag int) (disk, error)
	rename  func(from, to string) error
	syncDir func(dir string) error
}

func realSystem() system {
	return system{open: openDisk, rename: os.Rename, syncDir: syncDir}
}

// osDisk is a disk on a file system.
type osDisk struct{ *os.File }

func openDisk(path string, flag int) (disk, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	return osDisk{f}, nil
}

func (d osDisk) Sync() error { return syncData(d.File) }

func (d osDisk) Size() (int64, error) {
	info, err := d.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("not a regular file")
	}
	return info.Size(), nil
}

func (d osDisk) InPlace(path string) error {
	named, err := os.Stat(path)
	if err != nil {
		return err
	}
	own, err := d.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(named, own) {
		return errors.New("the file was replaced by another one")
	}
	return nil
}

// syncDir makes a new name in a directory durable. Windows has no such call for
// directories; its file system journals names by itself.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
