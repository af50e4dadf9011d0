package auth

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate"
)

// UsedEvery is how often it is noted that a key is in use.
const UsedEvery = time.Minute

// Guard says who sent a request, for the gate. It is safe for concurrent use;
// make one with [NewGuard].
type Guard struct {
	rows   Lookup
	tenant func(*http.Request) string
	now    func() time.Time
	log    *slog.Logger
	noting sync.Map // ids of keys whose use is being noted now
}

// GuardOptions configures a guard. Nil means all defaults.
type GuardOptions struct {
	// Tenant says which tenant a request is for, such as by its host name. A key of
	// another one is not known there. "" is any: then the key says it. Nil: any.
	Tenant func(r *http.Request) string
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
	// Log is told when the use of a key cannot be noted. Nil is silent.
	Log *slog.Logger
}

// NewGuard returns a guard for the keys in rows.
func NewGuard(rows Lookup, o *GuardOptions) *Guard {
	if o == nil {
		o = &GuardOptions{}
	}
	g := &Guard{rows: rows, tenant: o.Tenant, now: o.Now, log: o.Log}
	if g.tenant == nil {
		g.tenant = func(*http.Request) string { return "" }
	}
	if g.now == nil {
		g.now = time.Now
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	return g
}

// Identify reads the API key of a request, from Authorization: Bearer or from
// X-API-Key, and takes it out of the headers, so that it cannot travel on. It
// returns a context with the [Principal], and the key's id. It is made for the
// options of the gate, which slows down whoever fails.
//
// Errors: unauthenticated; otherwise what the rows answer, and then nobody is
// known either.
func (g *Guard) Identify(r *http.Request) (context.Context, string, error) {
	token, err := present(r.Header)
	if err != nil {
		return nil, "", err
	}
	key, err := g.prove(r, token)
	if err != nil {
		return nil, "", err
	}
	g.note(r.Context(), key)
	return With(r.Context(), key.principal()), key.ID, nil
}

// present takes the one key that a request shows.
func present(h http.Header) (Token, error) {
	shown := h["X-Api-Key"]
	for _, value := range h["Authorization"] {
		scheme, rest, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			rest = ""
		}
		shown = append(shown[:len(shown):len(shown)], strings.TrimSpace(rest))
	}
	h.Del("Authorization")
	h.Del("X-Api-Key")
	if len(shown) != 1 {
		return Token{}, fault.New(gate.Unauthenticated, "Send one API key, as Authorization: Bearer assent_… or as X-API-Key.")
	}
	token, err := ParseToken(shown[0])
	if err != nil {
		return Token{}, fault.Wrap(err, gate.Unauthenticated, "%s", fault.TextOf(err))
	}
	return token, nil
}

// prove finds the key of a token. All that can be wrong with it is looked at, in
// any case, and then answered in one way: so neither the text nor the time tells
// which of it was (SPEC V10).
func (g *Guard) prove(r *http.Request, token Token) (Key, error) {
	hash := token.hash()
	key, kept, err := g.rows.ByHash(r.Context(), hash)
	if fault.CodeOf(err) == fault.NotFound {
		key, kept = Key{}, Hash{} // goes the same way as a key that is not valid
	} else if err != nil {
		return Key{}, err
	}
	tenant := g.tenant(r)
	good := subtle.ConstantTimeCompare(hash[:], kept[:])
	good &= yes(tenant == "" || tenant == key.Tenant)
	good &= g.live(&key)
	if good != 1 {
		return Key{}, notValid()
	}
	return key, nil
}

// live says whether a key counts now: 1 if it does.
func (g *Guard) live(k *Key) int {
	now := g.now().UnixMilli()
	return yes(k.Tenant != "") & yes(k.Revoked == 0) & yes(k.Expires == 0 || now < k.Expires)
}

func notValid() error {
	return fault.New(gate.Unauthenticated, "The API key is not valid. Ask an administrator for one.")
}

// Again says whether the key by which p was proven still counts, for answers that
// go on for long. The error is that of a key that is not valid.
func (g *Guard) Again(ctx context.Context, p Principal) error {
	key, err := g.rows.Find(ctx, p.Tenant, p.Key)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return err
	}
	if err != nil || g.live(&key) != 1 {
		return notValid()
	}
	return nil
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// note writes that a key is in use. Who uses it does not fail for that.
func (g *Guard) note(ctx context.Context, key Key) {
	now := g.now().UnixMilli()
	if now-key.Used < UsedEvery.Milliseconds() {
		return
	}
	if _, busy := g.noting.LoadOrStore(key.ID, true); busy {
		return
	}
	defer g.noting.Delete(key.ID)
	if err := g.rows.Used(ctx, key.Tenant, key.ID, now); err != nil {
		g.log.Warn("the use of a key was not noted", "key", key.ID, "error", err)
	}
}
