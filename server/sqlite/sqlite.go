// Package sqlite keeps a server's store in a folder, for one process and a team.
//
// The database is SQLite in WAL mode with synchronous=FULL: what was answered is
// on the disk. All writing goes through one connection, and everybody who waits
// for the disk at the same time shares one commit; readers work beside it.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/filelock"
	"github.com/assentdev/assent/server/internal/sqlstore"
	"github.com/assentdev/assent/server/store"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// The files of a store's folder. Nothing else may open the first one: a program
// that opens and closes it takes SQLite's locks away.
const (
	fileName = "assent.db"
	lockName = "assent.lock"
)

// Options configures a store. Nil means all defaults.
type Options struct {
	// Log is told what an operator should know. Nil is silent.
	Log *slog.Logger
	// Readers is how many questions are answered at the same time. Default 4.
	Readers int
}

// Open opens the store in a folder, and makes both where there is none, readable
// by their owner only. A lock file keeps other processes out until it is closed.
//
// Errors: fault.Conflict, another process has it open; fault.BadConfig, a later
// release wrote it; fault.BadJournal, it is no store; fault.Unwritable, the file
// system refuses.
func Open(ctx context.Context, dir string, opts *Options) (store.Store, error) {
	if opts == nil {
		opts = &Options{}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.Wrap(err, fault.Unwritable, "the folder %s cannot be made", dir)
	}
	lock, err := filelock.Lock(filepath.Join(dir, lockName))
	if errors.Is(err, filelock.ErrLocked) {
		return nil, fault.New(fault.Conflict, "the store in %s is open already: SQLite serves one process; close the other one, or use PostgreSQL for many", dir)
	} else if err != nil {
		return nil, fault.Wrap(err, fault.Unwritable, "the store in %s cannot be locked", dir)
	}
	s, err := open(ctx, dir, opts, lock)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

func open(ctx context.Context, dir string, opts *Options, lock *os.File) (store.Store, error) {
	path, err := filepath.Abs(filepath.Join(dir, fileName))
	if err != nil {
		return nil, err
	}
	if err := create(path); err != nil {
		return nil, fault.Wrap(err, fault.Unwritable, "the store %s cannot be made", path)
	}
	write, err := connect(path, 1, "_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=secure_delete(1)&_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		return nil, err
	}
	if err := write.PingContext(ctx); err != nil {
		return nil, errors.Join(unusable(err, path), write.Close())
	}
	readers := opts.Readers
	if readers <= 0 {
		readers = 4
	}
	read, err := connect(path, readers, "_pragma=query_only(1)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	d := dialect(path)
	s, err := sqlstore.Open(ctx, write, read, sqlstore.NewHub(), d, opts.Log)
	if err != nil {
		return nil, err
	}
	return &locked{s, lock}, nil
}

// locked gives the folder back when the store is closed.
type locked struct {
	*sqlstore.Store
	lock *os.File
}

// Close implements [store.Store].
func (l *locked) Close() error {
	if err := l.Store.Close(); err != nil {
		return err
	}
	if err := l.lock.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// create makes the database's file before SQLite opens it, so that only its owner
// may read it: the files beside it get the same rights.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return errors.Join(f.Close(), syncDir(filepath.Dir(path)))
}

// syncDir makes a new file's name durable. Windows has no such call.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // some file systems refuse it for folders
	return d.Close()
}

func connect(path string, connections int, options string) (*sql.DB, error) {
	file := url.URL{Scheme: "file", Path: path, RawQuery: "_pragma=busy_timeout(10000)&" + options}
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the store %s cannot be opened", path)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func dialect(path string) sqlstore.Dialect {
	return sqlstore.Dialect{
		Name:   "SQLite",
		Begin:  "begin immediate",
		Now:    "cast(unixepoch('subsec') * 1000 as integer)",
		Broken: broken,
		Erased: forget,
		Sound:  sound,
		Backup: func(ctx context.Context, _ *sql.DB, to string) error { return backup(ctx, path, to) },
	}
}
