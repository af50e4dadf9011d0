package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFindNamesThePackageOfEachTarget(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("package p\n" + text)} }
	got, err := find(fstest.MapFS{
		"a/a_test.go":          file("func FuzzOne(f *testing.F) {}\nfunc TestOne(t *testing.T) {}"),
		"a/b/c_test.go":        file("func FuzzTwo(f *testing.F) {}\nfunc FuzzHelper(n int) {}\nfunc (x T) FuzzMethod(f *testing.F) {}"),
		"a/a.go":               file("func FuzzNotATest(f *testing.F) {}"),
		"a/testdata/x_test.go": file("func FuzzData(f *testing.F) {}"),
		"bench/go.mod":         {},
		"bench/x_test.go":      file("func FuzzOtherModule(f *testing.F) {}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if s, want := fmt.Sprint(got), "[./a FuzzOne ./a/b FuzzTwo]"; s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

func TestExecutionsFailsWhereNothingWasFuzzed(t *testing.T) {
	n, err := executions([]byte("fuzz: elapsed: 0s, execs: 0 (0/sec)\nfuzz: elapsed: 3s, execs: 4711 (9/sec)\nok\n"))
	if err != nil || n != 4711 {
		t.Errorf("got %d, %v; want the last count", n, err)
	}
	for _, text := range []string{"ok  p 0.1s [no tests to run]\n", "fuzz: elapsed: 3s, execs: 0 (0/sec)\n"} {
		if _, err := executions([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestRunFailsWithoutTargets(t *testing.T) {
	err := run([]string{"-root", t.TempDir()}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no fuzz target") {
		t.Errorf("got %v", err)
	}
}
