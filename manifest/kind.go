package manifest

import "slices"

// Kind names one way in which a descriptor changed (SPEC D7).
type Kind string

// The kinds, from harmless to grave.
const (
	Notation      Kind = "notation"       // another spelling of the same: passes
	Narrowed      Kind = "narrowed"       // fewer arguments are valid: passes, logged
	Returned      Kind = "returned"       // it was gone and is back
	ClassStricter Kind = "class_stricter" // counts at once
	ClassLooser   Kind = "class_looser"   // the stricter class stays
	Wording       Kind = "wording"        // texts, hints or examples: the accepted text stays served, the change waits
	Widened       Kind = "widened"        // more is valid, or a default changed: the accepted schema is enforced, the change waits
	Added         Kind = "added"          // a new tool: waits
	Incompatible  Kind = "incompatible"   // a new required, removed or re-typed property, or a change that cannot be judged: held
	Removed       Kind = "removed"        // the tool is gone
)

var gravity = []Kind{Notation, Narrowed, Returned, ClassStricter, ClassLooser, Wording, Widened, Added, Incompatible, Removed}

// Detail is one place that changed.
type Detail struct {
	Kind Kind `json:"kind"`
	// Pointer is a JSON Pointer into the descriptor: in the new one, or in the
	// old one for what the new one lacks.
	Pointer string `json:"pointer"`
}

// Change says how a descriptor changed. The zero Change is none.
type Change struct {
	Kinds   []Kind   `json:"kinds,omitempty"`   // each once, the gravest first
	Details []Detail `json:"details,omitempty"` // in the order of their pointers
}

// Decides returns the kind that decides what happens to the tool: the gravest;
// "" where nothing changed.
func (c Change) Decides() Kind {
	if len(c.Kinds) == 0 {
		return ""
	}
	return c.Kinds[0]
}

// Has reports whether the change is of kind k, among others.
func (c Change) Has(k Kind) bool { return slices.Contains(c.Kinds, k) }

// with adds a kind.
func (c Change) with(k Kind) Change {
	if !c.Has(k) {
		c.Kinds = append(c.Kinds, k)
		slices.SortFunc(c.Kinds, func(a, b Kind) int { return slices.Index(gravity, b) - slices.Index(gravity, a) })
	}
	return c
}
