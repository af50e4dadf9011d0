package sqlstore

import (
	"context"
	"strings"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/store"
)

// filter is the conditions of a query. The first one is always the tenant
// (SPEC V10), where the question is not the server's own.
type filter struct {
	where []string
	args  []any
}

func ofTenant(tenant string) *filter { return (&filter{}).and("tenant = ?", tenant) }

func (f *filter) and(text string, args ...any) *filter {
	f.where, f.args = append(f.where, text), append(f.args, args...)
	return f
}

// is adds a condition for a value that was given.
func (f *filter) is(column, value string) *filter {
	if value == "" {
		return f
	}
	return f.and(column+" = ?", store.Text(value))
}

// newest puts the rows behind a place in order, the newest first.
func (f *filter) newest(column string, after store.Cursor, limit int) *filter {
	if after != (store.Cursor{}) {
		f.and("("+column+", id) < (?, ?)", after.At, after.ID)
	}
	f.args = append(f.args, store.Limit(limit))
	f.where[len(f.where)-1] += " order by " + column + " desc, id desc limit ?"
	return f
}

func (f *filter) String() string { return " where " + strings.Join(f.where, " and ") }

const sessionColumns = "select tenant, id, agent, principal, mode, owner, member, epoch, turn, started, updated from sessions"

func (s *Store) sessions(ctx context.Context, text string, args []any) (list []store.Session, err error) {
	err = s.query(ctx, text, args, func(scan func(...any) error) error {
		var r store.Session
		var mode string
		var epoch int64
		err := scan(&r.Tenant, &r.ID, &r.Agent, &r.Principal, &mode, &r.Owner, &r.Member, &epoch, &r.Turn, &r.Started, &r.Updated)
		r.Mode, r.Epoch = policy.ReadMode(mode), uint64(epoch)
		list = append(list, r)
		return err
	})
	return list, err
}

// Session implements [store.Projections].
func (s *Store) Session(ctx context.Context, tenant, id string) (store.Session, error) {
	f := ofTenant(tenant).and("id = ?", id)
	list, err := s.sessions(ctx, sessionColumns+f.String(), f.args)
	return one(list, err, "session", id)
}

func one[T any](list []T, err error, what, id string) (row T, _ error) {
	if err == nil && len(list) == 0 {
		err = fault.New(fault.NotFound, "there is no %s %s", what, id)
	}
	if err != nil {
		return row, err
	}
	return list[0], nil
}

// Sessions implements [store.Projections].
func (s *Store) Sessions(ctx context.Context, tenant string, q store.SessionQuery) ([]store.Session, error) {
	f := ofTenant(tenant).is("principal", q.Principal).is("agent", q.Agent)
	if q.Open {
		f.and("turn <> ''")
	}
	f.newest("updated", q.After, q.Limit)
	return s.sessions(ctx, sessionColumns+f.String(), f.args)
}

// Orphans implements [store.Projections]. It goes from one owner to the next in
// the index of open sessions, and not through all sessions: they are asked for
// each second.
func (s *Store) Orphans(ctx context.Context, limit int) ([]store.Session, error) {
	const text = "with recursive owners(name) as (select min(member) from sessions where turn <> ''" +
		" union all select (select min(member) from sessions where turn <> '' and member > owners.name) from owners where owners.name is not null) " +
		sessionColumns + " where turn <> '' and member in (select name from owners where name is not null" +
		" and not exists (select 1 from members m where m.name = owners.name and m.until > {now})) order by updated, id limit ?"
	return s.sessions(ctx, text, []any{store.Limit(limit)})
}

const approvalColumns = "select tenant, id, session, agent, principal, call, tool, class, question, asked, expires from approvals"

func (s *Store) approvals(ctx context.Context, text string, args []any) (list []store.Approval, err error) {
	err = s.query(ctx, text, args, func(scan func(...any) error) error {
		var r store.Approval
		var class string
		err := scan(&r.Tenant, &r.ID, &r.Session, &r.Agent, &r.Principal, &r.Call, &r.Tool, &class, &r.Question, &r.Asked, &r.Expires)
		r.Class, _ = policy.ReadClass(class)
		list = append(list, r)
		return err
	})
	return list, err
}

// Approval implements [store.Projections].
func (s *Store) Approval(ctx context.Context, tenant, id string) (store.Approval, error) {
	f := ofTenant(tenant).and("id = ?", id)
	list, err := s.approvals(ctx, approvalColumns+f.String(), f.args)
	return one(list, err, "open approval", id)
}

// Approvals implements [store.Projections].
func (s *Store) Approvals(ctx context.Context, tenant string, q store.ApprovalQuery) ([]store.Approval, error) {
	f := ofTenant(tenant).is("session", q.Session).is("agent", q.Agent).newest("asked", q.After, q.Limit)
	return s.approvals(ctx, approvalColumns+f.String(), f.args)
}

// Due implements [store.Projections].
func (s *Store) Due(ctx context.Context, t time.Time, limit int) ([]store.Approval, error) {
	return s.approvals(ctx, approvalColumns+" where expires > 0 and expires < ? order by expires limit ?", []any{t.UnixMilli(), store.Limit(limit)})
}

// Calls implements [store.Projections].
func (s *Store) Calls(ctx context.Context, tenant, session string, limit int) (list []store.Call, err error) {
	f := ofTenant(tenant).and("session = ?", session).newest("at", store.Cursor{}, limit)
	err = s.query(ctx, "select tenant, id, session, turn, tool, class, state, at from calls"+f.String(), f.args, func(scan func(...any) error) error {
		var r store.Call
		var class string
		err := scan(&r.Tenant, &r.ID, &r.Session, &r.Turn, &r.Tool, &class, &r.State, &r.At)
		r.Class, _ = policy.ReadClass(class)
		list = append(list, r)
		return err
	})
	return list, err
}

// Grants implements [store.Projections].
func (s *Store) Grants(ctx context.Context, tenant string, q store.GrantQuery) (list []store.Grant, err error) {
	f := ofTenant(tenant).is("session", q.Session).is("principal", q.Principal).newest("at", q.After, q.Limit)
	text := "select tenant, id, session, principal, scope, kind, source, tool, class, call, granted_by, at, expires from grants" + f.String()
	err = s.query(ctx, text, f.args, func(scan func(...any) error) error {
		var r store.Grant
		var scope, class string
		err := scan(&r.Tenant, &r.ID, &r.Session, &r.Principal, &scope, &r.Kind, &r.Source, &r.Tool, &class, &r.Call, &r.By, &r.At, &r.Expires)
		r.Scope, _ = policy.ParseScope(scope) // anything else counts as the narrowest
		r.Class, _ = policy.ReadClass(class)
		list = append(list, r)
		return err
	})
	return list, err
}
