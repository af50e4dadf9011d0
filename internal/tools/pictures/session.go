package main

import (
	"fmt"

	"github.com/assentdev/assent/internal/browser"
)

// test stands in for a test where a program uses the browser.
type test struct{ cleanups []func() }

// failure ends a session from wherever it is.
type failure struct{ error }

func (*test) Helper()            {}
func (t *test) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

func (*test) Skipf(format string, args ...any)  { panic(failure{fmt.Errorf(format, args...)}) }
func (*test) Fatalf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// end runs what was registered, the last first.
func (t *test) end() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

// session runs f and returns what failed. What f started has ended by then.
func session(f func(browser.T)) (err error) {
	t := new(test)
	defer func() {
		r := recover()
		t.end()
		if failed, ok := r.(failure); ok {
			err = failed.error
		} else if r != nil {
			panic(r)
		}
	}()
	f(t)
	return nil
}
