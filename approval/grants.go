package approval

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// GrantOf returns the grant that an answer asks for, bound to the tool's source,
// raw name, descriptor digest and effective class (SPEC P3). ok is false for an
// answer that asks for none. id names the new grant.
//
// compile makes the condition of a pattern; nil refuses patterns. A pattern that
// the approved arguments do not meet is refused, because what a person approves
// with it must not be something else than what they saw. Errors have code
// fault.BadAnswer or compile's.
func GrantOf(id string, r Request, a Answer, by Decided, compile func(json.RawMessage) (policy.Condition, error)) (g policy.Grant, ok bool, err error) {
	if err := Validate(r, a); err != nil {
		return policy.Grant{}, false, err
	}
	scope := a.Remembers()
	if scope == policy.ScopeOnce {
		return policy.Grant{}, false, nil
	}
	g = policy.Grant{
		ID: id, Scope: scope, Kind: r.Tool.Source.Kind, Source: r.Tool.Source.Name, Name: r.Tool.Name,
		Pin: r.Tool.Pin, Class: r.Class.Effective.Known(), Expires: a.Until, By: by.By, Call: r.Call,
	}
	switch scope {
	case policy.ScopeExact:
		g.Digest = r.Digest
	case policy.ScopePattern:
		g.Pattern = json.RawMessage(a.Pattern)
		if g.When, err = condition(r, g.Pattern, compile); err != nil {
			return policy.Grant{}, false, err
		}
	}
	return g, true, nil
}

func condition(r Request, pattern json.RawMessage, compile func(json.RawMessage) (policy.Condition, error)) (policy.Condition, error) {
	if compile == nil {
		return nil, fault.New(fault.BadAnswer, "patterns are not supported here: approve %q another way", r.ID)
	}
	when, err := compile(pattern)
	if err != nil {
		return nil, err
	}
	if match, known := when.Match(r.Args); !match || !known {
		return nil, fault.New(fault.BadAnswer, "the arguments of approval %q do not meet the pattern: give one that they meet", r.ID)
	}
	return when, nil
}

// Grants are the remembered approvals of a session or of a user, in the order
// in which they were given. It is a value: With and Without return another list
// and leave the old one as it was.
type Grants []policy.Grant

// With returns the grants and g, which takes the place of one with its ID.
func (gs Grants) With(g policy.Grant) Grants {
	rest, _ := gs.Without(g.ID)
	return append(slices.Clip(rest), g)
}

// Without returns the grants except the one with the given ID, and whether
// there was one.
func (gs Grants) Without(id string) (rest Grants, found bool) {
	i := slices.IndexFunc(gs, func(g policy.Grant) bool { return g.ID == id })
	if i < 0 {
		return gs, false
	}
	return slices.Concat(gs[:i], gs[i+1:]), true
}

// At returns the grants that have not expired; the boundary itself is expired.
func (gs Grants) At(now time.Time) Grants {
	var live Grants
	for _, g := range gs {
		if g.Expires.IsZero() || now.Before(g.Expires) {
			live = append(live, g)
		}
	}
	return live
}

// Covering returns the first of the grants that covers a call of the given
// effective class; see policy.Covers. Whether a grant may answer for the call at
// all is decided by the policy, which also caps scopes.
func (gs Grants) Covering(f *policy.Facts, class policy.Class) (policy.Grant, bool) {
	i := slices.IndexFunc(gs, func(g policy.Grant) bool { return policy.Covers(g, f, class) })
	if i < 0 {
		return policy.Grant{}, false
	}
	return gs[i], true
}
