package policy

import "slices"

// Decide says what happens to a call (SPEC D1). It is a pure function of the
// policy and the facts, safe for concurrent use, and it allocates nothing
// beyond what conditions do. Where Args is nil it answers for the offer of the
// tool: conditions are then undetermined, so that they guard and do not free.
func (p *Policy) Decide(f *Facts) Decision {
	if p.blind(f) {
		return Decision{Basis: BasisUnreadable, Category: ByPolicy, Class: Unknown, Policy: p.Version()}
	}
	d, hold := p.start(f)
	if hold != "" {
		return d.hold(hold)
	}
	m := p.match(f, &d, false)
	d.Examined = m.examined
	switch {
	case m.deny != nil:
		return d.rule(Deny, BasisDeny, m.deny, f)
	case Decide(d.Mode, d.Class) == Hidden:
		d.Verdict, d.Basis, d.Category = Hidden, BasisMode, ByMode
		return d
	case f.DeniedBefore:
		d.Verdict, d.Basis, d.Category = Deny, BasisDenied, ByDenial
		return d
	case m.askEach != nil:
		d.Wait = m.wait.duration()
		return d.rule(AskFirst, BasisAskEach, m.askEach, f)
	}
	if g := p.grant(f, d.Class); g != nil {
		d.Verdict, d.Basis, d.Grant = Run, BasisGrant, g.ID
		return d
	}
	switch {
	case m.allow != nil:
		return d.rule(Run, BasisAllow, m.allow, f)
	case m.ask != nil:
		d.Wait = m.wait.duration()
		return d.rule(AskFirst, BasisAskRule, m.ask, f)
	case f.Confirm:
		d.Verdict, d.Basis = AskFirst, BasisConfirm
		return d
	}
	d.Verdict, d.Basis = Decide(d.Mode, d.Class), BasisTable
	return d
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
	if d.Basis == BasisDeny {
		offered = p.match(&tool, &d, true).deny == nil && Decide(d.Mode, d.Class) != Hidden
		return d, offered
	}
	return d, !d.Refused()
}

// Effective returns the mode in which the turns of a session run: its mode
// narrowed by every limit (SPEC C5). why is the ID of the limit that narrowed
// it most, the least one where several narrow it as far, and "" where none does.
func (p *Policy) Effective(mode Mode, agent string, groups []string) (effective Mode, why string) {
	if p == nil || !p.ready {
		return Off, ""
	}
	effective = mode.known()
	for _, list := range [...][]limit{p.limits.all, p.limits.of[agent]} {
		for i := range list {
			l := &list[i]
			if l.max > effective {
				break
			}
			closer := l.max < effective || why != "" && l.id < why
			if closer && l.groups.hasAny(groups) {
				effective, why = l.max, l.id
			}
		}
	}
	return effective, why
}

// blind reports whether something that a decision depends on could not be read.
func (p *Policy) blind(f *Facts) bool {
	return p == nil || !p.ready || f == nil || f.Unreadable
}

// start settles what all steps need: the effective class and mode, and what
// holds the tool back.
func (p *Policy) start(f *Facts) (d Decision, hold Hold) {
	listed, hold := p.contract.hold(&f.Tool)
	if f.Tool.Hold != "" {
		hold = f.Tool.Hold
	}
	d = Decision{Class: f.class(listed), Policy: p.version}
	d.Mode, d.Limit = p.Effective(f.Mode, f.Agent, f.Groups)
	return d, hold
}

// hold returns the class under which the contract lists a tool and why it holds
// it back: NotGiven and "" where it says nothing.
func (c *contract) hold(t *Tool) (Class, Hold) {
	switch {
	case !t.governed():
		return NotGiven, ""
	case c.unreadable:
		return NotGiven, HoldUnreadable
	case c.entries == nil:
		return NotGiven, ""
	}
	e, ok := c.entries[t.Name]
	switch {
	case !ok:
		return NotGiven, HoldContract
	case len(e.pins) > 0 && !slices.Contains(e.pins, t.Pin):
		return e.class, HoldPin
	}
	return e.class, ""
}

func (d *Decision) hold(h Hold) Decision {
	d.Verdict, d.Basis, d.Category, d.Hold = Hidden, BasisHeld, h.category(), h
	return *d
}

func (d *Decision) rule(v Verdict, b Basis, r *rule, f *Facts) Decision {
	d.Verdict, d.Basis, d.Rule = v, b, r.id
	d.Match, _ = r.named(f.Tool.Name)
	if r.more != nil {
		d.Note = r.more.reason
	}
	if v == Deny {
		d.Category = ByRule
	}
	return *d
}
