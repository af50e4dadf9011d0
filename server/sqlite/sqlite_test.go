package sqlite_test

import (
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
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

func note(text string) audit.Draft {
	return audit.Draft{Type: "noted", Version: 1, Time: time.UnixMilli(1_700_000_000_000), Payload: []byte(text)}
}

func wantCode(t testing.TB, what string, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Fatalf("%s: code %q (%v), want %q", what, got, err, want)
	}
}

// proves: S1, S2, V6, V10
func TestStore(t *testing.T) {
	storetest.Run(t, func(t testing.TB) store.Store { return open(t, t.TempDir()) })
}
