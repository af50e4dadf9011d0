package approval

import "github.com/assentdev/assent/fault"

// State is where an approval stands (SPEC P5). The zero value is Asked: open,
// and nothing may start. Every other state is final.
type State uint8

// The states.
const (
	Asked      State = iota // waits for an answer
	Approved                // a person said yes
	Covered                 // a grant that arose meanwhile covers the call
	Denied                  // a person said no
	Edited                  // a person changed the arguments: a new decision begins (SPEC P8)
	Expired                 // nobody answered in time
	Cancelled               // the turn was stopped
	Superseded              // the user wrote a new message instead, or a lost result came
	Stale                   // the descriptor, the policy or the tool changed meanwhile
	Undecided               // no decision could be had (SPEC P11)
)

var stateNames = [...]string{
	"asked", "approved", "covered", "denied", "edited", "expired",
	"cancelled", "superseded", "stale", "undecided",
}

// String returns the state's word, and "undecided" for a number that is no state.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return stateNames[Undecided]
}

// Final says whether the state is an end. Only Asked is none.
func (s State) Final() bool { return s != Asked }

// Starts says whether a call in this state may start: only an approved or a
// covered one (SPEC P5).
func (s State) Starts() bool { return s == Approved || s == Covered }

// ParseState reads a state's word. Any other text is an error with code
// bad_answer, and the state returned with it is Undecided.
func ParseState(text string) (State, error) {
	for s, name := range stateNames {
		if name == text {
			return State(s), nil
		}
	}
	return Undecided, fault.New(fault.BadAnswer, "unknown approval state %q", text)
}

// MarshalText gives the state's word.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the state's word strictly; see ParseState.
func (s *State) UnmarshalText(b []byte) (err error) {
	*s, err = ParseState(string(b))
	return err
}
