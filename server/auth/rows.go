package auth

import (
	"context"
	"crypto/sha256"

	"github.com/assentdev/assent/policy"
)

// Key is what is known of an API key. Times are Unix milliseconds; zero is never.
type Key struct {
	ID        string
	Tenant    string
	Principal string
	Groups    []string
	Agents    []string // see [Principal.Agents]
	Roles     Roles
	Ceiling   policy.Mode
	Note      string // what it is for, in its maker's words
	Maker     string // the principal that made it
	Created   int64
	Expires   int64
	Revoked   int64
	Used      int64 // to the minute
}

// principal is who proves to be somebody with the key.
func (k *Key) principal() Principal {
	return Principal{Tenant: k.Tenant, Name: k.Principal, Groups: k.Groups, Roles: k.Roles, Agents: k.Agents, Ceiling: k.Ceiling, Key: k.ID}
}

// Hash is the SHA-256 of a token's text.
type Hash = [sha256.Size]byte

// Lookup is what proving needs of the rows.
type Lookup interface {
	// ByHash returns the key whose token has a hash, whatever its tenant: it is the
	// question by which a tenant becomes known. It returns the hash that is kept,
	// too. Errors: fault.NotFound.
	ByHash(ctx context.Context, h Hash) (Key, Hash, error)

	// Find returns a key. Errors: fault.NotFound.
	Find(ctx context.Context, tenant, id string) (Key, error)

	// Used notes when a key was used, unless that was noted less than [UsedEvery]
	// before. A key that is not there is no error.
	Used(ctx context.Context, tenant, id string, at int64) error
}

// Rows keeps keys. It is safe for concurrent use. What was answered is durable.
// A key of another tenant is not found. authtest has the suite that every Rows
// must pass.
type Rows interface {
	Lookup

	// Insert adds a key. An id or a hash that is there already is fault.Conflict.
	Insert(ctx context.Context, k Key, h Hash) error

	// InsertFirst adds a key unless its tenant has a key with the role of an
	// administrator, or had one that was revoked or expired since; made says whether
	// it did. Of many at the same time one is made.
	InsertFirst(ctx context.Context, k Key, h Hash) (made bool, err error)

	// List returns keys of a tenant, the newest first.
	List(ctx context.Context, tenant string, q Query) ([]Key, error)

	// Revoke ends a key. The first time stays. Errors: fault.NotFound.
	Revoke(ctx context.Context, tenant, id string, at int64) error
}

// Query says which keys a list has. The zero Query is the newest 50 of a tenant.
type Query struct {
	Principal string // "" is everybody
	Roles     Roles  // keys that have all of them; none is any
	After     string // the id of the last key of the page before; "" begins
	Limit     int    // default 50, at most 500
}

// Most returns the limit within its bounds.
func (q Query) Most() int {
	if q.Limit <= 0 {
		return 50
	}
	return min(q.Limit, 500)
}
