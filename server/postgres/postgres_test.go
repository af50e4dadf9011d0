package postgres_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assentdev/assent/server/postgres"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/server/storetest"
	"github.com/jackc/pgx/v5"
)

// server is the URL of a PostgreSQL that scripts/test has started. Without one
// these tests are skipped, and under CI=true they fail.
func server(t testing.TB) string {
	t.Helper()
	if url := os.Getenv("ASSENT_POSTGRES"); url != "" {
		return url
	}
	const how = "no PostgreSQL: export ASSENT_POSTGRES=$(scripts/postgres), or run scripts/test"
	if os.Getenv("CI") == "true" {
		t.Fatal(how)
	}
	t.Skip(how)
	return ""
}

var schemas atomic.Int64

// schema makes an empty schema for one test and returns its URL.
func schema(t testing.TB) string {
	t.Helper()
	base := server(t)
	conn, err := pgx.Connect(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := conn.Exec(t.Context(), "create schema "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background() // the test's own has ended
		if _, err := conn.Exec(ctx, "drop schema "+name+" cascade"); err != nil {
			t.Error(err)
		}
		_ = conn.Close(ctx)
	})
	and := "?"
	if strings.Contains(base, "?") {
		and = "&"
	}
	return base + and + "search_path=" + url.QueryEscape(name)
}

func open(t testing.TB, url string) store.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url, nil)
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
	server(t)
	storetest.Run(t, func(t testing.TB) store.Store { return open(t, schema(t)) })
}
