package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/assentdev/assent/policy"
)

// scenario is what every engine decides: a policy of n rules over n/4 servers
// with 20 tools each, a contract of 200 of these tools, and 64 calls.
type scenario struct {
	doc   *policy.Document
	class map[string]policy.Class // the contract, for engines that are handed the class
	calls []policy.Facts
}

var (
	verbs = []string{"list", "get", "search", "read", "create", "update", "move", "delete", "send", "export"}
	nouns = []string{"issue", "file", "page", "order", "invoice", "user", "branch", "ticket", "row", "message"}
)

const pin = "sha256-accepted"

// newScenario makes about as many rules meet a call whatever n is: three in
// five name one tool, one in three all tools of a server, the rest have a star
// inside. One in twenty-five denies, a third of those that name a tool allow, the
// others ask, a few of them each time. Three in ten ask for a group, two for an
// agent, two for a class.
func newScenario(n int) *scenario {
	r := rand.New(rand.NewPCG(7, 7))
	tools := universe(max(50, n/4))
	s := &scenario{doc: &policy.Document{Version: "1", Contract: &policy.Contract{}}, class: make(map[string]policy.Class)}
	var listed []string
	for len(listed) < 200 {
		t := tools[r.IntN(len(tools))]
		if _, ok := s.class[t]; ok {
			continue
		}
		listed, s.class[t] = append(listed, t), policy.Class(1+r.IntN(4))
		s.doc.Contract.Entries = append(s.doc.Contract.Entries, policy.Entry{Tool: t, Class: s.class[t]})
	}
	for i := range n {
		s.doc.Rules = append(s.doc.Rules, newRule(r, fmt.Sprintf("%05d", i), tools))
	}
	for i := range 64 {
		s.calls = append(s.calls, newCall(r, i, listed))
	}
	return s
}

func universe(servers int) (tools []string) {
	for i := range servers {
		for j := range 20 {
			tools = append(tools, fmt.Sprintf("mcp.server%04d.%s_%s", i, verbs[(i+j)%10], nouns[(i*3+j*7/3)%10]))
		}
	}
	return tools
}

func newRule(r *rand.Rand, id string, tools []string) policy.Rule {
	tool := tools[r.IntN(len(tools))]
	u := policy.Rule{ID: id, Effect: policy.EffectAsk}
	switch k := r.IntN(100); {
	case k < 4:
		u.Effect = policy.EffectDeny
	case k < 10:
		u.Effect = policy.EffectAskEach
	}
	switch k := r.IntN(100); {
	case k < 60:
		u.Tools = []string{tool}
	case k < 95:
		u.Tools = []string{tool[:strings.LastIndexByte(tool, '.')] + ".*"}
	default:
		u.Tools = []string{tool[:len("mcp.server00")] + "*." + verbs[r.IntN(10)] + "_*"}
	}
	if r.IntN(100) < 30 {
		u.Groups = []string{fmt.Sprintf("group%02d", r.IntN(40))}
	}
	if r.IntN(100) < 20 {
		u.Agents = []string{fmt.Sprintf("agent%02d", r.IntN(20))}
	}
	switch {
	case u.Effect == policy.EffectAsk && u.Tools[0] == tool && r.IntN(3) == 0:
		u.Effect, u.Source, u.Pins = policy.EffectAllow, policy.Source{Kind: policy.Host}, []string{pin}
		u.Classes = []policy.Class{policy.Class(1 + r.IntN(2))}
	case r.IntN(100) < 20:
		u.Classes = []policy.Class{policy.Destructive}
	}
	return u
}

func newCall(r *rand.Rand, i int, listed []string) policy.Facts {
	f := policy.Facts{
		Tool: policy.Tool{Kind: policy.Host, Name: listed[r.IntN(len(listed))], Pin: pin, Class: policy.Class(r.IntN(4))},
		Mode: policy.Ask, Agent: fmt.Sprintf("agent%02d", r.IntN(20)), Args: []byte(`{}`),
	}
	switch {
	case i%10 == 9:
		f.Tool.Name = "mcp.elsewhere.get_file" // not in the contract
	case i%4 == 1:
		f.Mode = policy.Auto
	case i%8 == 2:
		f.Mode = policy.ReadOnly
	}
	for range 4 {
		f.Groups = append(f.Groups, fmt.Sprintf("group%02d", r.IntN(40)))
	}
	return f
}
