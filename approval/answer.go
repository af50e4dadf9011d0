package approval

import (
	"time"

	"github.com/assentdev/assent/policy"
)

// Answer is what a person decided. The zero value is a denial. It carries a
// decision and never a call (SPEC P6).
//
// Make one with Approve, ApproveForSession, ApproveExact, ApproveWith, Deny, Edit
// or Became, or write the struct: Validate says whether its fields fit together.
type Answer struct {
	Approved bool `json:"approved"`
	// ForSession extends the answer to the tool until the session ends: an
	// approval becomes a grant of policy.ScopeSession, a denial a denial of the
	// tool for the session.
	ForSession bool `json:"for_session,omitempty"`
	// Reason goes with a denial to the model. With an approval it is a note for
	// the log.
	Reason string `json:"reason,omitempty"`

	// Scope is how far an approval is remembered. The zero value remembers
	// nothing, unless ForSession is set.
	Scope policy.Scope `json:"scope,omitzero"`
	// Until ends a grant. Zero: the session's end. ScopeUser needs it.
	Until time.Time `json:"until,omitzero"`
	// Pattern is the schema that later arguments must satisfy: ScopePattern only.
	Pattern Exact `json:"pattern,omitempty"`

	// Became answers a request whose Lost is set, with one of LostChoices.
	Became Choice `json:"became,omitempty"`

	// Args are changed arguments (SPEC P8). An edit approves nothing by itself:
	// the changed call is checked and decided again.
	Args Exact `json:"args,omitempty"`
}

// Approve says yes to this call.
func Approve() Answer { return Answer{Approved: true} }

// ApproveForSession says yes to this call, and to this tool with any arguments
// until the session ends (SPEC P3).
func ApproveForSession() Answer { return Answer{Approved: true, ForSession: true} }

// ApproveExact says yes to this call, and to the same arguments again in this session.
func ApproveExact() Answer { return ApproveWith(policy.ScopeExact, time.Time{}) }

// ApproveWith says yes to this call and remembers it as far as scope reaches,
// until the given time; the zero time is the session's end.
func ApproveWith(scope policy.Scope, until time.Time) Answer {
	return Answer{Approved: true, Scope: scope, Until: until}
}

// Deny says no. The reason, which may be empty, is told to the model.
func Deny(reason string) Answer { return Answer{Reason: reason} }

// Became says what became of a call whose outcome nobody knows: one of
// LostChoices (SPEC S2).
func Became(c Choice) Answer { return Answer{Became: c} }

// Edit asks to decide the call again with other arguments, given as JSON text.
// They are checked, decided and digested again. Where the new decision asks no
// more strictly than the card that was shown, whoever edited has answered it;
// otherwise it is a new question (SPEC P8).
func Edit(args []byte) Answer { return Answer{Args: args} }

// Remembers returns the scope of the grant that an approval asks for:
// policy.ScopeOnce for none, and for every answer that approves nothing.
func (a Answer) Remembers() policy.Scope {
	switch {
	case a.State() != Approved:
		return policy.ScopeOnce
	case a.ForSession:
		return policy.ScopeSession
	}
	return a.Scope
}

// State returns the state that the answer leads to: Approved, Denied or Edited.
func (a Answer) State() State {
	switch {
	case a.Args != nil:
		return Edited
	case a.Approved, a.Became != "":
		return Approved
	}
	return Denied
}

// Decided says who answered, how and when. It travels beside an answer, because
// it comes from the channel that knows the person and not from the answer itself.
type Decided struct {
	By  string    `json:"by,omitempty"`  // "" where the channel knows nobody
	Via string    `json:"via,omitempty"` // panel, console, terminal, elicitation, webhook, handler, none...
	At  time.Time `json:"at,omitzero"`
}
