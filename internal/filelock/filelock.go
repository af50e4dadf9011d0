// Package filelock keeps other processes away from a file or a folder, for as
// long as this one holds a lock file.
package filelock

import "errors"

// ErrLocked says that another process, or this one, holds the lock already.
var ErrLocked = errors.New("locked")
