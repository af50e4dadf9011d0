package auth_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/auth"
	"github.com/assentdev/assent/server/auth/authtest"
	_ "modernc.org/sqlite"
)

func TestMemoryKeepsKeys(t *testing.T) {
	authtest.Run(t, func(testing.TB) auth.Rows { return auth.Memory() })
}

func TestSQLKeepsKeys(t *testing.T) {
	authtest.Run(t, func(t testing.TB) auth.Rows { return auth.SQL(sqlite(t)) })
}

// database is the little that auth.SQL needs of a database.
type database struct{ *sql.DB }

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
	return database{db}
}

func (d database) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	res, err := d.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (d database) Query(ctx context.Context, text string, args []any, row func(scan func(...any) error) error) error {
	rows, err := d.QueryContext(ctx, text, args...)
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
