// Package fault carries an error with a code that never changes, a text that
// may be shown, and a cause that may not.
//
// A program asks for the code with [CodeOf]; a model or a person is shown the
// text with [TextOf]. Everything below the text, such as a path, a statement or
// a stack, stays in the log.
package fault

import (
	"errors"
	"fmt"
)

// Code names one kind of failure. Codes are part of the API and of the wire:
// a code is never reused and never changes its meaning.
type Code string

// The codes. Each package may return those that its documentation names.
const (
	Internal       Code = "internal"        // no other code was given
	BadArguments   Code = "bad_arguments"   // a call's arguments failed the check (SPEC A1)
	BadSchema      Code = "bad_schema"      // a schema cannot be understood (SPEC A3)
	BadTool        Code = "bad_tool"        // a tool's definition is wrong
	BadPolicy      Code = "bad_policy"      // a policy document is refused as a whole (SPEC D5)
	BadContract    Code = "bad_contract"    // a contract cannot be read
	BadMode        Code = "bad_mode"        // text that is no known mode (SPEC C7)
	BadClass       Code = "bad_class"       // text that is no known class (SPEC C7)
	BadAnswer      Code = "bad_answer"      // an approval's answer is junk or not among the choices
	BadJournal     Code = "bad_journal"     // a journal cannot be read
	BadChain       Code = "bad_chain"       // a log's hash chain does not verify (SPEC V6)
	BadEvent       Code = "bad_event"       // an event that a log cannot hold as it was given
	BadConfig      Code = "bad_config"      // an agent's options contradict each other
	NotFound       Code = "not_found"       // no such session, turn, call, approval or grant
	NotAllowed     Code = "not_allowed"     // the decision refuses it
	AlreadyDecided Code = "already_decided" // a late, second or foreign answer (SPEC P5)
	Expired        Code = "expired"         // nobody answered in time
	Cancelled      Code = "cancelled"       // stopped by its user
	Busy           Code = "busy"            // a turn is still open
	Conflict       Code = "conflict"        // another writer was first
	Fenced         Code = "fenced"          // another owner has taken over
	Unwritable     Code = "unwritable"      // the log cannot be written, so nothing runs (SPEC D8)
	ModelFailed    Code = "model_failed"    // the model gave no usable answer
	ToolFailed     Code = "tool_failed"     // a tool's own error
	OutcomeUnknown Code = "outcome_unknown" // a call may or may not have had its effect (SPEC S2)
	Undecided      Code = "undecided"       // no decision could be had (SPEC P11)
	CannotUndo     Code = "cannot_undo"     // there is nothing to undo, or the thing changed since
	Closed         Code = "closed"          // the agent or session is closed
	LimitReached   Code = "limit_reached"   // a limit of the turn or of the agent
)

// Error is a failure with a code.
type Error struct {
	Code Code
	// Text may be shown to a model and to people: it says where and what next.
	Text string
	// Err is the cause. It goes to the log only.
	Err error
}

// New returns an error with a code and a text made as by fmt.Sprintf.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause.
func Wrap(err error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...), Err: err}
}

// Error returns the code, the text and the cause: a line for the log.
func (e *Error) Error() string {
	if e.Err == nil {
		return string(e.Code) + ": " + e.Text
	}
	return string(e.Code) + ": " + e.Text + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fault returns the code and the text.
func (e *Error) Fault() (code, text string) { return string(e.Code), e.Text }

// faulty is what an error that this package did not make can implement to
// carry a code and a text. Package policy does: it imports nothing of ours.
type faulty interface {
	error
	Fault() (code, text string)
}

// CodeOf returns the code of the first error in err's tree that has one;
// Internal if there is none, and "" if err is nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[faulty](err); ok {
		code, _ := e.Fault()
		return Code(code)
	}
	return Internal
}

// TextOf returns what may be shown of err: the text of the first error in its
// tree that has one, "internal error" if there is none, and "" if err is nil.
func TextOf(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[faulty](err); ok {
		_, text := e.Fault()
		return text
	}
	return "internal error"
}
