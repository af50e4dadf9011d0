package sqlite_test

import (
	"testing"

	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/server/storetest"
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

// proves: S1, S2, V6, V10
func TestStore(t *testing.T) {
	storetest.Run(t, func(t testing.TB) store.Store { return open(t, t.TempDir()) })
}
