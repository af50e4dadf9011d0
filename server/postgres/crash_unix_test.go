//go:build unix

package postgres_test

import (
	"os"
	"testing"

	"github.com/assentdev/assent/server/postgres"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/server/storetest"
)

// TestCrashChild is the child of TestCrash. It is no test of its own.
func TestCrashChild(t *testing.T) {
	url := os.Getenv(storetest.ChildEnv)
	if url == "" {
		t.Skip("runs as the child of TestCrash")
	}
	storetest.CrashChild(t, open(t, url))
}

// proves: S2, V6 (everything that was acknowledged survives a kill, and no batch is half)
func TestCrash(t *testing.T) {
	url := schema(t)
	storetest.Crash(t, "TestCrashChild", url, func() store.Store {
		s, err := postgres.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
