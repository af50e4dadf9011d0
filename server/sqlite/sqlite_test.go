package sqlite_test

import (
	"testing"

	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/engine/journal/journaltest"
	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
)

func open(t testing.TB, dir string) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// proves: S1, V6
func TestJournal(t *testing.T) {
	journaltest.Run(t, func(t testing.TB) journal.Journal { return open(t, t.TempDir()).Journal(journaltest.Tenant) })
}
