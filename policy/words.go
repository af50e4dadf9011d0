package policy

import "slices"

// Verdict is what happens to a call. The zero value is Hidden. Freedom grows in
// the order of the constants.
type Verdict uint8

// The verdicts.
const (
	Hidden   Verdict = iota // not offered, and refused if it is called anyway
	Deny                    // refused by a rule, or because a person denied the same call
	AskFirst                // a person is asked first
	Run                     // runs without a question
)

// Effect is what a rule does with the calls that it matches (SPEC D1).
type Effect uint8

// The effects. The zero value is the strictest.
const (
	EffectDeny    Effect = iota // refuse
	EffectAskEach               // ask each time: no grant answers
	EffectAsk                   // ask, unless a grant answers
	EffectAllow                 // an administrator's standing grant
)

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

// Basis says what made a decision, in the order of SPEC D1. The zero value says
// that the policy, or another fact, could not be read.
type Basis uint8

// The bases of a decision.
const (
	BasisUnreadable Basis = iota // nothing could be decided (SPEC D8)
	BasisHeld                    // (1) held back
	BasisDeny                    // (2) a deny rule
	BasisMode                    // (3) hidden by the effective mode
	BasisDenied                  // P10: an identical call was denied before
	BasisAskEach                 // (4) a rule that asks each call
	BasisGrant                   // (5) a person's grant
	BasisAllow                   // (5) an administrator's standing grant, an allow rule
	BasisAskRule                 // (6) a rule that asks
	BasisConfirm                 // (6) the tool's own predicate (SPEC T4)
	BasisTable                   // (6) the class and mode table
)

var (
	verdictWords = []string{"hidden", "deny", "ask", "run"}
	effectWords  = []string{"deny", "ask_each", "ask", "allow"}
	scopeWords   = []string{"once", "exact", "pattern", "session", "user"}
	basisWords   = []string{"unreadable", "held", "deny", "mode", "denied_before", "ask_each", "grant", "allow", "ask", "confirm", "table"}
)

// word returns the word for n, and the word of the zero value, the safe one,
// for a number that has none.
func word[T ~uint8](words []string, n T) string {
	if int(n) < len(words) {
		return words[n]
	}
	return words[0]
}

func parse[T ~uint8](words []string, kind, s, choices string) (T, error) {
	if i := slices.Index(words, s); i >= 0 {
		return T(i), nil
	}
	return 0, refuse(CodeBadPolicy, "unknown %s %q: write %s", kind, s, choices)
}

// String returns the word on the wire: hidden, deny, ask or run.
func (v Verdict) String() string { return word(verdictWords, v) }

// ParseVerdict reads hidden, deny, ask or run. Any other text is an error with
// code bad_policy, beside Hidden.
func ParseVerdict(s string) (Verdict, error) {
	return parse[Verdict](verdictWords, "verdict", s, "hidden, deny, ask or run")
}

// MarshalText gives the verdict's word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's word; see ParseVerdict.
func (v *Verdict) UnmarshalText(b []byte) (err error) {
	*v, err = ParseVerdict(string(b))
	return err
}

// String returns the word on the wire: deny, ask_each, ask or allow.
func (e Effect) String() string { return word(effectWords, e) }

// ParseEffect reads deny, ask_each, ask or allow. Any other text is an error
// with code bad_policy, beside EffectDeny.
func ParseEffect(s string) (Effect, error) {
	return parse[Effect](effectWords, "effect", s, "deny, ask_each, ask or allow")
}

// MarshalText gives the effect's word.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the effect's word; see ParseEffect.
func (e *Effect) UnmarshalText(b []byte) (err error) {
	*e, err = ParseEffect(string(b))
	return err
}

// String returns the word on the wire: once, exact, pattern, session or user.
func (s Scope) String() string { return word(scopeWords, s) }

// ParseScope reads once, exact, pattern, session or user. Any other text is an
// error with code bad_policy, beside ScopeOnce.
func ParseScope(s string) (Scope, error) {
	return parse[Scope](scopeWords, "scope", s, "once, exact, pattern, session or user")
}

// MarshalText gives the scope's word.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the scope's word; see ParseScope.
func (s *Scope) UnmarshalText(b []byte) (err error) {
	*s, err = ParseScope(string(b))
	return err
}

// String returns the word on the wire, such as held, ask_each or table.
func (b Basis) String() string { return word(basisWords, b) }

// ParseBasis reads the word that String returns. Any other text is an error
// with code bad_policy, beside BasisUnreadable.
func ParseBasis(s string) (Basis, error) {
	return parse[Basis](basisWords, "basis", s, "the word of a basis, such as held, mode or table")
}

// MarshalText gives the basis's word.
func (b Basis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the basis's word; see ParseBasis.
func (b *Basis) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBasis(string(text))
	return err
}
