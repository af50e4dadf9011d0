package auth_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/auth"
	"github.com/assentdev/assent/server/auth/authtest"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// proves: V4, V10
func TestMemoryKeepsKeys(t *testing.T) {
	authtest.Run(t, func(testing.TB) auth.Rows { return auth.Memory() })
}

// proves: V4, V10
func TestSQLiteKeepsKeys(t *testing.T) {
	authtest.Run(t, func(t testing.TB) auth.Rows { return auth.SQL(sqlite(t)) })
}

// proves: V4, V10
func TestPostgreSQLKeepsKeys(t *testing.T) {
	url := os.Getenv("ASSENT_POSTGRES")
	if url == "" && os.Getenv("CI") == "true" {
		t.Fatal("no PostgreSQL: see scripts/postgres")
	} else if url == "" {
		t.Skip("no PostgreSQL: export ASSENT_POSTGRES=$(scripts/postgres), or run scripts/test")
	}
	n := 0
	authtest.Run(t, func(t testing.TB) auth.Rows { n++; return auth.SQL(postgres(t, url, n)) })
}

// database is the little that auth.SQL needs of a database.
type database struct {
	*sql.DB
	numbered bool // its placeholders are $1, $2 and so on
}

func (d database) words(text string) string {
	for n := 1; d.numbered && strings.Contains(text, "?"); n++ {
		text = strings.Replace(text, "?", "$"+strconv.Itoa(n), 1)
	}
	return text
}

func postgres(t testing.TB, url string, n int) database {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprintf("keys_%d_%d", os.Getpid(), n)
	config.RuntimeParams["search_path"] = schema
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() {
		if _, err := db.Exec("drop schema " + schema + " cascade"); err != nil {
			t.Error(err)
		}
		db.Close()
	})
	for _, text := range []string{"create schema " + schema, auth.Tables} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	return database{db, true}
}

func sqlite(t testing.TB) database {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "keys.db")+"?_pragma=busy_timeout(10000)&_pragma=synchronous(0)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.ExecContext(t.Context(), auth.Tables); err != nil {
		t.Fatal(err)
	}
	return database{db, false}
}

func (d database) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	res, err := d.ExecContext(ctx, d.words(text), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (d database) Query(ctx context.Context, text string, args []any, row func(scan func(...any) error) error) error {
	rows, err := d.QueryContext(ctx, d.words(text), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// A row that somebody changed gives no more than it says: words that are none give
// nothing, and what cannot be read is no key.
func TestARowThatCannotBeReadGivesNothing(t *testing.T) {
	db := sqlite(t)
	rows := auth.SQL(db)
	put := func(set string) (auth.Key, error) {
		t.Helper()
		db.Exec(t.Context(), "delete from api_keys")
		err := rows.Insert(t.Context(), auth.Key{ID: "k1", Tenant: "acme", Roles: auth.User, Ceiling: policy.Ask, Agents: []string{"desk"}}, auth.Hash{1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(t.Context(), "update api_keys set "+set); err != nil {
			t.Fatal(err)
		}
		return rows.Find(t.Context(), "acme", "k1")
	}
	if k, err := put("roles = 'user superuser ADMINISTRATOR', ceiling = 'everything'"); err != nil || k.Roles != auth.User || k.Ceiling != policy.Off {
		t.Errorf("unknown words give %v and %v, %v", k.Roles, k.Ceiling, err)
	}
	for _, set := range []string{"hash = x'00'", "agents = 'desk'", "groups_in = ''", `agents = '{"*":1}'`} {
		if k, err := put(set); fault.CodeOf(err) != fault.BadJournal {
			t.Errorf("%s: %+v, %v", set, k, err)
		}
	}
}
