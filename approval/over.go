package approval

import "github.com/assentdev/assent/fault"

// OverError is why nobody waits for a request's answer any more. It is the
// cause of a Handler's context when its request is closed; find it with
// errors.AsType[*OverError](context.Cause(ctx)).
type OverError struct {
	State State  // Asked: only taken away, and perhaps asked again later
	Text  string // for people; may be empty
}

// Error says that the approval is over, its state and the text.
func (e *OverError) Error() string {
	if e.Text == "" {
		return "approval over: " + e.State.String()
	}
	return "approval over: " + e.State.String() + ": " + e.Text
}

// Fault returns the code and the text to package fault: fault.Expired,
// fault.Cancelled for what was cancelled, superseded or taken away, and
// fault.AlreadyDecided for the rest.
func (e *OverError) Fault() (code, text string) {
	switch e.State {
	case Expired:
		return string(fault.Expired), e.Error()
	case Cancelled, Superseded, Asked:
		return string(fault.Cancelled), e.Error()
	}
	return string(fault.AlreadyDecided), e.Error()
}

// Refusal is an answer that changed nothing (SPEC P5): late, second, foreign or
// junk. It is for the audit.
type Refusal struct {
	ID     string // as the answer named it
	Answer Answer
	By     Decided
	Err    error // its code says which
}
