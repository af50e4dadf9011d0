package policy

import (
	"encoding/json"
	"time"
)

// MaxWait is the longest that a rule may let a question wait (SPEC P4).
const MaxWait = 30 * 24 * time.Hour

// Document is one version of a policy, as data. The zero Document restricts
// nothing beyond the class and mode table. Parse reads one, Compile makes it
// ready to decide.
type Document struct {
	Version  string
	Contract *Contract // nil for none
	Rules    []Rule    // a set: their order means nothing
	Limits   []Limit
	// Caps is the widest scope of a grant, per class. A class without an entry
	// has ScopeSession (SPEC P3). A cap on Destructive also covers Unknown.
	Caps map[Class]Scope
}

// Contract lists the host tools that an agent may offer (SPEC D6). It says
// nothing of server tools and local MCP tools. There are three states beside a
// filled one, and they differ: a nil *Contract and an empty one restrict
// nothing; one that is Unreadable leaves no host tool.
type Contract struct {
	Entries    []Entry
	Unreadable bool // Entries are then ignored
}

// Entry is one tool of a contract.
type Entry struct {
	Tool  string   // the raw name, exact
	Class Class    // NotGiven leaves the application's class; never makes it more lenient (SPEC C2)
	Pins  []string // the accepted descriptor digests; none accepts every one (SPEC D7)
}

// Source is a rule's condition on who provides the tool.
type Source struct {
	Kind SourceKind // "" for any kind, and then Name is "" too
	// Name is one source of that kind; "" for every source of the kind, except
	// in an allow rule, where "" is the application itself.
	Name string
}

// Rule is one administrator's rule (SPEC D1, D5). A rule matches a call that
// meets all of its conditions; a nil or empty condition is met by every call.
type Rule struct {
	ID     string // required, and unique among the rules
	Effect Effect
	Shadow bool // logged where it matches, decides nothing

	Source Source
	// Tools are raw names, or patterns in which each * stands for any run of
	// characters, none included. They are anchored and compared byte by byte.
	Tools  []string
	Except []string // names or patterns that the rule leaves out

	// Classes are the effective classes that it matches. In a rule that denies
	// or asks, Destructive covers Unknown too.
	Classes []Class
	Agents  []string
	Groups  []string // the principal is in one of them
	Modes   []Mode   // the effective modes that it matches
	Tainted *bool

	// When is the condition on the arguments, WhenSchema what it was compiled
	// from; both or neither. Where it cannot be determined, the rule matches if
	// it denies or asks and does not if it allows (SPEC D5b).
	When       Condition
	WhenSchema json.RawMessage

	Expires time.Time     // from then on it does not match; zero for never
	Wait    time.Duration // how long the question stays open, whole seconds up to MaxWait; zero for the default of the door
	Reason  string        // in the administrator's words, shown beside the decision

	// Pins bind an allow rule, and only an allow rule, to descriptor digests. An
	// allow rule must have them, the kind of its source, exact names in Tools,
	// exactly one class (matched exactly), and for Destructive and Unknown a When.
	Pins []string
}

// Limit narrows the mode of the sessions that it matches (SPEC C5).
type Limit struct {
	ID     string   // required, and unique among the limits
	Agents []string // none for every agent
	Groups []string // the principal is in one of them; none for everybody
	Max    Mode
}

// Warning is something in a document that does not refuse it but that its
// author should see.
type Warning struct {
	Line int    // from 1; 0 where the document is not text
	At   string // the rule, limit or tool that it speaks of
	Text string
}
