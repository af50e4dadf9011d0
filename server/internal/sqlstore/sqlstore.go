// Package sqlstore keeps a store in a database that speaks SQL. Everything that
// SQLite and PostgreSQL do alike is here; a [Dialect] says the rest.
//
// There is one writer: everybody who waits for the disk at the same time shares
// one transaction. Readers have connections of their own.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// Dialect is what one database does differently.
type Dialect struct {
	Name  string // for errors
	Begin string // begins a transaction that will write
	Now   string // an expression: the database's clock in Unix milliseconds
	// MigrateLock keeps other replicas from migrating at the same time, until the
	// transaction ends. "" where Begin does.
	MigrateLock string
	// ForUpdate is added to a select whose rows are locked. "" where there is only
	// one writer.
	ForUpdate string
	// Rebind writes the placeholders that the database knows in the place of "?".
	Rebind func(query string) string
	// Batch runs statements in order. Nil: one after the other.
	Batch func(ctx context.Context, c *sql.Conn, list []Statement) error
	// Again says that a transaction failed by chance and can be tried again.
	Again func(error) bool
	// Lost says that the connection broke, so that what became of a commit is not
	// known. Nil: it never does.
	Lost func(error) bool
	// Broken says that the database must not be written any more until it is
	// opened again. Nil: never.
	Broken func(error) bool
	// Timeout bounds a transaction. Zero: no limit.
	Timeout time.Duration
	// Publish brings hints to other replicas, without waiting. Nil: there are none.
	Publish func([]store.Hint)
	// Erased is called after payloads were erased. Nil: nothing.
	Erased func(ctx context.Context, c *sql.Conn) error
	// Sound checks the database itself. Nil: nothing.
	Sound func(ctx context.Context, db *sql.DB) error
	// Backup writes a copy. Nil: an export.
	Backup func(ctx context.Context, db *sql.DB, path string) error
	// Close gives back what the dialect holds. Nil: nothing.
	Close func() error
}

// Statement is one statement of a batch.
type Statement struct {
	SQL  string
	Args []any
}

// Store is a store in a database. Make one with [Open].
type Store struct {
	d     Dialect
	read  *sql.DB
	hub   *Hub
	queue *queue
	log   *slog.Logger

	lock chan struct{} // holds a token while nobody writes
	w    *writer       // whoever has the token uses it

	mu     sync.Mutex
	closed bool
	failed error // why nothing can be written any more
	ended  chan struct{}
	once   sync.Once
	err    error // of Close
}

var _ store.Store = (*Store)(nil)

// Open brings the database's tables up to date and starts the writer. write and
// read may be the same. The store closes both, also after an error.
func Open(ctx context.Context, write, read *sql.DB, hub *Hub, d Dialect, log *slog.Logger) (*Store, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Store{d: d, read: read, hub: hub, log: log, queue: newQueue(), lock: make(chan struct{}, 1), ended: make(chan struct{})}
	s.w = &writer{db: write, d: &s.d}
	s.lock <- struct{}{}
	if err := migrate(ctx, write, &s.d, latest()); err != nil {
		return nil, errors.Join(err, s.giveBack())
	}
	go s.run()
	return s, nil
}

// Close implements [store.Store].
func (s *Store) Close() error {
	s.once.Do(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.queue.close()
		<-s.ended
		<-s.lock // kept: nobody writes any more
		s.hub.close()
		s.err = s.giveBack()
	})
	return s.err
}

func (s *Store) giveBack() error {
	s.w.drop()
	err := errors.Join(s.w.db.Close(), s.read.Close())
	if s.d.Close != nil {
		err = errors.Join(err, s.d.Close())
	}
	return err
}

// ready says whether anything can be asked now.
func (s *Store) ready(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return closed()
	}
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	return nil
}

// query is a statement for reading. A connection that broke while it was idle is
// no reason to fail: then it is asked again.
func (s *Store) query(ctx context.Context, text string, args []any, row func(scan func(...any) error) error) error {
	for n := 0; ; n++ {
		if err := s.ready(ctx); err != nil {
			return err
		}
		seen, err := s.ask(ctx, s.d.words(text), args, row)
		if err == nil {
			return nil
		}
		if seen || n == 3 || ctx.Err() != nil || s.d.Again == nil || !s.d.Again(err) {
			return s.unreadable(ctx, err)
		}
	}
}

// ask says whether a row was seen, too.
func (s *Store) ask(ctx context.Context, text string, args []any, row func(scan func(...any) error) error) (seen bool, err error) {
	rows, err := s.read.QueryContext(ctx, text, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		seen = true
		if err := row(rows.Scan); err != nil {
			return seen, err
		}
	}
	return seen, rows.Err()
}

// words writes a statement in the database's own.
func (d *Dialect) words(text string) string {
	if strings.Contains(text, "{now}") {
		text = strings.ReplaceAll(text, "{now}", d.Now)
	}
	if d.Rebind == nil {
		return text
	}
	return d.Rebind(text)
}

func (s *Store) unreadable(ctx context.Context, err error) error {
	switch {
	case fault.CodeOf(err) != fault.Internal:
		return err
	case ctx.Err() != nil:
		return cancelled(ctx)
	case s.ready(ctx) != nil:
		return closed()
	}
	return fault.Wrap(err, fault.BadJournal, "the %s store could not be read", s.d.Name)
}

func (s *Store) unwritable(err error) error {
	if fault.CodeOf(err) != fault.Internal {
		return err
	}
	return fault.Wrap(err, fault.Unwritable, "the %s store could not be written: nothing runs until it can", s.d.Name)
}

func closed() error { return fault.New(fault.Closed, "the store is closed") }

func cancelled(ctx context.Context) error {
	return fault.Wrap(context.Cause(ctx), fault.Cancelled, "stopped before anything was written")
}
