package sqlstore

import (
	"bytes"
	"context"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// Post implements [store.Inbox].
func (s *Store) Post(ctx context.Context, c store.Command) error {
	for _, name := range []string{c.Tenant, audit.SessionStream(c.Session), c.Key} {
		if err := audit.CheckName(name); err != nil {
			return err
		}
	}
	if c.Input == nil {
		c.Input = []byte{}
	}
	return s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		if _, err := t.exec("delete from commands where tenant = ? and key = ? and posted < {now} - ?", c.Tenant, c.Key, store.CommandLife.Milliseconds()); err != nil {
			return nil, err
		}
		n, err := t.exec("insert into commands (tenant, key, session, input, posted, done) values (?, ?, ?, ?, {now}, 0) on conflict do nothing", c.Tenant, c.Key, c.Session, c.Input)
		if err != nil || n > 0 {
			return []store.Hint{sessionHint(c.Tenant, c.Session)}, err
		}
		return nil, t.same(c)
	})
}

// same says whether a known command is c.
func (t *tx) same(c store.Command) error {
	return t.query("select session, input from commands where tenant = ? and key = ?", []any{c.Tenant, c.Key}, func(scan func(...any) error) error {
		var session string
		var input []byte
		if err := scan(&session, &input); err != nil {
			return err
		}
		if session != c.Session || !bytes.Equal(input, c.Input) {
			return fault.New(fault.Conflict, "the key %s was used for another command", c.Key)
		}
		return nil
	})
}

// Take implements [store.Inbox].
func (s *Store) Take(ctx context.Context, tenant, session string) (list []store.Command, err error) {
	err = s.query(ctx, "select key, input, posted from commands where tenant = ? and session = ? and done = 0 and posted >= {now} - ? order by posted, key limit ?",
		[]any{tenant, session, store.CommandLife.Milliseconds(), store.MaxLimit}, func(scan func(...any) error) error {
			c := store.Command{Tenant: tenant, Session: session}
			err := scan(&c.Key, &c.Input, &c.Posted)
			list = append(list, c)
			return err
		})
	return list, err
}

// Done implements [store.Inbox].
func (s *Store) Done(ctx context.Context, tenant, key string, result []byte) error {
	if result == nil {
		result = []byte{}
	}
	return s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		if _, err := t.exec("update commands set done = {now}, result = ? where tenant = ? and key = ? and done = 0", result, tenant, key); err != nil {
			return nil, err
		}
		var session string
		err := t.query("select session from commands where tenant = ? and key = ?", []any{tenant, key}, func(scan func(...any) error) error { return scan(&session) })
		if err == nil && session == "" {
			err = noCommand(key)
		}
		return []store.Hint{sessionHint(tenant, session)}, err
	})
}

// Result implements [store.Inbox].
func (s *Store) Result(ctx context.Context, tenant, key string) (result []byte, done bool, err error) {
	known := false
	err = s.query(ctx, "select done, result from commands where tenant = ? and key = ? and posted >= {now} - ?", []any{tenant, key, store.CommandLife.Milliseconds()},
		func(scan func(...any) error) error {
			var at int64
			err := scan(&at, &result)
			known, done = true, at > 0
			return err
		})
	if err == nil && !known {
		err = noCommand(key)
	}
	return result, done, err
}

func noCommand(key string) error {
	return fault.New(fault.NotFound, "there is no command with the key %s, or it is too old", key)
}
