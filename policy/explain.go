package policy

// Trace shows how a decision came about: every step of SPEC D1, also those
// behind the one that decided, and every rule that matched.
type Trace struct {
	Declared Class `json:"declared,omitempty"` // by the application or an administrator
	Listed   Class `json:"listed,omitempty"`   // by the contract
	Raised   Class `json:"raised,omitempty"`   // by the tool, for this call
	Asked    Mode  `json:"asked"`              // the session's mode, before limits

	Steps []Step `json:"steps"`
	Hits  []Hit  `json:"hits,omitempty"` // by ID, shadow rules last
}

// Step is one step of SPEC D1. The first one that is found decides.
type Step struct {
	Basis   Basis  `json:"basis"`
	Found   bool   `json:"found"`
	Decides bool   `json:"decides,omitempty"`
	Text    string `json:"text,omitempty"` // what it says, where it is found
}

// Hit is a rule that matched.
type Hit struct {
	Rule   string `json:"rule"`
	Effect Effect `json:"effect"`
	Match  string `json:"match"` // the name or pattern by which it met the tool
	Shadow bool   `json:"shadow,omitempty"`
	// Undetermined says that its condition could not be determined, which
	// counts as a match for rules that deny or ask (SPEC D5b).
	Undetermined bool   `json:"undetermined,omitempty"`
	Note         string `json:"note,omitempty"` // its reason
}

// Explain returns what Decide returns, and how it came about. It looks at every
// rule of the policy, one by one, and is for people: cards, the console, tests.
func (p *Policy) Explain(f *Facts) (Decision, Trace) {
	d := p.Decide(f)
	if p.blind(f) {
		return d, Trace{Steps: []Step{{BasisUnreadable, true, true, d.because()}}}
	}
	var now Decision
	hold := p.start(f, &now)
	listed, _ := p.contract.hold(&f.Tool)
	t := Trace{Declared: f.Tool.Class, Listed: listed, Raised: f.Raised, Asked: f.Mode.known()}
	t.Hits = append(hits(p.rules, f, &now, false), hits(p.shadows, f, &now, true)...)
	for _, step := range p.steps(f, &now, hold, t.Hits) {
		s := Step{Basis: step.Basis, Found: step.found, Decides: step.Basis == d.Basis}
		if s.Found {
			s.Text = step.because()
		}
		t.Steps = append(t.Steps, s)
	}
	return d, t
}

// step is what one step of SPEC D1 would decide on its own.
type step struct {
	Decision
	found bool
}

func (p *Policy) steps(f *Facts, now *Decision, hold Hold, hits []Hit) []step {
	at := func(b Basis, found bool) step {
		d := *now
		d.Basis = b
		return step{d, found}
	}
	ruled := func(b Basis, e Effect) step {
		s := at(b, false)
		for _, h := range hits {
			if h.Effect == e && !h.Shadow {
				s.found, s.Rule, s.Match, s.Note = true, h.Rule, h.Match, h.Note
				break
			}
		}
		return s
	}
	held := at(BasisHeld, hold != "")
	held.Hold = hold
	granted := at(BasisGrant, false)
	if g := p.grant(f, now.Class); g != nil {
		granted.found, granted.Grant = true, g.ID
	}
	last := at(BasisTable, true)
	last.Verdict = Decide(now.Mode, now.Class)
	return []step{
		held,
		ruled(BasisDeny, EffectDeny),
		at(BasisMode, last.Verdict == Hidden),
		at(BasisDenied, f.DeniedBefore),
		ruled(BasisAskEach, EffectAskEach),
		granted,
		ruled(BasisAllow, EffectAllow),
		ruled(BasisAskRule, EffectAsk),
		at(BasisConfirm, f.Confirm),
		last,
	}
}

func hits(rules []rule, f *Facts, now *Decision, shadow bool) []Hit {
	var out []Hit
	for i := range rules {
		r := &rules[i]
		match, ok := r.named(f.Tool.Name)
		if !ok || !r.matches(f, now.Class, now.Mode, false) {
			continue
		}
		h := Hit{Rule: r.id, Effect: r.effect, Match: match, Shadow: shadow}
		h.Undetermined = !r.matches(f, now.Class, now.Mode, true)
		if r.more != nil {
			h.Note = r.more.reason
		}
		out = append(out, h)
	}
	return out
}

// named returns the name or pattern of the rule that a name meets.
func (r *rule) named(name string) (string, bool) {
	if r.match != "" {
		return r.match, glob(r.match, name)
	}
	return met(r.more.tools, name)
}
