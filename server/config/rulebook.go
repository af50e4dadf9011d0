package config

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// book has the rules and limits of a tenant, or of an agent: where they stand,
// and what could be read of them.
type book struct {
	ruleNodes, limitNodes []*node
	rules                 []policy.Rule
	limits                []policy.Limit
}

// book reads rules and limits. Their ids are unique among themselves and those
// of shared, which may be nil.
func (b *builder) book(n *node, shared *book) *book {
	k := &book{ruleNodes: n.elements("rules"), limitNodes: n.elements("limits")}
	if shared == nil {
		shared = &book{}
	}
	b.unique([][]*node{shared.ruleNodes, k.ruleNodes}, "id", "the rule")
	b.unique([][]*node{shared.limitNodes, k.limitNodes}, "id", "the limit")
	for _, n := range k.ruleNodes {
		if r, ok := b.rule(n); ok {
			k.rules = append(k.rules, r)
		}
	}
	for _, n := range k.limitNodes {
		if l, ok := b.limit(n); ok {
			k.limits = append(k.limits, l)
		}
	}
	return k
}

// strangers warns of rules and limits that name agents which they cannot meet
// (SPEC D5).
func (b *builder) strangers(k *book, slugs map[string]bool, why string) {
	for _, list := range [][]*node{k.ruleNodes, k.limitNodes} {
		for _, n := range list {
			for _, name := range n.elements("agents") {
				if name.kind == text && !slugs[name.text] {
					b.warnings.at(name, "%s: correct it, or remove it", why)
				}
			}
		}
	}
}

// policy makes an agent's document and compiles it.
func (b *builder) policy(a *Agent, n *node, shared *book) {
	own := b.book(n, shared)
	b.strangers(own, map[string]bool{a.Slug: true}, "this stands within another agent, so it never matches")
	d := &policy.Document{
		Contract: b.contract(n.member("contract")),
		Rules:    slices.Concat(shared.rules, own.rules),
		Limits:   slices.Concat(shared.limits, own.limits),
		Caps:     caps(decode[wireCaps](n.member("caps"))),
	}
	if len(b.list) > 0 {
		return // the file is refused anyway
	}
	if err := a.govern(d); err != nil {
		b.at(n, "%s", fault.TextOf(err))
	}
}

// rule reads a rule as package policy does; ok is false where something is wrong
// with it.
func (b *builder) rule(n *node) (r policy.Rule, ok bool) {
	if n.bad {
		return r, false
	}
	raw := append(n.json([]byte(`{"rules":[`)), `]}`...)
	d, _, err := policy.Parse(raw, &policy.Options{Condition: condition})
	if err != nil {
		at := n
		if strings.Contains(fault.TextOf(err), "when") {
			at = n.or("when")
		}
		b.refuse(n, at, err)
		return r, false
	}
	return d.Rules[0], true
}

func condition(when json.RawMessage, _ *policy.Rule) (policy.Condition, error) {
	return schema.CompileCondition(when, nil)
}

func (b *builder) limit(n *node) (l policy.Limit, ok bool) {
	if n.bad {
		return l, false
	}
	raw := append(n.json([]byte(`{"limits":[`)), `]}`...)
	d, _, err := policy.Parse(raw, nil)
	if err != nil {
		b.refuse(n, n, err)
		return l, false
	}
	return d.Limits[0], true
}

// refuse notes what package policy says; its line is of another text.
func (b *builder) refuse(n, at *node, err error) {
	what := fault.TextOf(err)
	if e, ok := errors.AsType[*policy.Error](err); ok {
		what = strings.TrimPrefix(e.Text, "contract: ") // the path says so
	}
	b.at(at, "%s", what)
	n.bad = true
}

// contract reads a contract. There are three states beside a filled one, and
// they differ: none, which is nil; an empty one; an unreadable one (SPEC D8).
func (b *builder) contract(n *node) *policy.Contract {
	if n == nil {
		return nil
	}
	b.unique([][]*node{n.elements("tools")}, "tool", "the tool")
	for _, e := range n.elements("tools") {
		n.bad = n.bad || e.bad
	}
	if n.bad {
		return nil
	}
	c, _, err := policy.ParseContract(n.json(nil))
	if err != nil {
		b.refuse(n, n, err)
		return nil
	}
	for _, e := range n.elements("tools") {
		b.entryClass(e.member("class"))
	}
	return c
}

// entryClass warns of a class that is none: it counts as unknown (SPEC C7).
func (b *builder) entryClass(n *node) {
	if n == nil {
		return
	}
	if _, known := policy.ReadClass(n.text); !known {
		b.warnings.at(n, "unknown class %s counts as unknown: write read, write, destructive or unknown", show(n.text))
	}
}

func caps(w wireCaps) map[policy.Class]policy.Scope {
	words := map[policy.Class]string{
		policy.Read: w.Read, policy.Write: w.Write, policy.Destructive: w.Destructive, policy.Unknown: w.Unknown,
	}
	out := map[policy.Class]policy.Scope{}
	for class, word := range words {
		if word == "" {
			continue
		}
		scope, _ := policy.ParseScope(word) // the schema has the same words; the zero scope is the narrowest
		out[class] = scope
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
