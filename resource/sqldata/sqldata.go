// Package sqldata gives handlers of package resource a database of database/sql:
// one handle that only reads for views, lookups and previews, and one transaction
// for each action that runs.
//
//	data := sqldata.New(read, write, nil)
//	app := resource.NewApp(&resource.AppOptions{Data: data}, orders)
//
// In a handler, [From] is the handle of the call.
package sqldata

import (
	"context"
	"database/sql"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/resource"
)

// DB is what a handler may do with the database. *sql.DB, *sql.Tx and *sql.Conn
// are DBs.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Options configure a [Data]. A nil *Options and every zero field mean the default.
type Options struct {
	// Action says how the transactions of actions begin. Default: the database's
	// default. SQLite takes its word from the driver instead (_txlock=immediate).
	Action *sql.TxOptions
	// ReadOnlyTx runs each reading call in a transaction of its own that is marked
	// read-only. Use it where the database holds to that mark, as PostgreSQL does.
	// The SQLite drivers for Go do not: open the handle that reads with mode=ro or
	// query_only.
	ReadOnlyTx bool
}

// Data opens handles of two pools. It is safe for concurrent use.
type Data struct {
	read, write *sql.DB
	o           Options
}

// New makes a Data of a pool through which nothing can be written and one for
// writing. The caller closes both, after the app.
func New(read, write *sql.DB, o *Options) *Data {
	d := &Data{read: read, write: write}
	if o != nil {
		d.o = *o
	}
	return d
}

// From returns the handle of a call: in an action that runs, the transaction that
// is kept if the action returns no error; otherwise one that only reads. An app
// without a [Data] is a programmer's mistake and panics.
func From(c *resource.Context) DB {
	db, ok := c.Data().(DB)
	if !ok {
		panic("sqldata: this app has no sqldata.Data: set AppOptions.Data")
	}
	return db
}

// Reading returns the pool that reads, or a read-only transaction of it.
func (d *Data) Reading(ctx context.Context) (any, func(), error) {
	if !d.o.ReadOnlyTx {
		return DB(d.read), func() {}, nil
	}
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, unreachable(err)
	}
	return DB(tx), func() { _ = tx.Rollback() }, nil
}

// Writing begins a transaction.
func (d *Data) Writing(ctx context.Context) (any, func(bool) error, error) {
	tx, err := d.write.BeginTx(ctx, d.o.Action)
	if err != nil {
		return nil, nil, unreachable(err)
	}
	return DB(tx), func(keep bool) error {
		if keep {
			return tx.Commit()
		}
		return tx.Rollback()
	}, nil
}

func unreachable(err error) error {
	return fault.Wrap(err, resource.Unreachable, "The data cannot be reached now. Try again later.")
}

// Check tries to write through the handle that reads: it creates a table, in a
// transaction that is taken back, and fails if that succeeds. It finds a handle
// that was opened for writing. It cannot find a database's user who may not create
// tables and may write all the same.
func (d *Data) Check(ctx context.Context) error {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: d.o.ReadOnlyTx})
	if err != nil {
		return unreachable(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "CREATE TABLE assent_reads_only (n INTEGER)"); err != nil {
		return ctx.Err()
	}
	return fault.New(resource.BadDefinition, "the handle for reading can write: open it read-only (SQLite: mode=ro or _pragma=query_only(1); PostgreSQL: ReadOnlyTx)")
}
