package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/assentdev/assent/fault"
)

// migrations are numbered from 1 without gaps, and never edited once released.
//
//go:embed migrations/*.sql
var migrations embed.FS

// files returns the names of the migrations in order.
func files() []string {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	return names // sorted
}

func latest() int { return len(files()) }

// migrate brings a database to a version, each step in a transaction of its own.
// A transaction of its writers excludes other replicas: the dialect's Begin, or a
// lock that its connection holds.
func migrate(ctx context.Context, db *sql.DB, d *Dialect, to int) error {
	w := &writer{db: db, d: d}
	defer w.release()
	for {
		done := false
		err := w.do(ctx, func(t *tx) (err error) {
			done, err = t.step(to)
			return err
		})
		if err != nil {
			return fault.Wrap(err, codeOr(err, fault.Unwritable), "the tables of the %s store could not be brought up to date: %s", d.Name, fault.TextOf(err))
		}
		if done {
			return nil
		}
	}
}

func codeOr(err error, other fault.Code) fault.Code {
	if code := fault.CodeOf(err); code != fault.Internal {
		return code
	}
	return other
}

// release gives the connection back unharmed.
func (w *writer) release() {
	if w.conn == nil {
		return
	}
	for _, stmt := range w.prepared {
		_ = stmt.Close()
	}
	_ = w.conn.Close()
	w.conn, w.prepared = nil, nil
}

// step does the next migration and says whether none is left.
func (t *tx) step(to int) (done bool, err error) {
	run := func(text string, args ...any) error {
		_, err := t.w.conn.ExecContext(t.ctx, t.w.d.words(text), args...)
		return err
	}
	if t.w.d.MigrateLock != "" {
		if err := run(t.w.d.MigrateLock); err != nil {
			return false, err
		}
	}
	if err := run("create table if not exists schema_version (version bigint not null, at bigint not null, primary key (version))"); err != nil {
		return false, err
	}
	var is int
	if err := t.w.conn.QueryRowContext(t.ctx, "select coalesce(max(version), 0) from schema_version").Scan(&is); err != nil {
		return false, err
	}
	switch {
	case is > latest():
		return false, fault.New(fault.BadConfig, "a later release wrote it (version %d, this one knows %d): use that release", is, latest())
	case is >= to:
		return true, nil
	}
	text, err := fs.ReadFile(migrations, files()[is])
	if err != nil {
		return false, err
	}
	for _, statement := range split(string(text)) {
		if err := run(statement); err != nil {
			return false, errors.Join(fault.New(fault.Internal, "%s", files()[is]), err)
		}
	}
	return false, run("insert into schema_version (version, at) values (" + strconv.Itoa(is+1) + ", {now})")
}

// split cuts a file into its statements. Each ends with a semicolon at the end
// of a line; a comment begins a line.
func split(text string) (list []string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "--") {
			continue
		}
		b.WriteString(line)
		if strings.HasSuffix(strings.TrimSpace(line), ";") {
			list = append(list, strings.TrimSuffix(strings.TrimSpace(b.String()), ";"))
			b.Reset()
		}
	}
	return list
}
