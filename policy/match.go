package policy

// matched is what the rules say of a call: of each effect the matching rule
// with the least ID, since those of one effect are equally strict.
type matched struct {
	sure bool // count only what matches whatever the arguments are

	deny, askEach, ask, allow *rule

	wait     seconds // the shortest that a matching rule that asks sets
	examined int
}

// match looks at the rules whose name pattern meets the tool.
func (p *Policy) match(f *Facts, d *Decision, m *matched) {
	p.search(&p.all, f, d, m)
	if p.by != nil && f.Tool.Source != "" {
		if x := p.by[Source{f.Tool.Kind, f.Tool.Source}]; x != nil {
			p.search(x, f, d, m)
		}
	}
}

// search walks an index along the tool's name.
func (p *Policy) search(x *index, f *Facts, d *Decision, m *matched) {
	rest := f.Tool.Name
	var have letters
	if x.parts {
		have = lettersOf(rest)
	}
	if x.exact != nil {
		p.look(x, x.exact[rest], f, d, m)
	}
	for n := &x.root; n != nil; {
		for i := range n.stars {
			if s := &n.stars[i]; s.need&^have == 0 && s.ends(rest) {
				p.look(x, s.first, f, d, m)
			}
		}
		if n = n.child(rest); n != nil {
			rest = rest[len(n.label):]
		}
	}
}

// look looks at the rules of a chain.
func (p *Policy) look(x *index, first int32, f *Facts, d *Decision, m *matched) {
	for n := first; n != 0; n = x.links[n].next {
		m.examined++
		if r := &p.rules[x.links[n].rule]; r.matches(f, d.Class, d.Mode, m.sure) {
			m.add(r)
		}
	}
}

func (m *matched) add(r *rule) {
	best := &m.allow
	switch r.effect {
	case EffectDeny:
		best = &m.deny
	case EffectAskEach:
		best = &m.askEach
	case EffectAsk:
		best = &m.ask
	}
	if *best == nil || r.id < (*best).id {
		*best = r
	}
	if r.wait > 0 && (m.wait == 0 || r.wait < m.wait) {
		m.wait = r.wait
	}
}

// matches reports whether the call meets all conditions of the rule but its
// names, which the index has looked at.
func (r *rule) matches(f *Facts, class Class, mode Mode, sure bool) bool {
	switch {
	case r.classes != 0 && r.classes>>class&1 == 0,
		r.modes != 0 && r.modes>>mode&1 == 0,
		!r.tainted.met(f.Tainted),
		!r.agents.has(f.Agent),
		!r.groups.hasAny(f.Groups):
		return false
	}
	return r.more == nil || r.more.matches(f, r.effect, sure)
}

func (m *more) matches(f *Facts, effect Effect, sure bool) bool {
	if m.source.Kind != "" && m.source.Kind != f.Tool.Kind ||
		m.source.Name != "" && m.source.Name != f.Tool.Source {
		return false
	}
	if _, out := met(m.except, f.Tool.Name); out {
		return false
	}
	if effect == EffectAllow {
		return m.allows(f)
	}
	if over(m.expires, f.Now) {
		return false
	}
	if m.when == nil {
		return true
	}
	match, known := look(m.when, f.Args)
	return match && known || !known && !sure
}

// allows looks at what binds a standing grant, as Covers does for a person's.
func (m *more) allows(f *Facts) bool {
	if m.source.Name != f.Tool.Source || !m.pins.has(f.Tool.Pin) || !live(m.expires, f.Now) {
		return false
	}
	if m.when == nil {
		return true
	}
	match, known := look(m.when, f.Args)
	return match && known
}
