package turn

import (
	"encoding/json"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// Type names a kind of event. The words are part of the log's format: they are
// never reused and never change their meaning.
type Type string

// Event is one entry of a session's log.
type Event struct {
	At   int64 // Unix milliseconds
	Refs Refs
	Body Body
}

// Refs are the references of an event: what stays readable after a person's
// data was erased. They hold identifiers and words, never arguments or texts.
type Refs struct {
	Turn     string `json:"turn,omitempty"`
	Call     string `json:"call,omitempty"`
	Approval string `json:"approval,omitempty"`
	Tool     string `json:"tool,omitempty"` // the raw name
	Class    string `json:"class,omitempty"`
	State    string `json:"state,omitempty"` // of an approval, the outcome of a call, the end of a turn
}

// Body is what an event says. Its JSON form is the event's payload.
type Body interface {
	Type() Type
}

// SessionStarted opens a log: who acts, with which agent.
type SessionStarted struct {
	Session   string      `json:"session"`
	Agent     string      `json:"agent"`
	Principal string      `json:"principal,omitempty"`
	Groups    []string    `json:"groups,omitempty"`
	Mode      policy.Mode `json:"mode"`
}

// SessionOwned says that a driver took the session. A higher epoch fences every
// owner before it (SPEC S2).
type SessionOwned struct {
	Owner string `json:"owner"`
	Epoch uint64 `json:"epoch"`
}

// ModeSet is the user's choice of a mode (SPEC C6).
type ModeSet struct {
	Mode policy.Mode `json:"mode"`
	By   string      `json:"by,omitempty"`
}

// TurnKind says how a turn began.
type TurnKind string

// The kinds of turn.
const (
	ByMessage TurnKind = "message" // a user's message
	ByRetry   TurnKind = "retry"   // the model is asked again, without a new message
	ByCall    TurnKind = "call"    // one call, without a model (SPEC S9)
	ByUndo    TurnKind = "undo"    // one call that takes an earlier one back (SPEC T4)
)

// TurnStarted begins a turn and takes its snapshot (SPEC C6).
type TurnStarted struct {
	Kind   TurnKind    `json:"kind"`
	Text   string      `json:"text,omitempty"`
	Mode   policy.Mode `json:"mode"`             // the session's
	Policy string      `json:"policy,omitempty"` // its version
	Undoes string      `json:"undoes,omitempty"` // ByUndo: the call that is taken back
}

// Offer is one tool of the list that a session offers.
type Offer struct {
	Wire    string            `json:"wire"`
	Kind    policy.SourceKind `json:"kind"`
	Source  string            `json:"source,omitempty"`
	Name    string            `json:"name"`
	Pin     string            `json:"pin"`
	Class   policy.Class      `json:"class"`
	Verdict policy.Verdict    `json:"verdict"`
}

// ToolsOffered is the list that the model sees from here on (SPEC D3). It is
// recorded when it differs from the one before.
type ToolsOffered struct {
	Tools []Offer `json:"tools"`
}

// NewCall is a call of a model's message under our own id (SPEC S2).
type NewCall struct {
	ID       string  `json:"id"`
	Provider string  `json:"provider,omitempty"` // the provider's id
	Wire     string  `json:"wire"`
	Args     RawText `json:"args"` // as the model wrote them
}

// ModelAnswered is a whole message of the model, kept verbatim (SPEC S3).
type ModelAnswered struct {
	Step     int             `json:"step"`
	Text     string          `json:"text,omitempty"`
	Calls    []NewCall       `json:"calls,omitempty"`
	Raw      json.RawMessage `json:"raw,omitempty"`
	Finish   model.Finish    `json:"finish"`
	Usage    model.Usage     `json:"usage,omitzero"`
	Model    string          `json:"model,omitempty"`
	Attempts int             `json:"attempts,omitempty"`
}

// Decided is the decision of a call: what is stored is what the card, the model,
// the audit and the console show (SPEC D2).
type Decided struct {
	Wire     string            `json:"wire"`
	Kind     policy.SourceKind `json:"kind"`
	Source   string            `json:"source,omitempty"`
	Name     string            `json:"name"`
	Pin      string            `json:"pin"`
	Declared policy.Class      `json:"declared,omitempty"`
	Listed   policy.Class      `json:"listed,omitempty"` // by the contract
	policy.Decision
	Reason  string          `json:"reason"` // the decision in words
	Args    json.RawMessage `json:"args"`   // canonical
	Digest  string          `json:"digest"`
	Filled  []string        `json:"filled,omitempty"`
	Extra   []string        `json:"extra,omitempty"`
	Raised  policy.Class    `json:"raised,omitempty"`
	Confirm bool            `json:"confirm,omitempty"`
	Title   string          `json:"title,omitempty"`
	Preview *tool.Preview   `json:"preview,omitempty"`
	NoView  string          `json:"no_preview,omitempty"` // why a preview could not be had
}

// Question says what an approval asks.
type Question string

// The questions.
const (
	MayRun     Question = "may_run"     // may this call run?
	WhatBecame Question = "what_became" // its outcome is unknown: what now? (SPEC S2)
)

// Asked opens an approval (SPEC P5).
type Asked struct {
	Question Question     `json:"question"`
	Digest   string       `json:"digest"`
	Pin      string       `json:"pin"`
	Class    policy.Class `json:"class"`
	Expires  int64        `json:"expires,omitempty"` // Unix milliseconds; 0: none
	Cap      policy.Scope `json:"cap"`
	Similar  string       `json:"similar,omitempty"` // a call of this tool that was denied before
}

// ApprovalClosed ends an approval, or withdraws an approved one that was not
// consumed yet.
type ApprovalClosed struct {
	State  approval.State  `json:"state"`
	By     string          `json:"by,omitempty"`
	Via    string          `json:"via,omitempty"`
	Reason string          `json:"reason,omitempty"`
	Sticky bool            `json:"sticky,omitempty"` // denied until the session ends
	Grant  *policy.Grant   `json:"grant,omitempty"`  // Approved: what it leaves behind
	Covers string          `json:"covers,omitempty"` // Covered: the grant that did
	Args   json.RawMessage `json:"args,omitempty"`   // approval.Edited: canonical
	Digest string          `json:"digest,omitempty"` // approval.Edited
	Filled []string        `json:"filled,omitempty"`
	Extra  []string        `json:"extra,omitempty"`
	Choice Choice          `json:"choice,omitempty"` // the answer to WhatBecame
}

// Choice is a person's word on a call whose outcome is unknown (SPEC S2).
type Choice string

// The choices.
const (
	Happened Choice = "happened"  // it had its effect
	RunAgain Choice = "run_again" // run it once more
	GiveUp   Choice = "give_up"   // leave it
)

// AnswerIgnored is a late, second, foreign or replayed answer (SPEC P5).
type AnswerIgnored struct {
	By  string `json:"by,omitempty"`
	Via string `json:"via,omitempty"`
	Why string `json:"why"`
}

// GrantRevoked ends a grant before its time.
type GrantRevoked struct {
	Grant string `json:"grant"`
	By    string `json:"by,omitempty"`
}

// CallStarted is the claim (SPEC P5): the intent that is committed before the
// effect. It is written at most once for an attempt.
type CallStarted struct {
	Epoch   uint64 `json:"epoch"`
	Attempt int    `json:"attempt"`
	Digest  string `json:"digest"`
	By      string `json:"by,omitempty"`     // who approved
	Via     string `json:"via,omitempty"`    // how
	Device  string `json:"device,omitempty"` // where it runs; "": at its owner (SPEC S8)
}

// Outcome says how a call ended. The kinds stay apart (SPEC P9).
type Outcome string

// The outcomes.
const (
	OK           Outcome = "ok"
	Failed       Outcome = "error"
	Invalid      Outcome = "invalid"
	Denied       Outcome = "denied"
	Expired      Outcome = "expired"
	Cancelled    Outcome = "cancelled"
	Superseded   Outcome = "superseded"
	Undecided    Outcome = "undecided"
	NotAllowed   Outcome = "not_allowed"
	UnknownState Outcome = "unknown" // nobody knows whether it had its effect
)

// CallEnded gives a call its one result.
type CallEnded struct {
	Outcome  Outcome         `json:"outcome"`
	Category policy.Category `json:"category,omitempty"`
	Text     string          `json:"text"`            // for the model, whole
	Shown    int             `json:"shown,omitempty"` // bytes of Text that the model sees; 0: all (SPEC S10)
	// Structured is the result for programs, as canonical JSON; nil for none. The
	// model never sees it.
	Structured json.RawMessage `json:"structured,omitempty"`
	Undo       json.RawMessage `json:"undo,omitempty"`
	Outside    bool            `json:"outside,omitempty"`  // it brought outside content into the context
	Doubtful   bool            `json:"doubtful,omitempty"` // it failed in a way that leaves its effect unknown (SPEC T2)
}

// CallUnknown says that a call was started and that its owner or its device is
// gone (SPEC S2, S8).
type CallUnknown struct {
	Attempt int `json:"attempt"`
}

// Noticed is something that the user should see and that is no model text.
type Noticed struct {
	Code   string            `json:"code"`
	Params map[string]string `json:"params,omitempty"`
}

// End says why a turn ended.
type End string

// The ends of a turn.
const (
	Done           End = "done"
	Stopped        End = "stopped"
	BySupersede    End = "superseded" // a new message came
	ByLimit        End = "limit"
	ByDenials      End = "denied" // three denials of one tool (SPEC P10)
	ByModelFailure End = "model_failed"
)

// StopAsked says that the user wants the turn to end now, or that something
// else ends it; calls that run are cancelled.
type StopAsked struct {
	End    End               `json:"end"`
	By     string            `json:"by,omitempty"`
	Code   string            `json:"code,omitempty"` // of the notice, for other ends than Stopped
	Params map[string]string `json:"params,omitempty"`
}

// TurnEnded ends a turn.
type TurnEnded struct {
	End  End    `json:"end"`
	Code string `json:"code,omitempty"`
	Text string `json:"text,omitempty"` // what may be shown of a failure
}

// Type returns the event's word.
func (*SessionStarted) Type() Type { return "session.started" }

// Type returns the event's word.
func (*SessionOwned) Type() Type { return "session.owned" }

// Type returns the event's word.
func (*ModeSet) Type() Type { return "mode.set" }

// Type returns the event's word.
func (*TurnStarted) Type() Type { return "turn.started" }

// Type returns the event's word.
func (*ToolsOffered) Type() Type { return "tools.offered" }

// Type returns the event's word.
func (*ModelAnswered) Type() Type { return "model.answered" }

// Type returns the event's word.
func (*Decided) Type() Type { return "call.decided" }

// Type returns the event's word.
func (*Asked) Type() Type { return "approval.asked" }

// Type returns the event's word.
func (*ApprovalClosed) Type() Type { return "approval.closed" }

// Type returns the event's word.
func (*AnswerIgnored) Type() Type { return "answer.ignored" }

// Type returns the event's word.
func (*GrantRevoked) Type() Type { return "grant.revoked" }

// Type returns the event's word.
func (*CallStarted) Type() Type { return "call.started" }

// Type returns the event's word.
func (*CallEnded) Type() Type { return "call.ended" }

// Type returns the event's word.
func (*CallUnknown) Type() Type { return "call.unknown" }

// Type returns the event's word.
func (*Noticed) Type() Type { return "notice" }

// Type returns the event's word.
func (*StopAsked) Type() Type { return "turn.stopping" }

// Type returns the event's word.
func (*TurnEnded) Type() Type { return "turn.ended" }
