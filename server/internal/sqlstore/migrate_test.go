package sqlstore_test

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/sqlstore"
	"github.com/assentdev/assent/server/postgres"
	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/server/storetest"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

var dump = flag.Bool("dump", false, "write what a store of the newest version holds to testdata: once for each new version")

// base is a database in which a test can begin with any version.
type base struct {
	name    string
	db      *sql.DB
	dialect sqlstore.Dialect
	literal func(statement string) string // bytes, as this database writes them
	open    func() (store.Store, error)
}

var bytesLiteral = regexp.MustCompile(`x'([0-9a-f]*)'`)

func onSQLite(t *testing.T) base {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "assent.db"))
	if err != nil {
		t.Fatal(err)
	}
	return base{"SQLite", db, sqlstore.Dialect{Begin: "begin immediate", Now: "0"}, func(s string) string { return s },
		func() (store.Store, error) { return sqlite.Open(t.Context(), dir, nil) }}
}

func onPostgres(t *testing.T) base {
	url := os.Getenv("ASSENT_POSTGRES")
	if url == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no PostgreSQL: see scripts/postgres")
		}
		t.Skip("no PostgreSQL: export ASSENT_POSTGRES=$(scripts/postgres), or run scripts/test")
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprintf("migrate_%d", os.Getpid())
	config.RuntimeParams["search_path"] = schema
	db := stdlib.OpenDB(*config)
	mustExec(t, db, "drop schema if exists "+schema+" cascade", "create schema "+schema)
	t.Cleanup(func() {
		again := stdlib.OpenDB(*config)
		defer again.Close()
		mustExec(t, again, "drop schema "+schema+" cascade")
	})
	and := map[bool]string{true: "&", false: "?"}[strings.Contains(url, "?")]
	return base{"PostgreSQL", db, sqlstore.Dialect{Begin: "begin", Now: "0::bigint"}, func(s string) string { return bytesLiteral.ReplaceAllString(s, `'\x$1'::bytea`) },
		func() (store.Store, error) { return postgres.Open(t.Context(), url+and+"search_path="+schema, nil) }}
}

func mustExec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.200s: %v", s, err)
		}
	}
}

// A store of every earlier version is brought up to date, with all that it holds.
func TestEveryVersionCanBeOpened(t *testing.T) {
	if *dump {
		writeDump(t)
	}
	for v := range sqlstore.Latest() {
		text, err := os.ReadFile(fmt.Sprintf("testdata/%04d.sql", v+1))
		if err != nil {
			t.Fatalf("version %d has no dump of a store: run this test with -dump before its release: %v", v+1, err)
		}
		for name, on := range map[string]func(*testing.T) base{"SQLite": onSQLite, "PostgreSQL": onPostgres} {
			t.Run(fmt.Sprintf("%s version %d", name, v+1), func(t *testing.T) {
				b := on(t)
				if err := sqlstore.Migrate(t.Context(), b.db, b.dialect, v+1); err != nil {
					t.Fatal(err)
				}
				for _, s := range sqlstore.Split(string(text)) {
					mustExec(t, b.db, b.literal(s))
				}
				if err := b.db.Close(); err != nil {
					t.Fatal(err)
				}
				checkOpened(t, b)
			})
		}
	}
}

func checkOpened(t *testing.T, b base) {
	t.Helper()
	s, err := b.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	report, err := audit.Verify(audit.Records(store.Records(t.Context(), s)), nil)
	if err != nil || report.Err() != nil || report.Records < 100 || report.Erased == 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	written := list(t, s)
	if err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rebuilt := list(t, s); len(written) == 0 || !reflect.DeepEqual(rebuilt, written) {
		t.Errorf("sessions were\n%+v, made anew they are\n%+v", written, rebuilt)
	}
}

func list(t *testing.T, s store.Store) []store.Session {
	t.Helper()
	rows, err := s.Sessions(t.Context(), "acme", store.SessionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// writeDump fills a store of the newest version and writes its rows as statements
// that both databases read.
func writeDump(t *testing.T) {
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "assent.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b strings.Builder
	b.WriteString("-- What a store of this version held. Never edited.\n\n")
	for _, table := range strings.Fields("heads records sessions approvals calls grants members commands") {
		dumpTable(t, db, &b, table)
	}
	if err := os.WriteFile(fmt.Sprintf("testdata/%04d.sql", sqlstore.Latest()), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func fill(t *testing.T, s store.Store) {
	t.Helper()
	for i := range 4 {
		h, last := storetest.NewHistory(t, fmt.Sprint("s", i), uint64(i+1)), uint64(0)
		for range 25 {
			drafts := h.Step(t)
			if _, err := s.Journal("acme").Append(t.Context(), fmt.Sprint("session/s", i), last, drafts); err != nil {
				t.Fatal(err)
			}
			last += uint64(len(drafts))
		}
	}
	for _, err := range []error{
		s.Journal("acme").Erase(t.Context(), "session/s3", 2, 3),
		s.Join(t.Context(), "m1", 1),
		s.Post(t.Context(), store.Command{Tenant: "acme", Session: "s1", Key: "k", Input: []byte("say")}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func dumpTable(t *testing.T, db *sql.DB, b *strings.Builder, table string) {
	t.Helper()
	rows, err := db.Query("select * from " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, v := range values {
			texts = append(texts, literal(v))
		}
		fmt.Fprintf(b, "insert into %s (%s) values (%s);\n", table, strings.Join(columns, ", "), strings.Join(texts, ", "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return fmt.Sprint(v)
}

func TestAStoreOfALaterReleaseIsLeftAlone(t *testing.T) {
	b := onSQLite(t)
	if err := sqlstore.Migrate(t.Context(), b.db, b.dialect, sqlstore.Latest()); err != nil {
		t.Fatal(err)
	}
	mustExec(t, b.db, "insert into schema_version values (1000, 0)")
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.open(); fault.CodeOf(err) != fault.BadConfig {
		t.Errorf("opened with %v", err)
	}
}
