package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

// proves: D8 (a disk that is really full: nothing is taken, reading works, and
// it goes on without a restart when there is room again)
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("a small file system could not be mounted, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(dir, "log.jsonl")
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 128<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()

	payload := strings.Repeat("x", 5000)
	var last uint64
	for {
		_, err := j.Append(t.Context(), "s", last, drafts(payload, payload))
		if err != nil {
			wantCode(t, "Append on a full disk", err, fault.Unwritable)
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("the cause is %v", err)
			}
			break
		}
		last += 2
	}
	if last < 20 {
		t.Fatalf("only %d records fitted", last)
	}
	_, err = j.Append(t.Context(), "s", last, drafts(payload, payload))
	wantCode(t, "Append again", err, fault.Unwritable)
	wantCode(t, "Erase", j.Erase(t.Context(), "s", 1), fault.Unwritable)
	if got := len(collect(t, j.Read(t.Context(), "s", 0))); uint64(got) != last {
		t.Errorf("%d records are read, want %d", got, last)
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, j, "s", last, payload, payload)
	mustClose(t, j)
	again, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Repaired() != (journal.Repair{}) {
		t.Errorf("the full disk left a torn end: %+v", again.Repaired())
	}
	checkChain(t, "s", collect(t, again.Read(t.Context(), "s", 0)))
}

// The largest payload can be written and read back, and its file opened again.
func TestLargestPayload(t *testing.T) {
	path := logPath(t)
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	mustAppend(t, j, "s", 0, "1")
	_, err = j.Append(t.Context(), "s", 1, drafts(strings.Repeat("x", audit.MaxPayload+1)))
	wantCode(t, "a payload that is too large", err, fault.BadEvent)
	mustAppend(t, j, "s", 1, strings.Repeat("x", audit.MaxPayload), "2")
	checkChain(t, "s", collect(t, j.Read(t.Context(), "s", 0)))
	mustClose(t, j)
	mustClose(t, mustOpen(t, path))
}
