package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// proves: D8 (a disk that is really full: nothing is taken, reading works, and it
// goes on without a restart when there is room again)
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("a small file system could not be mounted, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, filepath.Join(dir, "store"))
	defer s.Close()
	last := fill(t, s)
	_, err := s.Journal("acme").Append(t.Context(), "s", last, []audit.Draft{note(strings.Repeat("x", 5000))})
	wantCode(t, "Append again", err, fault.Unwritable)
	if got := length(t, s, "s"); got != last {
		t.Errorf("%d records are read, want %d", got, last)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Journal("acme").Append(t.Context(), "s", last, []audit.Draft{note("there is room"), note("again")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, filepath.Join(dir, "store"))
	defer again.Close()
	if got := length(t, again, "s"); got != last+2 {
		t.Errorf("opened again it has %d records, want %d", got, last+2)
	}
}

func fill(t *testing.T, s store.Store) (last uint64) {
	t.Helper()
	payload := strings.Repeat("x", 5000)
	for {
		_, err := s.Journal("acme").Append(t.Context(), "s", last, []audit.Draft{note(payload), note(payload)})
		if err != nil {
			wantCode(t, "Append on a full disk", err, fault.Unwritable)
			if strings.Contains(fault.TextOf(err), "open it again") {
				t.Fatalf("a full disk counts as a broken one: %v", err)
			}
			break
		}
		last += 2
	}
	if last < 20 {
		t.Fatalf("only %d records fitted", last)
	}
	return last
}

func length(t *testing.T, s store.Store, stream string) (n uint64) {
	t.Helper()
	for _, err := range s.Journal("acme").Read(t.Context(), stream, 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}
