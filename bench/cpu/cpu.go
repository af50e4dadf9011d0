// Package cpu reads the CPU time of the process, so that figures stay usable on
// a machine that does other work too.
package cpu

import (
	"syscall"
	"time"
)

// Now returns the user and system time that the process has used. It panics
// where the system cannot say.
func Now() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Fastest returns the least CPU time of one call of each function. It runs them
// in turn, rounds times, each for about the time given, so that all of them
// meet the same disturbances.
func Fastest(rounds int, each time.Duration, functions ...func()) []time.Duration {
	least := make([]time.Duration, len(functions))
	for range rounds {
		for i, f := range functions {
			took := once(each, f)
			if least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	return least
}

func once(each time.Duration, f func()) time.Duration {
	n, begin := 0, Now()
	for step := 1; ; step *= 2 {
		for range step {
			f()
		}
		n += step
		if took := Now() - begin; took >= each {
			return took / time.Duration(n)
		}
	}
}
