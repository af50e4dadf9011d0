package assenttest

import (
	"os"
	"sync/atomic"
	"syscall"
)

// KillAt returns a function for assent.WithCrashPoints that kills the process,
// as kill -9 does, when the n-th point is reached, counting from 1. Nothing
// after that instruction runs: no deferred call, no flush. With n of 0 it never
// does.
func KillAt(n int) func(point string) {
	var passed atomic.Int64
	return func(string) {
		if passed.Add(1) == int64(n) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal arrives
		}
	}
}
