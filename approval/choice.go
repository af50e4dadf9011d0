package approval

import "github.com/assentdev/assent/policy"

// Choice is one thing that a card lets a person do.
type Choice string

// The choices.
const (
	ChooseApprove Choice = "approve"         // this call
	ChooseExact   Choice = "approve_exact"   // and the same arguments again
	ChoosePattern Choice = "approve_pattern" // and arguments that meet a condition
	ChooseSession Choice = "approve_session" // and the tool until the session ends
	ChooseUser    Choice = "approve_user"    // and the tool for this user until a date
	ChooseDeny    Choice = "deny"
	ChooseEdit    Choice = "edit" // decide again with other arguments
)

// The choices of a request whose Lost is set: its call was started and nobody
// knows whether it had its effect (SPEC S2).
const (
	ChooseHappened Choice = "happened"  // it had its effect
	ChooseRunAgain Choice = "run_again" // run it once more
	ChooseGiveUp   Choice = "give_up"   // leave it
)

// LostChoices returns the choices of a request whose Lost is set.
func LostChoices() []Choice { return []Choice{ChooseHappened, ChooseRunAgain, ChooseGiveUp} }

// scopeChoices holds the choice that asks for each scope's grant.
var scopeChoices = [...]Choice{
	policy.ScopeOnce:    ChooseApprove,
	policy.ScopeExact:   ChooseExact,
	policy.ScopePattern: ChoosePattern,
	policy.ScopeSession: ChooseSession,
	policy.ScopeUser:    ChooseUser,
}

// Scopes returns the scopes that a cap leaves, from narrow to wide, without
// policy.ScopeOnce: empty where nothing may be remembered (SPEC P3).
func Scopes(limit policy.Scope) []policy.Scope {
	var scopes []policy.Scope
	for s := policy.ScopeExact; s <= min(limit, policy.ScopeUser); s++ {
		scopes = append(scopes, s)
	}
	return scopes
}

// Choices returns the choices of a request that offers the given scopes and,
// where edit is set, changed arguments.
func Choices(scopes []policy.Scope, edit bool) []Choice {
	choices := []Choice{ChooseApprove}
	for _, s := range scopes {
		if s > policy.ScopeOnce && s <= policy.ScopeUser {
			choices = append(choices, scopeChoices[s])
		}
	}
	choices = append(choices, ChooseDeny)
	if edit {
		choices = append(choices, ChooseEdit)
	}
	return choices
}

// Choice returns the choice that an answer takes, and "" if its scope is none.
func (a Answer) Choice() Choice {
	if a.Became != "" {
		return a.Became
	}
	switch a.State() {
	case Edited:
		return ChooseEdit
	case Denied:
		return ChooseDeny
	}
	if s := a.Remembers(); int(s) < len(scopeChoices) {
		return scopeChoices[s]
	}
	return ""
}
