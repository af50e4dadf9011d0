package policy

import "time"

// SourceKind says who provides a tool (SPEC 1).
type SourceKind string

// The kinds of source. Any other kind is treated as strictly as each of them:
// its tools are Unknown, and a contract governs them.
const (
	Host     SourceKind = "host"      // code in the application
	LocalMCP SourceKind = "local-mcp" // a process that the application starts
	Server   SourceKind = "server"    // an MCP server that administrators registered
)

// Hold is why a tool is held back before any rule is looked at (SPEC D1 step 1).
// The empty Hold holds nothing; a word that is not listed here holds.
type Hold string

// The holds that a caller reports in Tool.Hold.
const (
	HoldQuarantine Hold = "quarantine" // a new tool that waits for an administrator
	HoldChanged    Hold = "changed"    // its descriptor is not the accepted one
	HoldSource     Hold = "source"     // its source is down or gone
	HoldStopped    Hold = "stopped"    // an emergency stop
	HoldSchema     Hold = "schema"     // its schema cannot be understood (SPEC A3)
)

// The holds that a decision finds in the contract (SPEC D6, D7).
const (
	HoldContract   Hold = "contract"   // the contract does not list the tool
	HoldPin        Hold = "pin"        // the contract lists it with other descriptors
	HoldUnreadable Hold = "unreadable" // the contract cannot be read
)

// category returns the category under which a hold is reported. An emergency
// stop counts as a rule: an administrator refused the tool.
func (h Hold) category() Category {
	switch h {
	case HoldContract:
		return ByContract
	case HoldUnreadable:
		return ByPolicy
	case HoldSource:
		return BySource
	case HoldStopped:
		return ByRule
	default:
		return ByQuarantine
	}
}

// Tool is what a decision knows of a tool.
type Tool struct {
	Kind   SourceKind
	Source string // the source's name; "" for the application itself
	Name   string // the raw name
	Pin    string // the descriptor's digest; without one no grant and no allow rule covers the tool
	Class  Class  // declared by the application or by an administrator; local MCP tools count as Unknown whatever is here (SPEC C3)
	Hold   Hold
}

// Facts is everything that a decision depends on. What decides reads it and
// keeps nothing of it.
type Facts struct {
	Tool         Tool
	Agent        string
	Groups       []string // the principal's
	Mode         Mode     // the session's, already narrowed by a parent agent's
	Tainted      bool     // outside content is in the context
	Args         []byte   // canonical; nil when the list of tools is offered
	Digest       string   // of Args; "" where Args is nil
	Raised       Class    // what the tool's Raise said of this call (SPEC C8); NotGiven for nothing
	Confirm      bool     // the tool's Confirm wants a question (SPEC T4)
	DeniedBefore bool     // a person denied an identical call (SPEC P10)
	Grants       []Grant  // those of the session and of the user
	Now          time.Time
	// Unreadable says that grants, approvals or another fact could not be read.
	// Everything is then refused with category policy (SPEC D8).
	Unreadable bool
}

// class returns the effective class of the call (SPEC C2, C3, C8). listed is
// the contract's class, NotGiven for none.
func (f *Facts) class(listed Class) Class {
	class := Unknown
	if f.Tool.Kind == Host || f.Tool.Kind == Server {
		class = Stricter(f.Tool.Class, listed)
	}
	return Stricter(class, f.Raised)
}

// governed reports whether the contract speaks of the tool: it lists host tools.
func (t *Tool) governed() bool { return t.Kind != Server && t.Kind != LocalMCP }

// live reports whether something that frees a call still does at now. The
// boundary itself is too late. Without a clock only what never expires is live.
func live(expires, now time.Time) bool {
	return expires.IsZero() || !now.IsZero() && now.Before(expires)
}

// over reports whether something that guards a call has ended at now. Without
// a clock nothing has: the zero time is before every date.
func over(expires, now time.Time) bool {
	return !expires.IsZero() && !now.Before(expires)
}
