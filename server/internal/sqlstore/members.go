package sqlstore

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// Join implements [store.Members].
func (s *Store) Join(ctx context.Context, member string, ttl time.Duration) error {
	if err := audit.CheckName(member); err != nil {
		return err
	}
	return s.change1(ctx, fault.New(fault.Conflict, "the member %s was there before: choose a fresh name", member),
		"insert into members (name, since, until) values (?, {now}, {now} + ?) on conflict do nothing", member, ttl.Milliseconds())
}

// Beat implements [store.Members].
func (s *Store) Beat(ctx context.Context, member string, ttl time.Duration) error {
	return s.change1(ctx, fault.New(fault.Fenced, "the member %s is dead: its sessions may have been taken", member),
		"update members set until = {now} + ? where name = ? and until > {now}", ttl.Milliseconds(), member)
}

// Leave implements [store.Members].
func (s *Store) Leave(ctx context.Context, member string) error {
	return s.change1(ctx, nil, "update members set until = 0 where name = ?", member)
}

// change1 runs one statement; none is the answer where it changed no row.
func (s *Store) change1(ctx context.Context, none *fault.Error, text string, args ...any) error {
	return s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		n, err := t.exec(text, args...)
		if err == nil && n == 0 && none != nil {
			return nil, none
		}
		return nil, err
	})
}

// Members implements [store.Members].
func (s *Store) Members(ctx context.Context) (list []store.Member, err error) {
	err = s.query(ctx, "select name, since, until from members where until > {now}", nil, func(scan func(...any) error) error {
		var m store.Member
		err := scan(&m.Name, &m.Since, &m.Until)
		list = append(list, m)
		return err
	})
	slices.SortFunc(list, func(a, b store.Member) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// Sweep implements [store.Upkeep]. A dead member's name stays known for a day, so
// that nobody takes its place unnoticed.
func (s *Store) Sweep(ctx context.Context) error {
	return s.alone(ctx, func(t *tx) ([]store.Hint, error) {
		if _, err := t.exec("delete from commands where posted < {now} - ?", store.CommandLife.Milliseconds()); err != nil {
			return nil, err
		}
		_, err := t.exec("delete from members where until < {now} - ? and since < {now} - ?", store.CommandLife.Milliseconds(), store.CommandLife.Milliseconds())
		return nil, err
	})
}
