package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// writer is the one connection that writes, with the statements it has prepared.
type writer struct {
	db       *sql.DB
	d        *Dialect
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

// tx is a transaction of the writer.
type tx struct {
	ctx context.Context
	w   *writer
}

// maybe is an error of a commit of which nobody knows what became.
type maybe struct{ error }

func (m maybe) Unwrap() error { return m.error }

// do runs f in one transaction. Where it fails by chance it is tried again, but
// never after a commit of which nobody knows what became.
func (w *writer) do(ctx context.Context, f func(*tx) error) (err error) {
	for n := 0; n < 5; n++ {
		if err = w.try(ctx, f); err == nil || uncertain(err) || w.d.Again == nil || !w.d.Again(err) {
			return err
		}
	}
	return err
}

func (w *writer) try(ctx context.Context, f func(*tx) error) (err error) {
	if w.conn == nil {
		if w.conn, err = w.db.Conn(ctx); err != nil {
			return err
		}
		w.prepared = map[string]*sql.Stmt{}
	}
	if _, err := w.conn.ExecContext(ctx, w.d.Begin); err != nil {
		w.drop()
		return err
	}
	if err := f(&tx{ctx, w}); err != nil {
		w.undo(ctx)
		return err
	}
	if _, err := w.conn.ExecContext(ctx, "commit"); err != nil {
		w.undo(ctx)
		if w.d.Lost != nil && w.d.Lost(err) {
			return maybe{err}
		}
		return err
	}
	return nil
}

// undo takes a transaction back. A connection on which that fails is given up.
func (w *writer) undo(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := w.conn.ExecContext(ctx, "rollback"); err != nil {
		w.drop()
	}
}

// drop gives the connection up; the next transaction takes a new one.
func (w *writer) drop() {
	if w.conn == nil {
		return
	}
	for _, stmt := range w.prepared {
		_ = stmt.Close()
	}
	_ = w.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = w.conn.Close()
	w.conn, w.prepared = nil, nil
}

func (t *tx) stmt(text string) (*sql.Stmt, error) {
	if stmt := t.w.prepared[text]; stmt != nil {
		return stmt, nil
	}
	stmt, err := t.w.conn.PrepareContext(t.ctx, t.w.d.words(text))
	if err == nil {
		t.w.prepared[text] = stmt
	}
	return stmt, err
}

// query reads within the transaction. text is one of few: it stays prepared.
func (t *tx) query(text string, args []any, row func(scan func(...any) error) error) error {
	stmt, err := t.stmt(text)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(t.ctx, args...)
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

// exec runs one statement and returns how many rows it changed.
func (t *tx) exec(text string, args ...any) (int64, error) {
	stmt, err := t.stmt(text)
	if err != nil {
		return 0, err
	}
	res, err := stmt.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// batch runs statements in order, in one go where the database can.
func (t *tx) batch(list []Statement) error {
	if t.w.d.Batch != nil && len(list) > 1 {
		return t.w.d.Batch(t.ctx, t.w.conn, list)
	}
	for _, s := range list {
		if _, err := t.exec(s.SQL, s.Args...); err != nil {
			return err
		}
	}
	return nil
}

// alone runs f in a transaction of its own, between the groups of appends, and
// then tells the hints that it returns.
func (s *Store) alone(ctx context.Context, f func(*tx) ([]store.Hint, error)) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	select {
	case <-s.lock:
	case <-ctx.Done():
		return cancelled(ctx)
	case <-s.ended:
		return closed()
	}
	defer func() { s.lock <- struct{}{} }()
	if err := s.usable(); err != nil {
		return err
	}
	var hints []store.Hint
	work, cancel := s.bounded()
	defer cancel()
	err := s.w.do(work, func(t *tx) (err error) {
		hints, err = f(t)
		return err
	})
	if err != nil {
		s.poison(err)
		return s.unwritable(err)
	}
	s.tell(hints)
	return nil
}

// bounded is the context of what is written: what has begun is not given up
// because who asked went away.
func (s *Store) bounded() (context.Context, context.CancelFunc) {
	if s.d.Timeout == 0 {
		return context.Background(), func() {}
	}
	return context.WithTimeout(context.Background(), s.d.Timeout)
}

// poison ends all writing after an error that leaves the disk in doubt.
func (s *Store) poison(err error) {
	if s.d.Broken == nil || !s.d.Broken(err) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
		s.log.Error("the store cannot be written any more until it is opened again", "err", err)
	}
}

func (s *Store) usable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return fault.Wrap(s.failed, fault.Unwritable, "the %s store failed earlier and takes nothing more: see to its disk and open it again", s.d.Name)
	}
	return nil
}

// uncertain says whether err leaves open what became of a commit.
func uncertain(err error) bool {
	var m maybe
	return errors.As(err, &m)
}
