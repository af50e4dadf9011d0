package config

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model/scripted"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

const (
	maxInstructions = 256 << 10
	maxScript       = 1 << 20
	maxShared       = 200_000 // rules and limits of tenants, for each agent again
)

// tenant makes a tenant of the object that has its agents, rules and limits.
func (b *builder) tenant(name string, n *node) Tenant {
	nodes := n.elements("agents")
	b.unique([][]*node{nodes}, "slug", "the agent")
	slugs := map[string]bool{}
	for _, a := range nodes {
		if s := a.member("slug"); s != nil {
			slugs[s.text] = true
		}
	}
	shared := b.book(n, nil)
	b.strangers(shared, slugs, "no agent of the tenant has this slug")
	if most := len(shared.rules) + len(shared.limits); most*len(nodes) > maxShared {
		b.at(n, "%d rules and limits for all of %d agents are too many: write them for the agents that need them", most, len(nodes))
		nodes = nil
	}
	t := Tenant{Name: name, Agents: []*Agent{}}
	for _, a := range nodes {
		t.Agents = append(t.Agents, b.agent(name, a, shared))
	}
	slices.SortFunc(t.Agents, func(a, b *Agent) int { return strings.Compare(a.Slug, b.Slug) })
	return t
}

func (b *builder) agent(tenant string, n *node, shared *book) *Agent {
	w := decode[wireAgent](n)
	a := &Agent{
		Tenant: tenant, Slug: w.Slug, Name: cmp.Or(w.Name, w.Slug), LocalMCP: w.LocalMCP,
		Wait: time.Duration(w.WaitSeconds) * time.Second, Turn: w.Turn.limits(),
		Instructions: b.instructions(n, w.Instructions),
	}
	if w.Mode != "" {
		mode := policy.ReadMode(w.Mode)
		a.Mode = &mode
	}
	a.Provider, a.Model, _ = strings.Cut(w.Model, "/")
	b.providerOf(n.member("model"), a.Provider)
	if w.Mode == "auto" {
		b.warnings.at(n.member("mode"), "sessions start in ask: a default can make that stricter and never wider")
	}
	b.policy(a, n, shared)
	return a
}

func (w wireTurn) limits() turn.Limits {
	return turn.Limits{
		Steps: w.Steps, Calls: w.Calls, Tokens: w.Tokens, Time: time.Duration(w.TimeSeconds) * time.Second,
		Repeats: w.Repeats, ResultBytes: w.ResultBytes, ContextBytes: w.ContextBytes, Denials: w.Denials,
	}
}

func (b *builder) instructions(n *node, own string) string {
	file := n.member("instructions_file")
	if file == nil {
		return own
	}
	if n.member("instructions") != nil {
		b.at(file, "the instructions stand in the file or here, not in both: remove one")
		return own
	}
	return string(b.content(file, maxInstructions))
}

// script reads what a scripted provider says, to find its mistakes now.
func (b *builder) script(n *node) []byte {
	data := b.content(n, maxScript)
	if data == nil {
		return nil
	}
	if _, err := scripted.ReadScript(data); err != nil {
		b.at(n, "the script cannot be used: %s", fault.TextOf(err))
	}
	return data
}
