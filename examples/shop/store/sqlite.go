package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

//go:embed schema.sql
var schema string

// DB is what the functions of this package run on: a pool or a transaction.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	Write *sql.DB // one connection: writers wait for each other
	Read  *sql.DB // several connections; the database refuses any write through them
	path  string
}

// Open opens the database in a file and makes it if it is not there. A commit
// is on the disk before it returns.
func Open(path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path}
	if s.Write, err = connect(path, 1, "_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"); err != nil {
		return nil, err
	}
	if _, err := s.Write.Exec(schema); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), s.Close())
	}
	// Either would do. mode=ro is the file's, query_only the connection's.
	if s.Read, err = connect(path, 4, "mode=ro&_pragma=query_only(1)"); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func connect(path string, connections int, options string) (*sql.DB, error) {
	file := url.URL{Scheme: "file", Path: path, RawQuery: "_pragma=busy_timeout(5000)&" + options}
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Close closes both pools.
func (s *Store) Close() error {
	if s.Read == nil {
		return s.Write.Close()
	}
	return errors.Join(s.Read.Close(), s.Write.Close())
}

// Copy writes all that is committed to a new file and opens it. The copy and s
// know nothing of each other. No other process may write to s meanwhile.
func (s *Store) Copy(ctx context.Context, path string) (*Store, error) {
	conn, err := s.Write.Conn(ctx) // the only one: nobody writes until it is given back
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var busy, pages, moved int
	if err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return nil, fmt.Errorf("copy %s: %w", s.path, err)
	}
	if busy != 0 {
		return nil, fmt.Errorf("copy %s: a reader is in the way", s.path)
	}
	if err := copyFile(s.path, path); err != nil {
		return nil, err
	}
	return Open(path)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
