package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

func logPath(t testing.TB) string { return filepath.Join(t.TempDir(), "log.jsonl") }

func mustOpen(t testing.TB, path string) *journal.File {
	t.Helper()
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func mustClose(t testing.TB, j journal.Journal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReopen(t *testing.T) {
	path := logPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, "a", 0, "1", "2")
	mustAppend(t, j, "b", 0, "x")
	mustAppend(t, j, "a", 2, "3")
	heads := j.Heads()
	mustClose(t, j)

	t.Run("S1 a journal that is opened again goes on where it ended", func(t *testing.T) {
		j := mustOpen(t, path)
		defer j.Close()
		if got := fmt.Sprint(j.Heads()); got != fmt.Sprint(heads) {
			t.Errorf("heads are %s, were %v", got, heads)
		}
		if j.Repaired() != (journal.Repair{}) {
			t.Errorf("a file that was closed was repaired: %+v", j.Repaired())
		}
		mustAppend(t, j, "a", 3, "4")
		recs := collect(t, j.Read(t.Context(), "a", 0))
		checkChain(t, "a", recs)
		if payloads(recs) != "1 2 3 4" {
			t.Errorf("read %s", payloads(recs))
		}
	})
	t.Run("a second opener is told that it is open", func(t *testing.T) {
		j := mustOpen(t, path)
		_, err := journal.OpenFile(path, nil)
		wantCode(t, "second OpenFile", err, fault.Conflict)
		mustClose(t, j)
		mustClose(t, mustOpen(t, path))
	})
	t.Run("V10 a journal of another tenant is refused", func(t *testing.T) {
		_, err := journal.OpenFile(path, &journal.Options{Tenant: "other"})
		wantCode(t, "OpenFile", err, fault.BadConfig)
	})
	t.Run("only the owner can read the file", func(t *testing.T) {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	})
	t.Run("a directory is no journal", func(t *testing.T) {
		_, err := journal.OpenFile(t.TempDir(), nil)
		wantCode(t, "OpenFile", err, fault.Unwritable)
	})
}

// proves: V6 (after an erasure the file no longer holds the payload, and opens)
func TestEraseRewritesTheFile(t *testing.T) {
	path := logPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, "a", 0, `{"v":"secret one"}`, `{"v":"secret two"}`, `{"v":"kept"}`)
	mustAppend(t, j, "b", 0, `{"v":"other"}`)
	salt := fmt.Sprintf("%x", collect(t, j.Read(t.Context(), "a", 0))[0].Salt)

	reading, stop := nextRecord(t, j, "a")
	defer stop()
	if err := j.Erase(t.Context(), "a", 1, 2); err != nil {
		t.Fatal(err)
	}
	if r := reading(); string(r.Payload) != `{"v":"secret two"}` {
		t.Errorf("a reader who had begun read %s", r.Payload)
	}
	mustAppend(t, j, "b", 1, `{"v":"later"}`)
	mustClose(t, j)

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"secret", salt} {
		if bytes.Contains(text, []byte(gone)) {
			t.Errorf("the file still holds %q", gone)
		}
	}
	j = mustOpen(t, path)
	for stream, want := range map[string]string{"a": `  {"v":"kept"}`, "b": `{"v":"other"} {"v":"later"}`, audit.Admin: ""} {
		recs := collect(t, j.Read(t.Context(), stream, 0))
		checkChain(t, stream, recs)
		if payloads(recs) != want {
			t.Errorf("%s holds %q, want %q", stream, payloads(recs), want)
		}
	}
	if files, _ := filepath.Glob(path + ".new"); files != nil {
		t.Errorf("left behind: %v", files)
	}
}

// nextRecord begins to read a stream and returns what reads on.
func nextRecord(t *testing.T, j journal.Journal, stream string) (next func() audit.Record, stop func()) {
	recs, done, ended := make(chan audit.Record), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for r, err := range j.Read(t.Context(), stream, 0) {
			if err != nil {
				t.Error(err)
			}
			select {
			case recs <- r:
			case <-done:
				return
			}
		}
	}()
	<-recs
	return func() audit.Record { return <-recs }, func() { close(done); <-ended }
}

// proves: D8 (log unwritable: nothing is taken, and nothing of it is seen later)
func TestWriteFaults(t *testing.T) {
	full := func([]byte) (int, error) { return 0, syscall.ENOSPC }
	short := func(b []byte) (int, error) { return len(b) - 7, syscall.ENOSPC }
	halfway := func(b []byte) (int, error) { return bytes.IndexByte(b, '\n') + 1, syscall.ENOSPC }
	broken := func() error { return syscall.EIO }
	for name, c := range map[string]struct {
		faults journal.Faults
		heals  bool // once the fault is gone, without opening again
	}{
		"D8 disk full":                                 {journal.Faults{Write: full}, true},
		"D8 disk full in the middle of a line":         {journal.Faults{Write: short}, true},
		"D8 disk full between two lines of a batch":    {journal.Faults{Write: halfway}, true},
		"D8 disk full, and the part cannot be undone":  {journal.Faults{Write: short, Cut: broken}, false},
		"D8 disk full, and the undoing is not durable": {journal.Faults{Write: short, Sync: broken}, false},
		"D8 fdatasync fails once":                      {journal.Faults{Sync: broken}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := logPath(t)
			faults := &journal.Faults{}
			j, err := journal.OpenFaulty(path, nil, faults)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			mustAppend(t, j, "s", 0, "1")
			*faults = c.faults
			for range 2 {
				_, err := j.Append(t.Context(), "s", 1, drafts("lost", "lost"))
				wantCode(t, "Append with the fault", err, fault.Unwritable)
			}
			*faults = journal.Faults{}
			if got := payloads(collect(t, j.Read(t.Context(), "s", 0))); got != "1" {
				t.Errorf("reading gives %q", got)
			}
			_, err = j.Append(t.Context(), "s", 1, drafts("2"))
			want := "1"
			if c.heals {
				wantCode(t, "Append after the fault", err, "")
				want = "1 2"
			} else {
				wantCode(t, "Append after the fault", err, fault.Unwritable)
				wantCode(t, "Erase after the fault", j.Erase(t.Context(), "s", 1), fault.Unwritable)
			}
			mustClose(t, j)
			again := mustOpen(t, path)
			recs := collect(t, again.Read(t.Context(), "s", 0))
			checkChain(t, "s", recs)
			if payloads(recs) != want {
				t.Errorf("opened again it holds %q, want %q", payloads(recs), want)
			}
		})
	}
}

// proves: D8 (a log that was moved away is unwritable, not silently lost)
func TestFileTakenAway(t *testing.T) {
	path := logPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, "s", 0, "1")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	_, err := j.Append(t.Context(), "s", 1, drafts("2"))
	wantCode(t, "Append", err, fault.Unwritable)
}

// proves: V6 (an erasure that fails leaves everything as it was)
func TestEraseFaults(t *testing.T) {
	broken := func() error { return syscall.EIO }
	for name, c := range map[string]struct {
		faults journal.Faults
		done   bool // erased all the same, but nobody can promise it
	}{
		"the new file cannot be made":     {journal.Faults{Open: broken}, false},
		"the new file cannot be written":  {journal.Faults{Write: func([]byte) (int, error) { return 9, syscall.ENOSPC }}, false},
		"the new file is not durable":     {journal.Faults{Sync: broken}, false},
		"it cannot be put in place":       {journal.Faults{Rename: broken}, false},
		"that it is there is not durable": {journal.Faults{SyncDir: broken}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := logPath(t)
			faults := &journal.Faults{}
			j, err := journal.OpenFaulty(path, nil, faults)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			mustAppend(t, j, "s", 0, "1", "2")
			*faults = c.faults
			wantCode(t, "Erase", j.Erase(t.Context(), "s", 1), fault.Unwritable)
			*faults = journal.Faults{}
			want := "1 2"
			if c.done {
				want = " 2"
			}
			if got := payloads(collect(t, j.Read(t.Context(), "s", 0))); got != want {
				t.Errorf("reading gives %q, want %q", got, want)
			}
			_, err = j.Append(t.Context(), "s", 2, drafts("3"))
			if c.done {
				wantCode(t, "Append", err, fault.Unwritable)
			} else {
				wantCode(t, "Append", err, "")
			}
			mustClose(t, j)
			if left, _ := filepath.Glob(path + ".new"); left != nil {
				t.Errorf("left behind: %v", left)
			}
			checkChain(t, "s", collect(t, mustOpen(t, path).Read(t.Context(), "s", 0)))
		})
	}
}

// A caller's Unwritable keeps the cause for the log and away from people.
func TestUnwritableHidesTheCause(t *testing.T) {
	faults := &journal.Faults{}
	j, err := journal.OpenFaulty(logPath(t), nil, faults)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	faults.Write = func([]byte) (int, error) { return 0, syscall.ENOSPC }
	_, err = j.Append(t.Context(), "s", 0, drafts("1"))
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(fault.TextOf(err), "space") {
		t.Errorf("error %v, text %q", err, fault.TextOf(err))
	}
}
