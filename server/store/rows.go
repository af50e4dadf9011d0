package store

import (
	"context"
	"strings"
	"time"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// Projections are the questions that people and programs ask about sessions.
// Lists are bounded: see the Limit of each query. A session, approval, call or
// grant of which the log no longer says what it was, because its payload was
// erased, is not there.
type Projections interface {
	// Session returns one session, or fault.NotFound.
	Session(ctx context.Context, tenant, id string) (Session, error)
	// Sessions returns sessions, the last changed first.
	Sessions(ctx context.Context, tenant string, q SessionQuery) ([]Session, error)
	// Approval returns one open approval, or fault.NotFound.
	Approval(ctx context.Context, tenant, id string) (Approval, error)
	// Approvals returns open approvals, the newest first.
	Approvals(ctx context.Context, tenant string, q ApprovalQuery) ([]Approval, error)
	// Calls returns the calls of a session, the last changed first.
	Calls(ctx context.Context, tenant, session string, limit int) ([]Call, error)
	// Grants returns grants, the newest first. Those that expired are among them.
	Grants(ctx context.Context, tenant string, q GrantQuery) ([]Grant, error)
	// Orphans returns sessions of all tenants that have a turn open, with what it
	// asks, and whose owner is no live member: they wait to be taken.
	Orphans(ctx context.Context, limit int) ([]Session, error)
	// Due returns open approvals of all tenants that expire before t, the first to
	// expire first.
	Due(ctx context.Context, t time.Time, limit int) ([]Approval, error)
}

// The limits of lists.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// Limit returns how many rows a query that asks for n gets.
func Limit(n int) int {
	if n <= 0 {
		return DefaultLimit
	}
	return min(n, MaxLimit)
}

// Session is what a list shows of a session. Times are Unix milliseconds.
type Session struct {
	Tenant    string
	ID        string
	Agent     string
	Principal string
	Mode      policy.Mode
	Owner     string // as session.owned names it
	Member    string // MemberOf(Owner)
	Epoch     uint64
	Turn      string // the open turn; "": none
	Started   int64
	// Updated is when it last changed: a turn began or ended, something was asked
	// or answered, its mode or its owner changed.
	Updated int64
}

// Approval is an open question.
type Approval struct {
	Tenant    string
	ID        string
	Session   string
	Agent     string
	Principal string // whose session it is
	Call      string
	Tool      string // its raw name
	Class     policy.Class
	Question  turn.Question
	Asked     int64
	Expires   int64 // 0: it does not
}

// Call is a call that was asked, started or ended.
type Call struct {
	Tenant  string
	ID      string
	Session string
	Turn    string
	Tool    string // its raw name; "" for one that was refused before it was looked up
	Class   policy.Class
	State   CallState
	At      int64 // when it came into this state
}

// CallState is CallAsked, CallStarted, CallInDoubt, or how the call ended: the
// word of a turn.Outcome.
type CallState string

// The states before the end.
const (
	CallAsked   CallState = "asked"
	CallStarted CallState = "started"
	CallInDoubt CallState = "in_doubt" // started by an owner that is gone; a person is asked (SPEC S2)
)

// Grant is a remembered approval that was not revoked.
type Grant struct {
	Tenant    string
	ID        string
	Session   string // "": it holds in every session of the principal
	Principal string
	Scope     policy.Scope
	Kind      policy.SourceKind
	Source    string
	Tool      string // its raw name
	Class     policy.Class
	Call      string // whose approval made it
	By        string
	At        int64
	Expires   int64 // 0: with the session
}

// Cursor is a place in a list: what comes behind it. The zero Cursor is the
// list's beginning.
type Cursor struct {
	At int64
	ID string
}

// SessionQuery chooses sessions. Empty fields choose all.
type SessionQuery struct {
	Principal string
	Agent     string
	Open      bool // only those with an open turn
	After     Cursor
	Limit     int // 0: DefaultLimit
}

// Cursor returns the place of s in a list.
func (s Session) Cursor() Cursor { return Cursor{s.Updated, s.ID} }

// ApprovalQuery chooses open approvals. Empty fields choose all.
type ApprovalQuery struct {
	Session string
	Agent   string
	After   Cursor
	Limit   int // 0: DefaultLimit
}

// Cursor returns the place of a in a list.
func (a Approval) Cursor() Cursor { return Cursor{a.Asked, a.ID} }

// GrantQuery chooses grants. Empty fields choose all.
type GrantQuery struct {
	Session   string
	Principal string
	After     Cursor
	Limit     int // 0: DefaultLimit
}

// Cursor returns the place of g in a list.
func (g Grant) Cursor() Cursor { return Cursor{g.At, g.ID} }

// MemberOf returns the member that an owner belongs to: an engine names itself
// "MEMBER/RANDOM" in the log where engine.Options.Owner is MEMBER.
func MemberOf(owner string) string {
	if i := strings.LastIndexByte(owner, '/'); i >= 0 {
		return owner[:i]
	}
	return owner
}
