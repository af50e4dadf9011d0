package sqlite_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
)

func TestOneProcessHasTheFolder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	_, err := sqlite.Open(t.Context(), dir, nil)
	wantCode(t, "a second one", err, fault.Conflict)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	garbage := t.TempDir()
	for path, text := range map[string]string{file: "x", filepath.Join(garbage, "assent.db"): strings.Repeat("no database ", 1000)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := sqlite.Open(t.Context(), file, nil)
	wantCode(t, "a file in the folder's place", err, fault.Unwritable)
	_, err = sqlite.Open(t.Context(), garbage, nil)
	wantCode(t, "a file that is no database", err, fault.BadJournal)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlite.Open(gone, t.TempDir(), nil); err == nil {
		t.Error("an ended context opens a store")
	}
}

func TestOnlyTheOwnerReadsTheFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir)
	if _, err := s.Journal("acme").Append(t.Context(), "s", 0, []audit.Draft{note("1")}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the rights %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// proves: V6 (what was erased is in none of the files any more)
func TestErasedBytesAreGone(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	secret := "the secret of alice, " + strings.Repeat("long enough for pages of its own, ", 500)
	if _, err := s.Journal("acme").Append(t.Context(), "s", 0, []audit.Draft{note("a short secret"), note(secret), note("what stays")}); err != nil {
		t.Fatal(err)
	}
	if n := occurrences(t, dir, "secret"); n == 0 {
		t.Fatal("the payloads are not in the files as they are: look for them in another way")
	}
	if err := s.Journal("acme").Erase(t.Context(), "s", 1, 2); err != nil {
		t.Fatal(err)
	}
	if n := occurrences(t, dir, "secret") + occurrences(t, dir, "pages of its own"); n > 0 {
		t.Errorf("erased payloads stand %d times in the files", n)
	}
	if occurrences(t, dir, "what stays") == 0 {
		t.Error("the other record is gone too")
	}
}

func occurrences(t *testing.T, dir, text string) (n int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "assent.lock" || e.Name() == "assent.db-shm" {
			continue
		}
		// Opening the file by other means takes SQLite's locks away: it is the last
		// thing that these tests do with it, and nobody else has it open.
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(b, []byte(text))
	}
	return n
}

// proves: V11
func TestABackupIsAStoreOfItsOwn(t *testing.T) {
	s := open(t, t.TempDir())
	for i := range uint64(50) {
		if _, err := s.Journal("acme").Append(t.Context(), "s", i, []audit.Draft{note("text")}); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "assent.db")
	if err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "a backup over a file", s.Backup(t.Context(), path), fault.Conflict)
	wantCode(t, "a backup into a folder that is not there", s.Backup(t.Context(), filepath.Join(dir, "none", "x")), fault.Unwritable)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the backup has the rights %v, %v", info.Mode(), err)
	}
	if _, err := s.Journal("acme").Append(t.Context(), "s", 50, []audit.Draft{note("later")}); err != nil {
		t.Fatal(err)
	}
	b := open(t, dir)
	if err := b.Check(t.Context()); err != nil {
		t.Error(err)
	}
	report, err := audit.Verify(audit.Records(store.Records(t.Context(), b)), nil)
	if err != nil || report.Err() != nil || report.Records != 50 {
		t.Errorf("%+v, %v", report, err)
	}
}
