package approval

import (
	"slices"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// Limits of what an answer may carry.
const (
	MaxReason  = 500       // characters of a reason
	MaxPattern = 16 << 10  // bytes of a pattern
	MaxArgs    = 256 << 10 // bytes of changed arguments: the limit of SPEC A5
)

// Validate says whether an answer makes sense and is among the request's
// choices; a denial always is, unless the request asks what became of a call. What it refuses decides nothing (SPEC P11).
// Errors have code fault.BadAnswer.
//
// It looks neither at who answers nor at the time, and not into changed
// arguments: they are checked like every call's.
func Validate(r Request, a Answer) error {
	if err := a.check(); err != nil {
		return err
	}
	if r.Lost && a.Became == "" {
		return fault.New(fault.BadAnswer, "approval %q asks what became of a call: answer %q, %q or %q", r.ID, ChooseHappened, ChooseRunAgain, ChooseGiveUp)
	}
	if a.State() == Denied {
		return nil
	}
	if c := a.Choice(); !slices.Contains(r.Allowed, c) {
		return fault.New(fault.BadAnswer, "the choice %q is not offered for approval %q", c, r.ID)
	}
	scope := a.Remembers()
	if scope != policy.ScopeOnce && len(r.Changed) > 0 {
		return fault.New(fault.BadAnswer, "approval %q is for changed arguments and is not remembered: approve it once", r.ID)
	}
	if scope != policy.ScopeOnce && !slices.Contains(r.Scopes, scope) {
		return fault.New(fault.BadAnswer, "approval %q may not be remembered that far: choose a narrower scope", r.ID)
	}
	if !a.Until.IsZero() && !a.Until.After(r.CreatedAt) {
		return fault.New(fault.BadAnswer, "the grant for approval %q would end before it begins: give a later date", r.ID)
	}
	return nil
}

// check finds fields that contradict each other, whatever the request is.
func (a Answer) check() error {
	if !utf8.ValidString(a.Reason) || utf8.RuneCountInString(a.Reason) > MaxReason {
		return fault.New(fault.BadAnswer, "a reason is text of at most %d characters", MaxReason)
	}
	if a.Became != "" {
		return a.checkBecame()
	}
	switch a.State() {
	case Edited:
		return a.checkEdit()
	case Denied:
		return a.checkDenial()
	}
	return a.checkApproval()
}

func (a Answer) checkBecame() error {
	if a.Approved || a.ForSession || a.Args != nil || a.remembersMore() || !slices.Contains(LostChoices(), a.Became) {
		return fault.New(fault.BadAnswer, "an answer to what became of a call is %q, %q or %q and nothing else", ChooseHappened, ChooseRunAgain, ChooseGiveUp)
	}
	return nil
}

func (a Answer) checkEdit() error {
	switch {
	case a.Approved:
		return fault.New(fault.BadAnswer, "an answer with changed arguments approves nothing: leave approved out")
	case a.ForSession || a.remembersMore():
		return fault.New(fault.BadAnswer, "an edit is not remembered: leave for_session, scope, until and pattern out")
	case len(a.Args) == 0 || len(a.Args) > MaxArgs || !utf8.Valid(a.Args):
		return fault.New(fault.BadAnswer, "changed arguments are JSON text of at most %d bytes", MaxArgs)
	}
	return nil
}

func (a Answer) checkDenial() error {
	if a.remembersMore() {
		return fault.New(fault.BadAnswer, "a denial has no scope, until or pattern: use for_session to deny the tool for the session")
	}
	return nil
}

func (a Answer) checkApproval() error {
	scope := a.Remembers()
	switch {
	case scope > policy.ScopeUser:
		return fault.New(fault.BadAnswer, "unknown scope %d", scope)
	case a.ForSession && a.Scope != policy.ScopeOnce && a.Scope != policy.ScopeSession:
		return fault.New(fault.BadAnswer, "for_session contradicts the scope: give one of them")
	case scope == policy.ScopeOnce && !a.Until.IsZero():
		return fault.New(fault.BadAnswer, "until without a scope: an approval of one call is not remembered")
	case scope == policy.ScopeUser && a.Until.IsZero():
		return fault.New(fault.BadAnswer, "an approval beyond the session needs a date in until")
	case (scope == policy.ScopePattern) != (len(a.Pattern) > 0):
		return fault.New(fault.BadAnswer, "a pattern goes with the scope for patterns, and only with it")
	case len(a.Pattern) > MaxPattern || !utf8.Valid(a.Pattern):
		return fault.New(fault.BadAnswer, "a pattern is JSON text of at most %d bytes", MaxPattern)
	}
	return nil
}

// remembersMore says whether any field that describes a grant is set, other than ForSession.
func (a Answer) remembersMore() bool {
	return a.Scope != policy.ScopeOnce || !a.Until.IsZero() || a.Pattern != nil
}
