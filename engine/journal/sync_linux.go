package journal

import (
	"os"
	"syscall"
)

// syncData is fdatasync: data and size, without the times that nobody needs.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
