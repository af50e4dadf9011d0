// Package policy decides whether a call runs, asks a person first, is refused
// or is hidden. It is a pure function of facts (SPEC D2) and imports the
// standard library only.
package policy

// Policy is a compiled document. It is immutable and safe for concurrent use. A
// nil *Policy and the zero Policy stand for one that could not be read: they
// refuse everything, with category policy (SPEC D8).
type Policy struct {
	version  string
	ready    bool
	contract contract
	rules    []rule // by ID, so that a smaller number is a smaller ID
	all      index  // the rules that name no source
	by       map[Source]*index
	shadows  []rule
	limits   limits
	caps     [Unknown + 1]Scope
}

// Version returns the version of the document, "" for a nil Policy.
func (p *Policy) Version() string {
	if p == nil {
		return ""
	}
	return p.version
}

// Cap returns the widest scope that a grant for a class may have (SPEC P3):
// ScopeSession where the document says nothing, ScopeOnce where the policy
// could not be read. A wider grant covers nothing.
func (p *Policy) Cap(class Class) Scope {
	if p == nil || !p.ready {
		return ScopeOnce
	}
	return p.caps[class.Known()]
}
