package policy

import (
	"encoding/json"
	"time"
)

// Verdict is what happens to a call. The zero value is Hidden.
type Verdict uint8

// The verdicts.
const (
	Hidden   Verdict = iota // not offered, and refused if it is called anyway
	Deny                    // refused by a rule
	AskFirst                // a person is asked first
	Run                     // runs without a question
)

// Category says which kind of reason refused a call (SPEC D4). It is empty for
// calls that run or ask.
type Category string

// The categories that a decision can carry.
const (
	ByMode       Category = "mode"
	ByContract   Category = "contract"
	ByQuarantine Category = "quarantine"
	ByRule       Category = "rule"
	BySource     Category = "source"
	ByDenial     Category = "denied_before"
	ByPolicy     Category = "policy"
	NoSuchTool   Category = "no_such_tool"
)

// Basis says what made a decision, in the order of SPEC D1.
type Basis uint8

// The bases of a decision.
const (
	BasisHeld    Basis = iota + 1 // (1) held back
	BasisDeny                     // (2) a deny rule
	BasisMode                     // (3) hidden by the effective mode
	BasisDenied                   // P10: an identical call was denied before
	BasisAskEach                  // (4) a rule that asks each call
	BasisGrant                    // (5) a person's grant
	BasisAllow                    // (5) an administrator's standing grant, an allow rule
	BasisAskRule                  // (6) a rule that asks
	BasisConfirm                  // (6) the tool's own predicate (SPEC T4)
	BasisTable                    // (6) the class and mode table
)

// SourceKind says who provides a tool (SPEC 1).
type SourceKind string

// The kinds of source.
const (
	Host     SourceKind = "host"      // code in the application
	LocalMCP SourceKind = "local-mcp" // a process that the application starts
	Server   SourceKind = "server"    // an MCP server that administrators registered
)

// Hold is why a tool is held back before any rule is looked at (SPEC D1 step 1).
// The empty Hold holds nothing. The contract's own hold is found by Decide.
type Hold string

// The holds that a caller reports.
const (
	HoldQuarantine Hold = "quarantine" // a new tool that waits for an administrator
	HoldChanged    Hold = "changed"    // its descriptor is not the accepted one
	HoldSource     Hold = "source"     // its source is down or gone
	HoldStopped    Hold = "stopped"    // an emergency stop
	HoldSchema     Hold = "schema"     // its schema cannot be understood (SPEC A3)
)

// Tool is what a decision knows of a tool.
type Tool struct {
	Kind   SourceKind
	Source string // the source's name; "" for the application itself
	Name   string // the raw name
	Pin    string // the descriptor's digest
	Class  Class  // declared by the application or by an administrator; local MCP tools count as Unknown whatever is here (SPEC C3)
	Hold   Hold
}

// Condition is a rule's or a grant's condition on a call's arguments (SPEC D5b).
// Package schema compiles it from a JSON Schema; this package only asks it.
type Condition interface {
	// Match looks at canonical argument bytes. known is false where it cannot be
	// determined: an absent property, another type, or args is nil (offer time).
	Match(args []byte) (match, known bool)
}

// Scope is how far a person's grant reaches (SPEC P3), from narrow to wide.
type Scope uint8

// The scopes. The zero value remembers nothing.
const (
	ScopeOnce    Scope = iota // this call only: no grant
	ScopeExact                // the same arguments, in this session
	ScopePattern              // arguments that meet a condition, in this session
	ScopeSession              // the tool, any arguments, until the session ends
	ScopeUser                 // the tool, any arguments, for this user until a date
)

// Grant is a remembered approval of a person (SPEC P3). It is bound to source,
// raw name, descriptor digest and effective class: a change of any of them ends it.
type Grant struct {
	ID      string          `json:"id"`
	Scope   Scope           `json:"scope"`
	Kind    SourceKind      `json:"kind"`
	Source  string          `json:"source,omitempty"`
	Name    string          `json:"name"`
	Pin     string          `json:"pin"`
	Class   Class           `json:"class"`
	Digest  string          `json:"digest,omitempty"`  // ScopeExact: of the canonical arguments
	When    Condition       `json:"-"`                 // ScopePattern
	Pattern json.RawMessage `json:"pattern,omitempty"` // ScopePattern: the schema that When was compiled from
	Expires time.Time       `json:"expires,omitzero"`  // zero: none; the boundary itself is expired
	By      string          `json:"by,omitempty"`
	Call    string          `json:"call,omitempty"` // the call whose approval made it
}

// Facts is everything that a decision depends on. Decide reads it and keeps nothing.
type Facts struct {
	Tool         Tool
	Agent        string
	Groups       []string // the principal's
	Mode         Mode     // the session's, already narrowed by a parent agent's
	Tainted      bool     // outside content is in the context
	Args         []byte   // canonical; nil when the list of tools is offered
	Digest       string   // of Args
	Raised       Class    // what the tool's Raise said of this call (SPEC C8); NotGiven for nothing
	Confirm      bool     // the tool's Confirm wants a question (SPEC T4)
	DeniedBefore bool     // a person denied an identical call (SPEC P10)
	Grants       []Grant  // those of the session and of the user
	Now          time.Time
}
