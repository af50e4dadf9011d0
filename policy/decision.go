package policy

import (
	"strings"
	"time"
)

// Category says which kind of reason refused a call (SPEC D4). It is empty for
// calls that run or ask.
type Category string

// The categories that a refusal can carry. NoSuchTool is for the caller, who
// alone knows the session's list; no decision carries it.
const (
	ByMode       Category = "mode"
	ByContract   Category = "contract"
	ByQuarantine Category = "quarantine"
	ByRule       Category = "rule"
	BySource     Category = "source"
	ByDenial     Category = "denied_before"
	ByPolicy     Category = "policy"
	NoSuchTool   Category = "no_such_tool"
)

// Decision is what happens to a call, and why (SPEC D2). It is plain data: it
// can be stored, compared with ==, and read back. The zero value refuses.
type Decision struct {
	Verdict  Verdict       `json:"verdict"`
	Category Category      `json:"category,omitempty"` // of a refusal
	Basis    Basis         `json:"basis"`              // the step of SPEC D1 that decided
	Class    Class         `json:"class"`              // the effective class, raised where it was
	Mode     Mode          `json:"mode"`               // the effective mode
	Limit    string        `json:"limit,omitempty"`    // the ID of the limit that narrowed the mode; "" where none did
	Hold     Hold          `json:"hold,omitempty"`     // BasisHeld: why
	Rule     string        `json:"rule,omitempty"`     // the ID of the rule that decided
	Match    string        `json:"match,omitempty"`    // the name or pattern by which that rule met the tool
	Note     string        `json:"note,omitempty"`     // that rule's reason, in the administrator's words
	Grant    string        `json:"grant,omitempty"`    // BasisGrant: its ID
	Wait     time.Duration `json:"wait_ns,omitempty"`  // the shortest wait that a matching rule that asks sets; zero for the default of the door
	Policy   string        `json:"policy,omitempty"`   // the version of the policy
	Examined int           `json:"examined,omitempty"` // how many rules were looked at: those whose name pattern met the tool
}

// Refused reports whether the call must not run and nobody is to be asked.
func (d *Decision) Refused() bool { return d.Verdict != Run && d.Verdict != AskFirst }

// Reason says in plain words what decided, such as "rule 7 'mcp.github.*' asks;
// mode auto". It is for cards, logs and consoles; a model is told less (SPEC D4).
func (d *Decision) Reason() string {
	var b strings.Builder
	b.WriteString(d.because())
	if d.Note != "" {
		b.WriteString(": " + d.Note)
	}
	if d.Basis == BasisUnreadable {
		return b.String()
	}
	b.WriteString("; mode " + d.Mode.String())
	if d.Limit != "" {
		b.WriteString(" by limit " + d.Limit)
	}
	return b.String()
}

func (d *Decision) because() string {
	rule := "rule " + d.Rule + " '" + d.Match + "'"
	switch d.Basis {
	case BasisHeld:
		return "held back: " + d.Hold.words()
	case BasisDeny:
		return rule + " denies"
	case BasisMode:
		return "the mode hides " + d.Class.String() + " tools"
	case BasisDenied:
		return "a person denied the same call"
	case BasisAskEach:
		return rule + " asks for each call"
	case BasisGrant:
		return "grant " + d.Grant + " covers it"
	case BasisAllow:
		return rule + " allows it"
	case BasisAskRule:
		return rule + " asks"
	case BasisConfirm:
		return "the tool asks for this call"
	case BasisTable:
		return d.tableWords()
	default:
		return "the policy could not be read"
	}
}

func (d *Decision) tableWords() string {
	if d.Verdict == Run {
		return "class " + d.Class.String() + " runs"
	}
	return "class " + d.Class.String() + " asks"
}

func (h Hold) words() string {
	switch h {
	case HoldQuarantine:
		return "it waits to be accepted"
	case HoldChanged:
		return "its description is not the accepted one"
	case HoldSource:
		return "its source is down or gone"
	case HoldStopped:
		return "an emergency stop"
	case HoldSchema:
		return "its schema cannot be understood"
	case HoldContract:
		return "the contract does not list it"
	case HoldPin:
		return "the contract accepts other descriptions of it"
	case HoldUnreadable:
		return "the contract cannot be read"
	default:
		return string(h)
	}
}
