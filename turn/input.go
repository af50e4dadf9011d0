package turn

import (
	"encoding/json"
	"time"

	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// Input is something that happened outside: a message, an answer, a result.
type Input interface {
	handle(s *Session, w *World) ([]Event, error)
}

// Begin starts a session and takes it for a driver, under epoch 1.
type Begin struct {
	Session, Agent, Principal string
	Owner                     string
	Groups                    []string
	Mode                      policy.Mode
}

// Own takes a session for a driver, under the next epoch.
type Own struct{ Owner string }

// Say begins a turn with a user's message. With a turn open it is fault.Busy:
// stop the turn first, with End BySupersede or Stopped.
type Say struct{ Text string }

// Retry begins a turn that asks the model again with what the conversation
// holds, for instance after the model failed.
type Retry struct{}

// Direct begins a turn of one call, without a model.
type Direct struct {
	Wire string
	Args string
}

// TakeBack begins a turn that undoes an earlier call.
type TakeBack struct{ Call string }

// Answered is a whole message of the model, to the request of a step.
type Answered struct {
	Turn   string
	Step   int // the number of this message, from 1
	Answer *model.Answer
}

// ModelFailed says that the model gave no message. Code and Text may be shown.
type ModelFailed struct {
	Turn string
	Step int
	Code string
	Text string
}

// Examined says what a tool's own functions said of a call (SPEC C8, T4).
type Examined struct {
	Call    string
	Digest  string       // of the arguments that were examined
	Pin     string       // of the tool that was asked
	Raised  policy.Class // NotGiven: nothing
	Confirm bool
	Preview *tool.Preview
	NoView  string // why there is no preview although the tool has one
}

// Answer is a person's answer to an approval. The zero value of its decision is
// a denial.
type Answer struct {
	Approval string
	Digest   string // what was shown; a denial may leave it empty
	By, Via  string

	Approved bool
	Scope    policy.Scope    // beyond ScopeOnce it leaves a grant
	Pattern  json.RawMessage // ScopePattern
	Until    time.Time       // ScopeUser
	Reason   string
	Sticky   bool   // a denial that holds until the session ends
	Edit     []byte // changed arguments; implies Approved
	Choice   Choice // the answer to WhatBecame
}

// Unanswered says that no decision could be had (SPEC P11).
type Unanswered struct {
	Approval string
	Reason   string
	Via      string
}

// Claim is a device's wish to run a call that is offered to it (SPEC S8). It may
// be sent again: the claim that is there already is no second one.
//
// Its errors: fault.NotFound for a call that is not of the open turn, Conflict
// for one that is not offered with this digest, or not any more, AlreadyDecided
// for one that another device claimed or that has ended, Cancelled where the
// turn is being stopped, Fenced at a driver that is not the owner.
type Claim struct {
	Call   string
	Digest string // of the arguments that the device was shown
	// Device names who runs the call: one that forgets what it has claimed takes
	// another name, because it would get its old claims again.
	Device string
}

// FinishKind says how a run came back.
type FinishKind uint8

// The ways in which a run comes back.
const (
	Returned  FinishKind = iota // with a result or with its own error
	Panicked                    // recovered
	TimedOut                    // its own time ran out
	Abandoned                   // it did not come back after it was cancelled
)

// Finished is the result of a run.
type Finished struct {
	Call    string
	Attempt int
	Kind    FinishKind
	Text    string // the result
	// Structured is the result for programs, as canonical JSON; nil for none.
	Structured json.RawMessage
	Undo       json.RawMessage
	Err        string // what the model is told of an error; "" for none
	Stopped    bool   // the error is the cancellation of the turn
	// Device is the one that claimed the call; "" for a run at the owner. A result
	// counts only from where the newest attempt was claimed (SPEC S8).
	Device string
}

// SetMode is the user's choice of a mode.
type SetMode struct {
	Mode policy.Mode
	By   string
}

// Stop ends the open turn.
type Stop struct {
	Turn string // only this one, if it is still open; "": whichever is
	End  End    // Stopped where empty
	By   string
}

// Revoke ends a grant of the session.
type Revoke struct{ Grant, By string }

// Tick says that time has passed: what expires, expires.
type Tick struct{}
