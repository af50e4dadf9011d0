// Package turn is the state machine of a session, its turns and their calls.
// It does no I/O: events in, events out (SPEC S1).
//
// A [Session] is what a log of events adds up to. [Session.Handle] turns an
// input, such as a model's message or a person's answer, into events;
// [Session.Next] adds the events that follow by themselves: decisions,
// questions, claims, ends. A driver appends them to a journal, and only then
// does what [Session.Wants] asks for: call the model, run a tool. One
// implementation serves every door, in a process and on a server.
package turn

import (
	"encoding/json"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// CallState is where a call stands.
type CallState string

// The states of a call.
const (
	Proposed CallState = "proposed" // its message is committed; it is not decided
	Waiting  CallState = "waiting"  // a person is asked
	Ready    CallState = "ready"    // it may be claimed
	Started  CallState = "started"  // claimed: it runs, or its owner or device is gone
	Doubtful CallState = "unknown"  // started by an owner or on a device that is gone; a person decides
	Ended    CallState = "ended"    // it has its result
)

// Call is one call of a turn.
type Call struct {
	ID       string
	Step     int
	Provider string // the provider's id
	Wire     string
	Raw      RawText // as the model wrote its arguments

	State    CallState
	Decided  *Decided // nil until it is decided
	Args     json.RawMessage
	Digest   string
	Filled   []string
	Extra    []string
	Approval string // the newest approval's id
	Epoch    uint64 // of the newest claim
	Device   string // of the newest claim; "": its owner runs it
	Attempt  int
	Ended    *CallEnded
	Edited   *Edit  // a person changed the arguments
	Undoes   string // the call that this one takes back
	Redone   int    // how often its question began again because something changed
}

// Edit says that a person changed a call's arguments (SPEC P8).
type Edit struct {
	By, Via string
	Class   policy.Class    // the effective class that the person was shown
	Pin     string          // the descriptor that the person was shown
	From    json.RawMessage // the arguments before
	Used    bool            // it has approved the changed call
}

// Approval is a question to a person.
type Approval struct {
	ID   string
	Call string
	Asked
	At    int64
	State approval.State
	// Who closed it, and how.
	By, Via, Reason string
	ClosedAt        int64
}

// Open says whether the approval still waits for an answer.
func (a *Approval) Open() bool { return a.State == approval.Asked }

// Turn is one turn.
type Turn struct {
	ID       string
	Kind     TurnKind
	Mode     policy.Mode // the session's when the turn began
	Policy   string
	Undoes   string
	Step     int // messages of the model so far
	Calls    []*Call
	Tokens   int64
	Began    int64
	Waited   int64 // milliseconds in which only people were waited for
	Stopping *StopAsked
	End      *TurnEnded
	denials  map[toolKey]int // a person's denials
	repeats  map[string]int  // identical calls
}

// Open says whether the turn goes on.
func (t *Turn) Open() bool { return t != nil && t.End == nil }

type toolKey struct {
	kind         policy.SourceKind
	source, name string
}

func (d *Decided) key() toolKey { return toolKey{d.Kind, d.Source, d.Name} }

// Undoable is a call that can still be taken back.
type Undoable struct {
	Call  string
	Wire  string
	Title string
	Args  json.RawMessage // what Tool.Undo takes
	At    int64
}

// Session is the state that a log of events adds up to. It is not safe for
// concurrent use.
type Session struct {
	ID        string
	Agent     string
	Principal string
	Groups    []string
	Mode      policy.Mode
	Epoch     uint64
	Owner     string
	Tainted   bool
	Grants    []policy.Grant
	Given     []policy.Grant // made here for the user: they hold in every session
	Offered   map[string]Offer
	Turn      *Turn // the newest
	Messages  []model.Message
	Approvals map[string]*Approval // of the newest turn
	Undo      []Undoable           // oldest first

	denied  map[string]string // tool and digest → the call that a person denied (SPEC P10)
	similar map[toolKey]string
	sticky  map[toolKey]bool // denied until the session ends
	last    int64            // the time of the newest event
	ignored int              // answers recorded as ignored in this turn
	compile Compile
}

// Compile makes the condition of a grant's pattern from its schema.
type Compile func(pattern json.RawMessage) (policy.Condition, error)

// New returns a session without events. compile may be nil where no grant has a
// pattern: such a grant is then refused.
func New(compile Compile) *Session {
	return &Session{compile: compile, Approvals: map[string]*Approval{}, denied: map[string]string{}, similar: map[toolKey]string{}, sticky: map[toolKey]bool{}}
}

// Call returns a call of the newest turn.
func (s *Session) Call(id string) *Call {
	if s.Turn == nil {
		return nil
	}
	for _, c := range s.Turn.Calls {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// pass counts the time in which the turn waited for nothing but people: it
// counts towards no limit (SPEC P4).
func (s *Session) pass(at int64) {
	if s.Turn.Open() && s.onlyPeople() && at > s.last {
		s.Turn.Waited += at - s.last
	}
	s.last = max(s.last, at)
}

func (s *Session) onlyPeople() bool {
	waits := false
	for _, c := range s.Turn.Calls {
		switch c.State {
		case Waiting, Doubtful:
			waits = true
		case Ended:
		default:
			return false
		}
	}
	return waits
}

// Active returns how long the open turn has worked by now, waiting for people
// left out.
func (s *Session) Active(now time.Time) time.Duration {
	if !s.Turn.Open() {
		return 0
	}
	at := now.UnixMilli()
	spent := at - s.Turn.Began - s.Turn.Waited
	if s.onlyPeople() {
		spent -= at - s.last
	}
	return time.Duration(spent) * time.Millisecond
}

// Preview returns what the call would change, where its tool can say so.
func (c *Call) Preview() *tool.Preview {
	if c.Decided == nil {
		return nil
	}
	return c.Decided.Preview
}
