package policy

import (
	"encoding/json"
	"time"
)

// Condition is a rule's or a grant's condition on a call's arguments (SPEC D5b).
// Package schema compiles it from a JSON Schema; this package only asks it. It
// must be safe for concurrent use.
type Condition interface {
	// Match looks at canonical argument bytes and keeps nothing of them. known
	// is false where it cannot be determined: an absent property, another type,
	// or args is nil (offer time).
	Match(args []byte) (match, known bool)
}

// look asks a condition. One that panics could not determine its answer, so
// that it guards where it guards and frees nothing where it frees.
func look(c Condition, args []byte) (match, known bool) {
	if args == nil {
		return false, false
	}
	defer func() {
		if recover() != nil {
			match, known = false, false
		}
	}()
	return c.Match(args)
}

// Grant is a remembered approval of a person (SPEC P3). It is bound to source,
// raw name, descriptor digest and effective class: a change of any of them ends it.
type Grant struct {
	ID      string          `json:"id"`
	Scope   Scope           `json:"scope"`
	Kind    SourceKind      `json:"kind"`
	Source  string          `json:"source,omitempty"`
	Name    string          `json:"name"`
	Pin     string          `json:"pin"`
	Class   Class           `json:"class"`
	Digest  string          `json:"digest,omitempty"`  // ScopeExact: of the canonical arguments
	When    Condition       `json:"-"`                 // ScopePattern
	Pattern json.RawMessage `json:"pattern,omitempty"` // ScopePattern: the schema that When was compiled from
	Expires time.Time       `json:"expires,omitzero"`  // zero: none, except that ScopeUser needs one; the boundary itself is expired
	By      string          `json:"by,omitempty"`
	Call    string          `json:"call,omitempty"` // the call whose approval made it
}

// Covers reports whether a person's grant answers the question of a call whose
// effective class is class (SPEC P3). Empty bindings cover nothing. Whether a
// question that a grant may answer is asked at all is for (*Policy).Decide to
// say, and so is the administrators' cap.
func Covers(g Grant, f *Facts, class Class) bool {
	return bound(&g, &f.Tool, class) && reaches(&g, f) && live(g.Expires, f.Now)
}

// bound reports whether the tool is still the one that was approved.
func bound(g *Grant, t *Tool, class Class) bool {
	return g.Pin != "" && g.Name != "" && g.Kind != "" &&
		g.Pin == t.Pin && g.Name == t.Name && g.Kind == t.Kind && g.Source == t.Source &&
		g.Class == class
}

// reaches reports whether the grant's scope holds the arguments of the call.
func reaches(g *Grant, f *Facts) bool {
	switch g.Scope {
	case ScopeExact:
		return g.Digest != "" && g.Digest == f.Digest
	case ScopePattern:
		if g.When == nil {
			return false
		}
		match, known := look(g.When, f.Args)
		return match && known
	case ScopeSession:
		return true
	case ScopeUser:
		return !g.Expires.IsZero()
	default:
		return false
	}
}

// grant returns the covering grant that is reported: the narrowest one, and the
// one with the least ID among those of one scope, so that the order of the
// grants means nothing. It is nil where none covers the call.
func (p *Policy) grant(f *Facts, class Class) *Grant {
	var best *Grant
	limit := p.Cap(class)
	for i := range f.Grants {
		g := &f.Grants[i]
		if g.Scope > limit || !Covers(*g, f, class) {
			continue
		}
		if best == nil || g.Scope < best.Scope || g.Scope == best.Scope && g.ID < best.ID {
			best = g
		}
	}
	return best
}
