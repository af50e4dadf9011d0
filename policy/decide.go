package policy

// Decide says what happens to a call (SPEC D1). It is a pure function of the
// policy and the facts, safe for concurrent use, and it allocates nothing
// beyond what conditions do. Where Args is nil it answers for the offer of the
// tool: conditions are then undetermined, so that they guard and do not free.
func (p *Policy) Decide(f *Facts) (d Decision) {
	if p.blind(f) {
		return Decision{Basis: BasisUnreadable, Category: ByPolicy, Class: Unknown, Policy: p.Version()}
	}
	if hold := p.start(f, &d); hold != "" {
		d.refuse(Hidden, BasisHeld, hold.category())
		d.Hold = hold
		return d
	}
	var m matched
	p.match(f, &d, &m)
	d.Examined = m.examined
	p.rank(f, &m, &d)
	return d
}

// rank takes steps 2 to 6 of SPEC D1 in order: the first one that finds
// something decides.
func (p *Policy) rank(f *Facts, m *matched, d *Decision) {
	plain := Decide(d.Mode, d.Class)
	switch {
	case m.deny != nil:
		d.refuse(Deny, BasisDeny, ByRule)
		d.by(m.deny, f)
		return
	case plain == Hidden:
		d.refuse(Hidden, BasisMode, ByMode)
		return
	case f.DeniedBefore:
		d.refuse(Deny, BasisDenied, ByDenial)
		return
	case m.askEach != nil:
		d.Verdict, d.Basis, d.Wait = AskFirst, BasisAskEach, m.wait.duration()
		d.by(m.askEach, f)
		return
	}
	if g := p.grant(f, d.Class); g != nil {
		d.Verdict, d.Basis, d.Grant = Run, BasisGrant, g.ID
		return
	}
	switch {
	case m.allow != nil:
		d.Verdict, d.Basis = Run, BasisAllow
		d.by(m.allow, f)
	case m.ask != nil:
		d.Verdict, d.Basis, d.Wait = AskFirst, BasisAskRule, m.wait.duration()
		d.by(m.ask, f)
	case f.Confirm:
		d.Verdict, d.Basis = AskFirst, BasisConfirm
	default:
		d.Verdict, d.Basis = plain, BasisTable
	}
}

// Offer says whether a tool belongs on the list that a model is shown (SPEC
// D3): it is left off only if every call of it, whatever its arguments, would
// be hidden, held or denied. What the facts say of one call, its arguments and
// what follows from them, is ignored. The decision is the one that a call gets
// at the strictest reading of the rules' conditions.
func (p *Policy) Offer(f *Facts) (d Decision, offered bool) {
	if p.blind(f) {
		return p.Decide(f), false
	}
	tool := *f
	tool.Args, tool.Digest = nil, ""
	tool.Raised, tool.Confirm, tool.DeniedBefore = NotGiven, false, false
	d = p.Decide(&tool)
	if d.Basis != BasisDeny {
		return d, !d.Refused()
	}
	m := matched{sure: true}
	p.match(&tool, &d, &m)
	return d, m.deny == nil && Decide(d.Mode, d.Class) != Hidden
}

// blind reports whether something that a decision depends on could not be read.
func (p *Policy) blind(f *Facts) bool {
	return p == nil || !p.ready || f == nil || f.Unreadable
}

// start settles what all steps need: the effective class and mode, and what
// holds the tool back.
func (p *Policy) start(f *Facts, d *Decision) Hold {
	listed, hold := p.contract.hold(&f.Tool)
	if f.Tool.Hold != "" {
		hold = f.Tool.Hold
	}
	d.Policy, d.Class = p.version, f.class(listed)
	d.Mode, d.Limit = p.Effective(f.Mode, f.Agent, f.Groups)
	return hold
}

func (d *Decision) refuse(v Verdict, b Basis, c Category) {
	d.Verdict, d.Basis, d.Category = v, b, c
}

// by names the rule that decided.
func (d *Decision) by(r *rule, f *Facts) {
	d.Rule = r.id
	if d.Match = r.match; d.Match == "" {
		d.Match, _ = r.named(f.Tool.Name)
	}
	if r.more != nil {
		d.Note = r.more.reason
	}
}

// Listed returns the class that the contract gives a tool: NotGiven where there
// is no contract, or where it does not list the tool or names no class.
func (p *Policy) Listed(t *Tool) Class {
	if p == nil || !p.ready {
		return NotGiven
	}
	listed, _ := p.contract.hold(t)
	return listed
}
