//go:build unix

package sqlite_test

import (
	"os"
	"testing"

	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/server/storetest"
)

// TestCrashChild is the child of TestCrash. It is no test of its own.
func TestCrashChild(t *testing.T) {
	dir := os.Getenv(storetest.ChildEnv)
	if dir == "" {
		t.Skip("runs as the child of TestCrash")
	}
	storetest.CrashChild(t, open(t, dir))
}

// proves: S2, V6 (everything that was acknowledged survives a kill, and no batch is half)
func TestCrash(t *testing.T) {
	dir := t.TempDir()
	storetest.Crash(t, "TestCrashChild", dir, func() store.Store {
		s, err := sqlite.Open(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
