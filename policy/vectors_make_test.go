package policy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/assentdev/assent/policy"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// maker collects vectors. What they want comes from the oracle alone.
type maker struct {
	vectors
	names map[string]string // of policies, by their text
}

func makeVectors() *vectors {
	m := &maker{names: make(map[string]string)}
	m.About = []string{
		"What decides a call: SPEC sections 2 and 5. Written by go test ./policy -run TestVectors -update from a reference that shares no code with package policy.",
		"table: mode and class in, verdict out, where nothing else has a say.",
		"policies: documents by name. cases: a policy (none: it could not be read), the facts of a call, and the decision. A fact that is left out is empty, false or not given; without args the tool is being offered.",
		"offered: whether the tool is on the list that the model sees, from the same facts without what belongs to one call.",
		"digest stands for a digest, when and pattern for conditions in the subset of SPEC D5b. Expired is what expires at now or before.",
	}
	for _, mode := range modes {
		for _, class := range classes {
			m.Table = append(m.Table, cell{mode, class, oracleTable(mode, class)})
		}
	}
	m.Policies = make(map[string]json.RawMessage)
	for _, family := range []func(*maker){
		tables, sides, foreign, limited, raised, effects, pairs, holds, named, excepted, covering,
		conditions, contracts, expiring, bindings, scopes, conditionsOfWho, shadows, unreadables, waits, random,
	} {
		family(m)
	}
	return &m.vectors
}

// add makes a case; a nil document is a policy that could not be read.
func (m *maker) add(name string, doc *policy.Document, f policy.Facts) {
	f.Now = noon
	v := vector{Name: name, Facts: in(&f), Want: wantedOf(oracle(doc, &f), oracleOffered(doc, &f))}
	if doc != nil {
		v.Policy = m.policy(doc)
	}
	m.Cases = append(m.Cases, v)
}

func (m *maker) policy(doc *policy.Document) string {
	text, err := policy.Marshal(doc)
	if err != nil {
		panic(err)
	}
	name, ok := m.names[string(text)]
	if !ok {
		name = fmt.Sprintf("p%03d", len(m.names)+1)
		m.names[string(text)], m.Policies[name] = name, text
	}
	return name
}

// plain is a host tool that is called with arguments.
func plain(mode policy.Mode, class policy.Class) policy.Facts {
	return policy.Facts{
		Tool: policy.Tool{Kind: policy.Host, Name: "order_delete", Pin: "pin-a", Class: class},
		Mode: mode, Agent: "desk", Args: []byte(`{}`), Digest: digestOf(`{}`),
	}
}

func granted(f policy.Facts, scope policy.Scope) policy.Facts {
	t := f.Tool
	g := policy.Grant{
		ID: "g1", Scope: scope, Kind: t.Kind, Source: t.Source, Name: t.Name, Pin: t.Pin,
		Class: max(t.Class, policy.Read),
	}
	switch scope {
	case policy.ScopeExact:
		g.Digest = f.Digest
	case policy.ScopePattern:
		g.Pattern, g.When = json.RawMessage(whens[0]), conditionOf(whens[0])
	}
	f.Grants = []policy.Grant{g}
	return f
}

// allowing is an allow rule that covers what plain gives.
func allowing(id string, class policy.Class) policy.Rule {
	r := policy.Rule{
		ID: id, Effect: policy.EffectAllow, Source: policy.Source{Kind: policy.Host},
		Tools: []string{"order_delete"}, Pins: []string{"pin-a"}, Classes: []policy.Class{class},
	}
	if class >= policy.Destructive {
		r.WhenSchema = json.RawMessage(`{"not":{"properties":{"amount":{"minimum":100}}}}`)
		r.When = conditionOf(string(r.WhenSchema))
	}
	return r
}

func conditionOf(text string) policy.Condition {
	c, err := compileCondition(json.RawMessage(text), nil)
	if err != nil {
		panic(err)
	}
	return c
}

func ruled(rules ...policy.Rule) *policy.Document {
	return &policy.Document{Version: "1", Rules: rules}
}

var (
	nothing = &policy.Document{}
	given   = []policy.Class{policy.NotGiven, policy.Read, policy.Write, policy.Destructive, policy.Unknown}
	words   = []policy.Effect{policy.EffectDeny, policy.EffectAskEach, policy.EffectAsk, policy.EffectAllow}
)

func effectRule(id string, e policy.Effect, class policy.Class) policy.Rule {
	if e == policy.EffectAllow {
		return allowing(id, class)
	}
	return policy.Rule{ID: id, Effect: e, Tools: []string{"order_*"}}
}

func tables(m *maker) {
	for _, mode := range modes {
		for _, class := range given {
			m.add(fmt.Sprintf("C1 mode %s, class %q", mode, class), nothing, plain(mode, class))
		}
	}
}

func sides(m *maker) {
	for _, declared := range given {
		for _, listed := range given {
			doc := &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "order_delete", Class: listed}}}}
			m.add(fmt.Sprintf("C2 declared %q, contract %q", declared, listed), doc, plain(policy.Auto, declared))
		}
	}
}

func foreign(m *maker) {
	doc := &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "order_delete", Class: policy.Destructive}}}}
	for _, mode := range modes {
		for _, class := range given {
			f := plain(mode, class)
			f.Tool.Kind, f.Tool.Source = policy.LocalMCP, "files"
			m.add(fmt.Sprintf("C3 local MCP tool, mode %s, declared %q", mode, class), nothing, f)
			f.Tool.Kind, f.Tool.Source = policy.Server, "hub"
			m.add(fmt.Sprintf("D6 a contract does not speak of server tools: mode %s, class %q", mode, class), doc, f)
		}
	}
}

func limited(m *maker) {
	who := map[string]policy.Limit{
		"everybody": {}, "the agent": {Agents: []string{"desk"}}, "another agent": {Agents: []string{"night"}},
		"a group": {Groups: []string{"staff"}}, "another group": {Groups: []string{"audit"}},
	}
	for _, name := range sortedKeys(who) {
		for _, limit := range modes {
			for _, mode := range modes {
				l := who[name]
				l.ID, l.Max = "l1", limit
				f := plain(mode, policy.Write)
				f.Groups = []string{"guests", "staff"}
				m.add(fmt.Sprintf("C5 D4 mode %s, limit %s for %s", mode, limit, name), &policy.Document{Limits: []policy.Limit{l}}, f)
			}
		}
	}
	f := plain(policy.Auto, policy.Write)
	m.add("C5 the narrowest of several limits, the least id of equal ones", &policy.Document{Limits: []policy.Limit{
		{ID: "c", Max: policy.Ask}, {ID: "b", Max: policy.ReadOnly}, {ID: "a", Max: policy.ReadOnly, Agents: []string{"desk"}},
	}}, f)
}

func raised(m *maker) {
	for _, mode := range []policy.Mode{policy.ReadOnly, policy.Auto} {
		for _, class := range classes {
			for _, raise := range given {
				f := plain(mode, class)
				f.Raised = raise
				m.add(fmt.Sprintf("C8 mode %s, class %s raised to %q", mode, class, raise), nothing, f)
			}
		}
	}
}

func effects(m *maker) {
	for _, e := range words {
		for _, mode := range modes {
			for _, class := range classes {
				m.add(fmt.Sprintf("D1 %s alone, mode %s, class %s", e, mode, class), ruled(effectRule("7", e, class)), plain(mode, class))
			}
		}
	}
}

func pairs(m *maker) {
	for _, first := range words {
		for _, second := range words {
			doc := ruled(effectRule("a", first, policy.Write), effectRule("b", second, policy.Write))
			for _, grant := range []bool{false, true} {
				for _, before := range []bool{false, true} {
					f := plain(policy.Ask, policy.Write)
					f.DeniedBefore = before
					if grant {
						f = granted(f, policy.ScopeSession)
					}
					m.add(fmt.Sprintf("D1 P10 %s and %s, grant %v, denied before %v", first, second, grant, before), doc, f)
				}
			}
		}
	}
	for _, mode := range modes {
		f := plain(mode, policy.Write)
		f.Confirm = true
		m.add(fmt.Sprintf("D1 Confirm asks, mode %s", mode), nothing, f)
		m.add(fmt.Sprintf("D1 a grant answers Confirm, mode %s", mode), nothing, granted(f, policy.ScopeSession))
		f.DeniedBefore = true
		m.add(fmt.Sprintf("P10 denied before, mode %s", mode), nothing, f)
	}
}

func holds(m *maker) {
	for _, h := range []policy.Hold{policy.HoldQuarantine, policy.HoldChanged, policy.HoldSource, policy.HoldStopped, policy.HoldSchema} {
		for _, e := range words {
			f := granted(plain(policy.Auto, policy.Write), policy.ScopeSession)
			f.Tool.Hold = h
			m.add(fmt.Sprintf("D1 D4 held (%s) before %s, grants and modes", h, e), ruled(effectRule("7", e, policy.Write)), f)
		}
	}
}

func named(m *maker) {
	for _, pattern := range append(patterns, "read", "order", "ORDER_*", "*delete", "**", "a?b", "order_[gd]et") {
		doc := ruled(policy.Rule{ID: "7", Tools: []string{pattern}})
		for _, name := range append(toolNames, "unread_delete", "a?b") {
			f := plain(policy.Auto, policy.Write)
			f.Tool.Name = name
			m.add(fmt.Sprintf("D5 pattern %q, name %q", pattern, name), doc, f)
		}
	}
}

func excepted(m *maker) {
	for _, except := range []string{"order_get", "*_get", "*", "get", "order"} {
		doc := ruled(policy.Rule{ID: "7", Tools: []string{"order_*"}, Except: []string{except}})
		for _, name := range []string{"order_get", "order_delete"} {
			f := plain(policy.Auto, policy.Write)
			f.Tool.Name = name
			m.add(fmt.Sprintf("D1 except %q, name %q", except, name), doc, f)
		}
	}
}

func covering(m *maker) {
	for _, e := range words {
		for _, named := range classes {
			r := effectRule("7", e, named)
			r.Classes = []policy.Class{named}
			for _, class := range classes {
				f := plain(policy.Auto, class)
				f.Args, f.Digest = []byte(`{"amount":5}`), digestOf(`{"amount":5}`)
				m.add(fmt.Sprintf("D5 %s for %s, class %s", e, named, class), ruled(r), f)
			}
		}
	}
}

func conditions(m *maker) {
	for _, e := range words {
		for _, when := range whens {
			r := effectRule("7", e, policy.Write)
			r.WhenSchema, r.When = json.RawMessage(when), conditionOf(when)
			for _, args := range append(argTexts, "") {
				f := plain(policy.Ask, policy.Write)
				f.Args, f.Digest = nil, ""
				if args != "" {
					f.Args, f.Digest = []byte(args), digestOf(args)
				}
				m.add(fmt.Sprintf("D5b D3 %s when %s, args %s", e, when, args), ruled(r), f)
			}
		}
	}
}

func contracts(m *maker) {
	states := map[string]*policy.Contract{
		"none": nil, "empty": {}, "unreadable": {Unreadable: true},
		"that lists it": {Entries: []policy.Entry{{Tool: "order_delete"}}},
		"that pins it":  {Entries: []policy.Entry{{Tool: "order_delete", Pins: []string{"pin-a", "pin-c"}}}},
		"without it":    {Entries: []policy.Entry{{Tool: "order_get", Class: policy.Read}}},
		"of its case":   {Entries: []policy.Entry{{Tool: "Order_delete"}}},
		"of a pattern":  {Entries: []policy.Entry{{Tool: "order_*"}}},
	}
	for _, name := range sortedKeys(states) {
		for _, s := range sources {
			for _, pin := range append(pins, "") {
				f := plain(policy.Auto, policy.Write)
				f.Tool.Kind, f.Tool.Source, f.Tool.Pin = s.Kind, s.Name, pin
				m.add(fmt.Sprintf("D6 D7 D8 contract %s, source %s %q, pin %q", name, s.Kind, s.Name, pin), &policy.Document{Contract: states[name]}, f)
			}
		}
	}
}

func expiring(m *maker) {
	for _, after := range []time.Duration{-time.Second, 0, time.Second} {
		for _, e := range words {
			r := effectRule("7", e, policy.Write)
			r.Expires = noon.Add(after)
			m.add(fmt.Sprintf("D1 %s expires %s after now", e, after), ruled(r), plain(policy.Ask, policy.Write))
		}
		for _, scope := range []policy.Scope{policy.ScopeExact, policy.ScopeSession, policy.ScopeUser} {
			f := granted(plain(policy.Ask, policy.Write), scope)
			f.Grants[0].Expires = noon.Add(after)
			doc := &policy.Document{Caps: map[policy.Class]policy.Scope{policy.Write: policy.ScopeUser}}
			m.add(fmt.Sprintf("P3 grant %s expires %s after now", scope, after), doc, f)
		}
	}
}

func bindings(m *maker) {
	changes := map[string]func(*policy.Facts){
		"nothing":           func(*policy.Facts) {},
		"its kind":          func(f *policy.Facts) { f.Tool.Kind = policy.Server },
		"its source":        func(f *policy.Facts) { f.Tool.Source = "plug" },
		"its name":          func(f *policy.Facts) { f.Tool.Name = "order_delete2" },
		"its case":          func(f *policy.Facts) { f.Tool.Name = "Order_delete" },
		"its descriptor":    func(f *policy.Facts) { f.Tool.Pin = "pin-b" },
		"its pin is gone":   func(f *policy.Facts) { f.Tool.Pin = "" },
		"a stricter class":  func(f *policy.Facts) { f.Tool.Class = policy.Destructive },
		"a raised class":    func(f *policy.Facts) { f.Raised = policy.Destructive },
		"a lenient class":   func(f *policy.Facts) { f.Tool.Class = policy.Read },
		"its arguments":     func(f *policy.Facts) { f.Args, f.Digest = []byte(`{"amount":5}`), digestOf(`{"amount":5}`) },
		"no arguments yet":  func(f *policy.Facts) { f.Args, f.Digest = nil, "" },
		"amount at the top": func(f *policy.Facts) { f.Args, f.Digest = []byte(`{"amount":100}`), digestOf(`{"amount":100}`) },
	}
	for _, name := range sortedKeys(changes) {
		for _, scope := range []policy.Scope{policy.ScopeOnce, policy.ScopeExact, policy.ScopePattern, policy.ScopeSession, policy.ScopeUser} {
			f := granted(plain(policy.Ask, policy.Write), scope)
			changes[name](&f)
			m.add(fmt.Sprintf("P3 grant %s, then the call changes: %s", scope, name), nothing, f)
		}
		f := plain(policy.Ask, policy.Write)
		changes[name](&f)
		m.add(fmt.Sprintf("D1 allow rule, then the call changes: %s", name), ruled(allowing("7", policy.Write)), f)
	}
}

func scopes(m *maker) {
	for _, limit := range []policy.Scope{policy.ScopeOnce, policy.ScopeExact, policy.ScopePattern, policy.ScopeSession, policy.ScopeUser} {
		for _, class := range []policy.Class{policy.Destructive, policy.Unknown} {
			for _, scope := range []policy.Scope{policy.ScopeExact, policy.ScopeSession, policy.ScopeUser} {
				f := granted(plain(policy.Ask, class), scope)
				f.Grants[0].Expires = noon.Add(time.Hour)
				doc := &policy.Document{Caps: map[policy.Class]policy.Scope{policy.Destructive: limit}}
				m.add(fmt.Sprintf("P3 cap %s on destructive, grant %s, class %s", limit, scope, class), doc, f)
			}
		}
	}
	f := granted(plain(policy.Ask, policy.Unknown), policy.ScopeSession)
	m.add("P3 a wider cap on unknown does not widen the one on destructive", &policy.Document{Caps: map[policy.Class]policy.Scope{
		policy.Destructive: policy.ScopeExact, policy.Unknown: policy.ScopeSession}}, f)
	narrow := granted(plain(policy.Ask, policy.Write), policy.ScopeExact).Grants[0]
	wide := granted(plain(policy.Ask, policy.Write), policy.ScopeSession).Grants[0]
	wide.ID, narrow.ID = "a", "b"
	f = plain(policy.Ask, policy.Write)
	f.Grants = []policy.Grant{wide, narrow}
	m.add("P3 of two covering grants the narrower is named", nothing, f)
	second := wide
	second.ID = "z"
	f.Grants = []policy.Grant{second, wide}
	m.add("P3 of two covering grants of one scope the least id is named", nothing, f)
	f = plain(policy.Ask, policy.Write)
	f.Tool.Pin = ""
	m.add("P3 a tool without a digest is covered by no grant", nothing, granted(f, policy.ScopeSession))
	f = plain(policy.Ask, policy.Write)
	f.Args, f.Digest = nil, ""
	m.add("P3 a call without a digest is covered by no exact grant", nothing, granted(f, policy.ScopeExact))
	m.add("P3 a grant for a user needs a date", &policy.Document{Caps: map[policy.Class]policy.Scope{policy.Write: policy.ScopeUser}},
		granted(plain(policy.Ask, policy.Write), policy.ScopeUser))
}

func conditionsOfWho(m *maker) {
	yes, no := true, false
	rules := map[string]policy.Rule{
		"for agent desk": {Agents: []string{"desk"}}, "for agent night": {Agents: []string{"night"}},
		"for group staff": {Groups: []string{"staff"}}, "for group audit or guests": {Groups: []string{"audit", "guests"}},
		"in mode ask": {Modes: []policy.Mode{policy.Ask}}, "in mode auto or off": {Modes: []policy.Mode{policy.Auto, policy.Off}},
		"where tainted": {Tainted: &yes}, "where not tainted": {Tainted: &no},
		"of host sources": {Source: policy.Source{Kind: policy.Host}}, "of source plug": {Source: policy.Source{Kind: policy.Host, Name: "plug"}},
		"of servers": {Source: policy.Source{Kind: policy.Server}}, "of all": {},
	}
	for _, name := range sortedKeys(rules) {
		for _, tainted := range []bool{false, true} {
			for _, source := range []string{"", "plug"} {
				r := rules[name]
				r.ID, r.Effect = "7", policy.EffectAsk
				f := plain(policy.Auto, policy.Write)
				f.Tainted, f.Groups, f.Tool.Source = tainted, []string{"guests"}, source
				m.add(fmt.Sprintf("D5 ask %s: source %q, tainted %v", name, source, tainted), ruled(r), f)
			}
		}
	}
	r := policy.Rule{ID: "7", Effect: policy.EffectDeny, Modes: []policy.Mode{policy.ReadOnly}}
	doc := ruled(r)
	doc.Limits = []policy.Limit{{ID: "l1", Max: policy.ReadOnly}}
	m.add("D5 a rule's modes are the effective ones", doc, plain(policy.Auto, policy.Read))
}

func shadows(m *maker) {
	for _, e := range words {
		r := effectRule("7", e, policy.Write)
		r.Shadow = true
		m.add(fmt.Sprintf("D1 a shadow %s decides nothing", e), ruled(r), plain(policy.Ask, policy.Write))
	}
}

func unreadables(m *maker) {
	for _, class := range classes {
		m.add(fmt.Sprintf("D8 the policy cannot be read, class %s", class), nil, plain(policy.Auto, class))
		f := granted(plain(policy.Auto, class), policy.ScopeSession)
		f.Unreadable = true
		m.add(fmt.Sprintf("D8 grants cannot be read, class %s", class), nothing, f)
	}
}

func waits(m *maker) {
	ask := func(id string, e policy.Effect, wait time.Duration) policy.Rule {
		return policy.Rule{ID: id, Effect: e, Wait: wait}
	}
	m.add("P4 a rule sets the wait", ruled(ask("a", policy.EffectAsk, 72*time.Hour)), plain(policy.Ask, policy.Write))
	m.add("P4 the shortest wait of matching rules", ruled(ask("a", policy.EffectAsk, policy.MaxWait), ask("b", policy.EffectAsk, time.Hour),
		ask("c", policy.EffectAskEach, 2*time.Hour)), plain(policy.Ask, policy.Write))
	m.add("D1 of equally strict rules the least id is named", ruled(ask("b", policy.EffectAsk, 0), ask("a", policy.EffectAsk, 0)), plain(policy.Ask, policy.Write))
}

func random(m *maker) {
	r := rand.New(rand.NewPCG(1, 2))
	g := gen{r.IntN}
	for i := range 250 {
		doc := g.document()
		f := g.facts()
		m.add(fmt.Sprintf("D1 drawn %d", i), doc, *f)
	}
}
