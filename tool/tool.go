// Package tool says what a tool is: its description, its class, and the way to
// run it.
package tool

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/assentdev/assent/policy"
)

// Source says who provides a tool.
type Source struct {
	Kind policy.SourceKind `json:"kind"`
	// Name tells sources of one kind apart; "" is the application itself.
	Name string `json:"name,omitempty"`
}

// Checking says how far arguments are checked (SPEC A3).
type Checking uint8

// The depths.
const (
	Deep     Checking = iota // the whole schema, in depth
	TopLevel                 // the seed's: required, types, enum and additionalProperties of the root only
)

// Tool is one tool, ready to be offered. Its fields are not changed after it
// was given to an agent.
type Tool struct {
	Name        string // the raw name; policy and grants use it
	Title       string // may hold {argument} places (SPEC T4)
	Description string
	Source      Source
	Class       policy.Class    // NotGiven where the application did not say
	Input       json.RawMessage // JSON Schema of the arguments
	Output      json.RawMessage // JSON Schema of the result; nil for none
	Hints       json.RawMessage // a foreign source's claims, shown and never used to decide (SPEC C3)
	Examples    []json.RawMessage
	Checking    Checking
	Timeout     time.Duration // zero: without limit
	// Outside says that results carry content from outside the application, so
	// that a session is tainted afterwards (SPEC D5).
	Outside bool

	// Accept checks canonical argument bytes beyond the schema, before anybody is
	// asked; its error is an invalid call's (SPEC A1). Nil: none.
	Accept func(args []byte) error
	// Remote says that calls run on a device, which claims them from an engine and
	// sends what came of them (SPEC S8). Run and Undo are not used then.
	Remote bool
	// Run performs the call with canonical argument bytes. Nil only where Remote is set.
	Run func(ctx context.Context, args []byte) (Result, error)
	// Preview says what would change. It has no side effects. Nil: none. An error
	// is shown in its place, beside the names that come with it.
	Preview func(ctx context.Context, args []byte) (*Preview, error)
	// Raise may return a stricter class for one call (SPEC C8). Nil: none.
	Raise func(ctx context.Context, args []byte) (policy.Class, error)
	// Confirm may ask for a question where none would be asked (SPEC T4). Nil: none.
	Confirm func(ctx context.Context, args []byte) (bool, error)
	// Undo takes a run back. args are the undo arguments that Run returned; it
	// checks their precondition itself and returns an error with code
	// fault.CannotUndo if the thing changed since. Nil: none.
	Undo func(ctx context.Context, args []byte) (Result, error)

	// Err is what is wrong with the definition. An agent that is given such a
	// tool refuses to start and says so.
	Err error
}

// Result is what a run gave.
type Result struct {
	// Text goes to the model.
	Text string
	// Structured is the result as JSON for programs and user interfaces, of at most
	// 1 MiB; the model gets Text. It is kept in canonical form. What cannot be kept
	// is left out, and the agent logs why. Nil: none.
	Structured json.RawMessage
	// Undo, if not nil, are the arguments that Tool.Undo takes to take this run back.
	Undo json.RawMessage
}

// Preview says what a call would change. It is shown on the approval card.
type Preview struct {
	Summary string   `json:"summary,omitempty"`
	Changes []Change `json:"changes,omitempty"`
	// Names are what ids in the arguments stand for (SPEC R8). The card shows them
	// beside the values, also where nothing else of the preview is known.
	Names []Named `json:"names,omitempty"`
}

// Named says what an id in the arguments stands for.
type Named struct {
	// Pointer is the JSON Pointer of the id, such as /customer. One that leads to
	// no argument is ignored; of two for one place the first counts.
	Pointer string `json:"pointer"`
	Label   string `json:"label"` // the application's name for it
}

// Change is one row of a preview. An empty Before is new, an empty After is removed.
type Change struct {
	Label  string `json:"label"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Call describes the call that is running (SPEC T3). A tool's functions get it
// with FromContext; the context itself carries the cancellation of the turn.
type Call struct {
	ID      string // ours, unique (SPEC S2): also the idempotency key
	Turn    string
	Session string
	Agent   string
	// Principal is the user of the session, and Groups the user's groups: the
	// call's own copy. "" and empty for none.
	Principal string
	Groups    []string
	Tool      string
	Class     policy.Class // the effective class, raised where it was
	Mode      policy.Mode
	Attempt   int // 1 for the first run
	Approved  Approval
	Log       *slog.Logger
	Progress  func(text string) // shows how far it is; never nil, safe for concurrent use
}

// Approval says who approved a call, and how.
type Approval struct {
	ID  string // the approval's id; "" where nobody was asked
	By  string
	Via string // the channel, or "grant"
}

type callKey struct{}

// WithCall returns a context that carries c.
func WithCall(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// FromContext returns the call that ctx belongs to. Outside of a call it
// returns an empty one whose Log is silent and whose Progress does nothing.
func FromContext(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{Log: slog.New(slog.DiscardHandler), Progress: func(string) {}}
}
