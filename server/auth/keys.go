package auth

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// Keys makes, lists and revokes API keys. Every method says who asks, checks that
// they may, and records it, because nobody can then call around that. It is safe
// for concurrent use; make one with [NewKeys].
type Keys struct {
	rows   Rows
	now    func() time.Time
	record func(context.Context, Event) error
}

// Options configures Keys. Nil means all defaults.
type Options struct {
	// Record is told of every change before it is made, and an error of it stops
	// the change. Nil records nothing.
	Record func(ctx context.Context, e Event) error
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
}

// Event is a change of keys, for the log of administration.
type Event struct {
	Type string    // key.created or key.revoked
	By   Principal // who did it
	Key  Key       // as it will be
}

// NewKeys returns the keys that are kept in rows.
func NewKeys(rows Rows, o *Options) *Keys {
	if o == nil {
		o = &Options{}
	}
	k := &Keys{rows: rows, now: o.Now, record: o.Record}
	if k.now == nil {
		k.now = time.Now
	}
	if k.record == nil {
		k.record = func(context.Context, Event) error { return nil }
	}
	return k
}

// Draft is a key that is to be made. It belongs to the tenant of its maker.
type Draft struct {
	Principal string
	Groups    []string
	Agents    []string // none is none; [AllAgents] is all
	Roles     Roles
	Ceiling   policy.Mode // the zero mode is off: nothing runs with it
	Note      string
	Expires   time.Time // the zero time is never
}

const (
	maxList = 100
	maxNote = 200
)

// Create makes a key. Only an administrator may. The token is returned this once.
//
// Errors: fault.NotAllowed; fault.BadConfig, the draft is not well formed.
func (k *Keys) Create(ctx context.Context, by Principal, d Draft) (Key, Token, error) {
	if !by.Is(Administrator) {
		return Key{}, Token{}, fault.New(fault.NotAllowed, "Only an administrator makes API keys.")
	}
	key, token, err := k.draw(by, d)
	if err != nil {
		return Key{}, Token{}, err
	}
	if err := k.record(ctx, Event{"key.created", by, key}); err != nil {
		return Key{}, Token{}, err
	}
	if err := k.rows.Insert(ctx, key, token.hash()); err != nil {
		return Key{}, Token{}, err
	}
	return key, token, nil
}

// draw makes a key of a draft, and keeps neither.
func (k *Keys) draw(by Principal, d Draft) (Key, Token, error) {
	now := k.now()
	if err := d.check(now); err != nil {
		return Key{}, Token{}, err
	}
	token := newToken(now)
	key := Key{
		ID: token.ID(), Tenant: by.Tenant, Principal: d.Principal, Groups: slices.Clone(d.Groups), Agents: slices.Clone(d.Agents),
		Roles: d.Roles, Ceiling: d.Ceiling, Note: d.Note, Maker: by.Name, Created: now.UnixMilli(),
	}
	if !d.Expires.IsZero() {
		key.Expires = d.Expires.UnixMilli()
	}
	return key, token, nil
}

func (d *Draft) check(now time.Time) error {
	for _, name := range slices.Concat([]string{d.Principal}, d.Groups, d.Agents) {
		if err := audit.CheckName(name); err != nil {
			return fault.Wrap(err, fault.BadConfig, "%q is no name of a principal, a group or an agent: use visible ASCII characters", name)
		}
	}
	switch {
	case len(d.Groups) > maxList || len(d.Agents) > maxList:
		return fault.New(fault.BadConfig, "A key has at most %d groups and %d agents.", maxList, maxList)
	case d.Roles == 0 || d.Roles.known() != d.Roles:
		return fault.New(fault.BadConfig, "A key has at least one of the roles user, approver, auditor and administrator.")
	case len(d.Note) > maxNote || !utf8.ValidString(d.Note) || strings.Contains(d.Note, "\x00"):
		return fault.New(fault.BadConfig, "A note has at most %d bytes of text.", maxNote)
	case !d.Expires.IsZero() && !d.Expires.After(now):
		return fault.New(fault.BadConfig, "The key would have expired already.")
	}
	return nil
}

// Find returns a key of one's own, or for an administrator any one of the tenant.
// Errors: fault.NotFound, also for what is not one's own.
func (k *Keys) Find(ctx context.Context, by Principal, id string) (Key, error) {
	key, err := k.rows.Find(ctx, by.Tenant, id)
	if err == nil && !sees(by, key) {
		err = notFound(id)
	}
	if err != nil {
		return Key{}, err
	}
	return key, nil
}

func sees(by Principal, k Key) bool {
	return by.Tenant != "" && k.Tenant == by.Tenant && (by.Is(Administrator) || k.Principal == by.Name)
}

func notFound(id string) error {
	return fault.New(fault.NotFound, "There is no API key %q.", clip(id))
}

func clip(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// List returns one's own keys, or for an administrator those of the tenant.
func (k *Keys) List(ctx context.Context, by Principal, q Query) ([]Key, error) {
	switch {
	case by.Tenant == "" || by.Name == "":
		return nil, nil
	case !by.Is(Administrator) && q.Principal != "" && q.Principal != by.Name:
		return nil, nil
	case !by.Is(Administrator):
		q.Principal = by.Name
	}
	return k.rows.List(ctx, by.Tenant, q)
}

// Revoke ends a key of one's own, or for an administrator any one of the tenant.
// It counts from the next request on. Revoking again changes nothing. Errors:
// fault.NotFound, also for what is not one's own.
func (k *Keys) Revoke(ctx context.Context, by Principal, id string) error {
	key, err := k.Find(ctx, by, id)
	if err != nil || key.Revoked != 0 {
		return err
	}
	key.Revoked = k.now().UnixMilli()
	if err := k.record(ctx, Event{"key.revoked", by, key}); err != nil {
		return err
	}
	return k.rows.Revoke(ctx, by.Tenant, id, key.Revoked)
}

// First makes the first administrator's key of a tenant that never had one. The
// token is to be shown to whoever starts the server, this once. It is the zero
// Token where there was a key already.
func (k *Keys) First(ctx context.Context, tenant string) (Token, error) {
	if err := audit.CheckName(tenant); err != nil {
		return Token{}, err
	}
	there, err := k.rows.List(ctx, tenant, Query{Roles: Administrator, Limit: 1})
	if err != nil || len(there) > 0 {
		return Token{}, err
	}
	by := Operator(tenant)
	key, token, err := k.draw(by, Draft{Principal: "administrator", Roles: Administrator, Note: "made at the first start"})
	if err != nil {
		return Token{}, err
	}
	if err := k.record(ctx, Event{"key.created", by, key}); err != nil {
		return Token{}, err
	}
	if made, err := k.rows.InsertFirst(ctx, key, token.hash()); err != nil || !made {
		return Token{}, err
	}
	return token, nil
}
