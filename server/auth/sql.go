package auth

import (
	"context"
	_ "embed" // for Tables
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// Tables are the statements that make what [SQL] needs, for SQLite and PostgreSQL.
//
//go:embed keys.sql
var Tables string

// DB runs statements with "?" for each value. What Exec answered is durable. It
// is safe for concurrent use.
type DB interface {
	// Exec runs a statement by itself and returns how many rows it changed.
	Exec(ctx context.Context, text string, args ...any) (int64, error)
	// Query calls row for each row.
	Query(ctx context.Context, text string, args []any, row func(scan func(...any) error) error) error
}

// SQL returns rows that are kept in a database that has [Tables]. Errors of the
// database are its own.
func SQL(db DB) Rows { return &sqlRows{db} }

type sqlRows struct{ db DB }

const (
	keyColumns = "tenant, id, hash, principal, groups_in, agents, roles, ceiling, note, maker, created, expires, revoked, used"
	selectKeys = "select " + keyColumns + " from api_keys where "
	insertKey  = "insert into api_keys (" + keyColumns + ", first) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)

func (s *sqlRows) Insert(ctx context.Context, k Key, h Hash) error {
	made, err := s.insert(ctx, k, h, nil)
	if err == nil && !made {
		err = conflict(k.ID)
	}
	return err
}

// InsertFirst asks first, because a key may have been made in another way. Of
// those who ask at the same time one gets the place in the column first.
func (s *sqlRows) InsertFirst(ctx context.Context, k Key, h Hash) (bool, error) {
	list, err := s.List(ctx, k.Tenant, Query{Roles: Administrator, Limit: 1})
	if err != nil || len(list) > 0 {
		return false, err
	}
	return s.insert(ctx, k, h, k.Tenant)
}

func (s *sqlRows) insert(ctx context.Context, k Key, h Hash, first any) (bool, error) {
	n, err := s.db.Exec(ctx, insertKey, k.Tenant, k.ID, h[:], k.Principal, list(k.Groups), list(k.Agents), k.Roles.String(),
		k.Ceiling.String(), k.Note, k.Maker, k.Created, k.Expires, k.Revoked, k.Used, first)
	return n > 0, err
}

// list writes names as JSON.
func list(names []string) string {
	if names == nil {
		return "[]"
	}
	text, _ := json.Marshal(names) // strings have no error
	return string(text)
}

func (s *sqlRows) ByHash(ctx context.Context, h Hash) (Key, Hash, error) {
	k, err := s.one(ctx, "", "hash = ?", h[:])
	return k.Key, k.hash, err
}

func (s *sqlRows) Find(ctx context.Context, tenant, id string) (Key, error) {
	k, err := s.one(ctx, id, "tenant = ? and id = ?", tenant, id)
	return k.Key, err
}

func (s *sqlRows) one(ctx context.Context, id, where string, args ...any) (kept, error) {
	found, err := s.all(ctx, where, args)
	if err == nil && len(found) == 0 {
		err = notFound(id)
	}
	if err != nil {
		return kept{}, err
	}
	return found[0], nil
}

func (s *sqlRows) List(ctx context.Context, tenant string, q Query) ([]Key, error) {
	where, args := []string{"tenant = ?"}, []any{tenant}
	and := func(text string, arg any) { where, args = append(where, text), append(args, arg) }
	if q.Principal != "" {
		and("principal = ?", q.Principal)
	}
	for _, word := range q.Roles.Words() {
		and("roles like ?", "%"+word+"%") // no role's word is a part of another's
	}
	if q.After != "" {
		and("id < ?", q.After)
	}
	found, err := s.all(ctx, strings.Join(where, " and ")+" order by id desc limit ?", append(args, q.Most()))
	keys := make([]Key, len(found))
	for i := range found {
		keys[i] = found[i].Key
	}
	return keys, err
}

func (s *sqlRows) all(ctx context.Context, where string, args []any) (found []kept, err error) {
	err = s.db.Query(ctx, selectKeys+where, args, func(scan func(...any) error) error {
		k, err := scanKey(scan)
		found = append(found, k)
		return err
	})
	return found, err
}

func scanKey(scan func(...any) error) (k kept, err error) {
	var hash []byte
	var groups, agents, roles, ceiling string
	err = scan(&k.Tenant, &k.ID, &hash, &k.Principal, &groups, &agents, &roles, &ceiling, &k.Note, &k.Maker, &k.Created, &k.Expires, &k.Revoked, &k.Used)
	if err != nil {
		return k, err
	}
	if len(hash) != len(k.hash) || json.Unmarshal([]byte(groups), &k.Groups) != nil || json.Unmarshal([]byte(agents), &k.Agents) != nil {
		return k, fault.Wrap(fmt.Errorf("the key %s of %s", k.ID, k.Tenant), fault.BadJournal, "An API key could not be read.")
	}
	copy(k.hash[:], hash)
	k.Roles, k.Ceiling = readRoles(roles), policy.ReadMode(ceiling)
	return k, nil
}

func (s *sqlRows) Revoke(ctx context.Context, tenant, id string, at int64) error {
	n, err := s.db.Exec(ctx, "update api_keys set revoked = ? where tenant = ? and id = ? and revoked = 0", at, tenant, id)
	if err != nil || n > 0 {
		return err
	}
	_, err = s.Find(ctx, tenant, id) // revoked before, or not there
	return err
}

func (s *sqlRows) Used(ctx context.Context, tenant, id string, at int64) error {
	_, err := s.db.Exec(ctx, "update api_keys set used = ? where tenant = ? and id = ? and used <= ?", at, tenant, id, at-UsedEvery.Milliseconds())
	return err
}
