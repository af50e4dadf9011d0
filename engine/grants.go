package engine

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// Grants for a user hold in all of the user's sessions until a date (SPEC P3).
// They have a stream of their own, so that revoking one ends it everywhere.
const (
	grantMade    = "grant.made"
	grantRevoked = "grant.revoked"
)

// book is what a user's stream adds up to.
type book struct {
	seq    uint64
	grants []policy.Grant
	known  map[string]bool // every grant there ever was
}

func userStream(principal string) string {
	return "user/" + base64.RawURLEncoding.EncodeToString([]byte(principal))
}

// UserGrants returns the grants of a user that hold in every session. Those
// that have expired are among them until they are revoked. A principal without
// a name has none.
func (e *Engine) UserGrants(principal string) ([]policy.Grant, error) {
	if principal == "" {
		return nil, nil
	}
	e.booksMu.Lock()
	defer e.booksMu.Unlock()
	b, err := e.book(principal)
	if err != nil {
		return nil, err
	}
	return b.grants, nil // never changed in place
}

// book returns a user's book, reading it once. The books are locked.
func (e *Engine) book(principal string) (*book, error) {
	if b := e.books[principal]; b != nil {
		return b, nil
	}
	b := &book{known: map[string]bool{}}
	for r, err := range e.o.Journal.Read(context.Background(), userStream(principal), 0) {
		if err != nil {
			return nil, err
		}
		if err := b.apply(r); err != nil {
			return nil, err
		}
	}
	e.books[principal] = b
	return b, nil
}

func (b *book) apply(r audit.Record) error {
	b.seq = r.Seq
	if r.State != audit.Whole {
		return nil // erased: it grants nothing
	}
	var g policy.Grant
	if err := json.Unmarshal(r.Payload, &g); err != nil {
		return fault.Wrap(err, fault.BadJournal, "record %d of a user's grants is not readable", r.Seq)
	}
	switch r.Type {
	case grantMade:
		b.known[g.ID] = true
		b.grants = append(slices.Clip(b.grants), g)
	case grantRevoked:
		b.grants = slices.DeleteFunc(slices.Clone(b.grants), func(o policy.Grant) bool { return o.ID == g.ID })
	default:
		return fault.New(fault.BadJournal, "record %d of a user's grants has the unknown type %q", r.Seq, r.Type)
	}
	return nil
}

// keep writes a grant for a user, unless the book has it already. The approval
// that made it is in the session's log; a crash in between is made good when
// the session is read again.
func (e *Engine) keep(principal string, g policy.Grant) error {
	e.booksMu.Lock()
	defer e.booksMu.Unlock()
	b, err := e.book(principal)
	if err != nil || b.known[g.ID] {
		return err
	}
	return e.enter(principal, b, grantMade, g)
}

// RevokeUserGrant ends a user's grant in all sessions, at once. An unknown one
// is fault.NotFound.
func (e *Engine) RevokeUserGrant(principal, id, by string) error {
	e.booksMu.Lock()
	defer e.booksMu.Unlock()
	b, err := e.book(principal)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(b.grants, func(g policy.Grant) bool { return g.ID == id }) {
		return fault.New(fault.NotFound, "there is no grant %s", id)
	}
	return e.enter(principal, b, grantRevoked, policy.Grant{ID: id, By: by})
}

func (e *Engine) enter(principal string, b *book, kind string, g policy.Grant) error {
	payload, err := json.Marshal(g)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "a grant cannot be written as JSON")
	}
	header, err := json.Marshal(map[string]string{"grant": g.ID})
	if err != nil {
		return err
	}
	d := audit.Draft{Type: kind, Version: 1, Time: time.Now(), Header: header, Payload: payload}
	records, err := e.o.Journal.Append(context.Background(), userStream(principal), b.seq, []audit.Draft{d})
	if err != nil {
		delete(e.books, principal) // read again: another writer may have been first
		return err
	}
	return b.apply(records[0])
}
