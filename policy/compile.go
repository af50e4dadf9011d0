package policy

import (
	"slices"
	"strings"
	"time"
)

// rule is a compiled Rule. The common fields fill one cache line; what few
// rules have stands in more.
type rule struct {
	id      string
	match   string // its only name or pattern; "" where more.tools lists several
	agents  *names
	groups  *names
	more    *more
	effect  Effect
	classes uint8 // a bit for each class; 0 for any
	modes   uint8 // a bit for each mode; 0 for any
	tainted answer
	wait    seconds
}

// seconds is a Rule's Wait, which is whole seconds up to MaxWait.
type seconds uint32

func (s seconds) duration() time.Duration { return time.Duration(s) * time.Second }

type more struct {
	source  Source
	tools   []string
	except  []string
	pins    *names
	when    Condition
	expires time.Time
	reason  string
}

// answer is a condition on something that is true or false.
type answer uint8

const (
	either answer = iota
	no
	yes
)

func (a answer) met(b bool) bool { return a == either || b == (a == yes) }

// Compile makes a document ready to decide. It checks the document as Parse
// does, so that one that was built in code is held to the same rules: a
// malformed one is an error with code bad_policy or bad_contract and no
// Policy. The document may be changed or dropped afterwards.
func Compile(d *Document) (*Policy, error) {
	if d == nil {
		return nil, refuse(CodeBadPolicy, "there is no document: for a policy without rules compile an empty one")
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	c := newCompiler()
	p := &Policy{version: d.Version, ready: true, contract: newContract(d.Contract), caps: caps(d.Caps)}
	p.limits = c.limits(d.Limits)
	order := make([]*Rule, len(d.Rules))
	for i := range d.Rules {
		order[i] = &d.Rules[i]
	}
	slices.SortFunc(order, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	p.rules = make([]rule, 0, len(order))
	p.all.links = make([]link, 1, 1+len(order)) // most rules name one tool
	for _, r := range order {
		if r.Shadow {
			p.shadows = append(p.shadows, c.rule(r))
			continue
		}
		p.enter(r, int32(len(p.rules)))
		p.rules = append(p.rules, c.rule(r))
	}
	return p, nil
}

func caps(given map[Class]Scope) (caps [Unknown + 1]Scope) {
	for class := range caps {
		caps[class] = ScopeSession
	}
	for class, scope := range given {
		caps[class] = scope
	}
	if _, ok := given[Unknown]; !ok {
		caps[Unknown] = caps[Destructive]
	}
	caps[Unknown] = min(caps[Unknown], caps[Destructive])
	return caps
}

// enter adds a rule to the index of its source, or to the one of all.
func (p *Policy) enter(r *Rule, n int32) {
	x := &p.all
	if r.Source.Name != "" {
		if p.by == nil {
			p.by = make(map[Source]*index)
		}
		if p.by[r.Source] == nil {
			p.by[r.Source] = new(index)
		}
		x = p.by[r.Source]
	}
	for _, pattern := range r.patterns() {
		x.add(pattern, n)
	}
}

// patterns returns the names that the rule is entered under, each once.
func (r *Rule) patterns() []string {
	switch len(r.Tools) {
	case 0:
		return []string{"*"}
	case 1:
		return r.Tools
	default:
		return slices.Compact(slices.Sorted(slices.Values(r.Tools)))
	}
}

func (c *compiler) rule(r *Rule) rule {
	out := rule{
		id: r.ID, effect: r.Effect,
		agents: c.list(r.Agents), groups: c.list(r.Groups),
		classes: classBits(r), modes: modeBits(r.Modes),
		wait: seconds(r.Wait / time.Second), more: c.rest(r),
	}
	if p := r.patterns(); len(p) == 1 {
		out.match = p[0]
	}
	if r.Tainted != nil {
		out.tainted = no
		if *r.Tainted {
			out.tainted = yes
		}
	}
	return out
}

// rest returns what few rules have, nil for nothing.
func (c *compiler) rest(r *Rule) *more {
	m := more{
		source: r.Source, except: slices.Clone(r.Except), pins: c.list(r.Pins),
		when: r.When, expires: r.Expires, reason: r.Reason,
	}
	if len(r.Tools) > 1 {
		m.tools = r.patterns()
	}
	plain := m.source == Source{} && m.tools == nil && len(m.except) == 0 && m.pins == nil &&
		m.when == nil && m.expires.IsZero() && m.reason == ""
	if plain {
		return nil
	}
	return &m
}

func classBits(r *Rule) (bits uint8) {
	for _, c := range r.Classes {
		bits |= 1 << c
		if c == Destructive && r.Effect != EffectAllow {
			bits |= 1 << Unknown
		}
	}
	return bits
}

func modeBits(modes []Mode) (bits uint8) {
	for _, m := range modes {
		bits |= 1 << m
	}
	return bits
}
