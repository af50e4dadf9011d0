package policy_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/assentdev/assent/policy"
	"pgregory.net/rapid"
)

// gen makes documents and facts from small domains, so that they meet often.
// Its choices come from rapid, or from a seeded generator for the vectors.
type gen struct{ pick func(n int) int }

func drawn(t *rapid.T) gen {
	return gen{func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }}
}

var (
	noon      = time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)
	toolNames = []string{"order_get", "order_delete", "mail_send", "mcp.hub.get_file", "mcp.hub.drop", "Order_get", "a\nb"}
	patterns  = []string{"*", "order_*", "*_get", "mcp.hub.*", "mcp.*.get_*", "*_*", "o*r*e*t*", "order_get", "mail_send", "mcp.hub.drop", "*hub*", "a*b"}
	whens     = []string{
		`{"properties":{"amount":{"minimum":100}}}`,
		`{"properties":{"to":{"enum":["ann","bob"]}}}`,
		`{"not":{"properties":{"amount":{"maximum":10}}}}`,
	}
	argTexts = []string{`{}`, `{"amount":5}`, `{"amount":100}`, `{"to":"ann"}`, `{"amount":50,"to":"eve"}`, `{"amount":"many"}`}
	agents   = []string{"desk", "night"}
	groups   = []string{"staff", "guests", "audit"}
	pins     = []string{"pin-a", "pin-b"}
	classes  = []policy.Class{policy.Read, policy.Write, policy.Destructive, policy.Unknown}
	modes    = []policy.Mode{policy.Off, policy.ReadOnly, policy.Ask, policy.Auto}
	sources  = []policy.Source{{policy.Host, ""}, {policy.Host, "plug"}, {policy.LocalMCP, "files"}, {policy.Server, "hub"}}
)

func one[T any](g gen, list []T) T { return list[g.pick(len(list))] }

// some returns up to most of the list's members, often none.
func some[T any](g gen, list []T, most int) (out []T) {
	if g.chance(60) {
		return nil
	}
	for range 1 + g.pick(most) {
		out = append(out, one(g, list))
	}
	return out
}

func (g gen) chance(percent int) bool { return g.pick(100) < percent }

func (g gen) when() (policy.Condition, json.RawMessage) {
	raw := json.RawMessage(one(g, whens))
	c, err := compileCondition(raw, nil)
	if err != nil {
		panic(err)
	}
	return c, raw
}

func (g gen) expiry() time.Time {
	if g.chance(70) {
		return time.Time{}
	}
	return noon.Add(time.Duration(g.pick(3)-1) * time.Second)
}

func (g gen) rule(id string) policy.Rule {
	r := policy.Rule{ID: id, Effect: policy.Effect(g.pick(4)), Shadow: g.chance(10), Expires: g.expiry()}
	if g.chance(40) {
		r.When, r.WhenSchema = g.when()
	}
	r.Agents, r.Groups = some(g, agents, 2), some(g, groups, 2)
	r.Modes = some(g, modes, 2)
	if g.chance(20) {
		tainted := g.chance(50)
		r.Tainted = &tainted
	}
	if r.Effect == policy.EffectAllow {
		return g.allow(r)
	}
	r.Tools, r.Except = some(g, patterns, 3), some(g, patterns[1:], 1)
	r.Classes = some(g, classes, 2)
	if g.chance(30) {
		r.Source = one(g, sources)
	}
	if r.Effect != policy.EffectDeny && g.chance(30) {
		r.Wait = time.Duration(1+g.pick(9)) * time.Minute
	}
	return r
}

func (g gen) allow(r policy.Rule) policy.Rule {
	r.Tools = []string{one(g, toolNames), one(g, toolNames)}
	r.Source, r.Pins, r.Classes = one(g, sources), []string{one(g, pins)}, []policy.Class{one(g, classes)}
	if r.Classes[0] >= policy.Destructive && r.When == nil {
		r.When, r.WhenSchema = g.when()
	}
	return r
}

func (g gen) document() *policy.Document {
	d := &policy.Document{Version: "v1", Contract: g.contract()}
	for i := range g.pick(7) {
		d.Rules = append(d.Rules, g.rule(fmt.Sprint(g.pick(9), "-", i)))
	}
	for i := range g.pick(3) {
		d.Limits = append(d.Limits, policy.Limit{
			ID: fmt.Sprint("limit-", 9-i), Max: one(g, modes), Agents: some(g, agents, 1), Groups: some(g, groups, 1),
		})
	}
	for _, c := range some(g, classes, 2) {
		if d.Caps == nil {
			d.Caps = make(map[policy.Class]policy.Scope)
		}
		d.Caps[c] = policy.Scope(g.pick(5))
	}
	return d
}

func (g gen) contract() *policy.Contract {
	switch g.pick(8) {
	case 0:
		return &policy.Contract{}
	case 1:
		return &policy.Contract{Unreadable: true}
	case 2, 3, 4:
		return nil
	}
	c := new(policy.Contract)
	for _, name := range toolNames {
		if g.chance(75) {
			c.Entries = append(c.Entries, policy.Entry{Tool: name, Class: policy.Class(g.pick(5)), Pins: some(g, pins, 1)})
		}
	}
	return c
}

func (g gen) tool() policy.Tool {
	s := one(g, sources)
	t := policy.Tool{Kind: s.Kind, Source: s.Name, Name: one(g, toolNames), Pin: one(g, pins), Class: policy.Class(g.pick(5))}
	if g.chance(5) {
		t.Hold = one(g, []policy.Hold{policy.HoldQuarantine, policy.HoldChanged, policy.HoldSource, policy.HoldStopped, policy.HoldSchema})
	}
	return t
}

func (g gen) facts() *policy.Facts {
	f := &policy.Facts{
		Tool: g.tool(), Agent: one(g, agents), Groups: some(g, groups, 2), Mode: one(g, modes),
		Tainted: g.chance(50), Now: noon, Unreadable: g.chance(1),
	}
	if g.chance(60) {
		f.Mode = policy.Mode(2 + g.pick(2))
	}
	if g.chance(85) {
		g.call(f)
	}
	for i := range g.pick(4) {
		f.Grants = append(f.Grants, g.grant(fmt.Sprint("grant-", 9-i), f))
	}
	return f
}

// call fills in what belongs to one call.
func (g gen) call(f *policy.Facts) {
	n := g.pick(len(argTexts))
	f.Args, f.Digest = []byte(argTexts[n]), digestOf(argTexts[n])
	f.Confirm, f.DeniedBefore = g.chance(20), g.chance(10)
	if g.chance(20) {
		f.Raised = one(g, classes)
	}
}

// digestOf stands for a digest: what matters here is that it tells texts apart.
func digestOf(args string) string { return "digest of " + args }

// grant makes one that mostly covers the tool.
func (g gen) grant(id string, f *policy.Facts) policy.Grant {
	t := f.Tool
	out := policy.Grant{
		ID: id, Scope: policy.Scope(g.pick(5)), Kind: t.Kind, Source: t.Source, Name: t.Name, Pin: t.Pin,
		Class: one(g, classes), Expires: g.expiry(),
	}
	switch out.Scope {
	case policy.ScopeExact:
		out.Digest = digestOf(one(g, argTexts))
	case policy.ScopePattern:
		out.When, out.Pattern = g.when()
	}
	if g.chance(20) {
		other := one(g, sources)
		out.Kind, out.Source, out.Name, out.Pin = other.Kind, other.Name, one(g, toolNames), one(g, pins)
	}
	return out
}
