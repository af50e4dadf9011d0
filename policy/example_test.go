package policy_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/assentdev/assent/policy"
)

func ExampleDecide() {
	fmt.Println(policy.Decide(policy.Auto, policy.Write))
	fmt.Println(policy.Decide(policy.Auto, policy.Destructive))
	fmt.Println(policy.Decide(policy.ReadOnly, policy.Write))
	// Output:
	// run
	// ask
	// hidden
}

func ExampleStricter() {
	fmt.Println(policy.Stricter(policy.Write, policy.Destructive))
	fmt.Println(policy.Stricter(policy.NotGiven, policy.Read)) // one side did not say
	fmt.Println(policy.Stricter(policy.NotGiven, policy.NotGiven))
	// Output:
	// destructive
	// read
	// unknown
}

func ExampleParse() {
	doc, _, err := policy.Parse([]byte(`{
	  "version": "12",
	  "rules": [
	    {"id": "7", "effect": "ask", "tools": ["mcp.github.*"], "except": ["*.get_*"], "reason": "it is public"}
	  ],
	  "limits": [{"id": "interns", "groups": ["interns"], "mode": "read_only"}]
	}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := policy.Compile(doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	call := policy.Facts{
		Tool: policy.Tool{Kind: policy.Server, Source: "github", Name: "mcp.github.merge", Class: policy.Write},
		Mode: policy.Auto,
		Args: []byte(`{"pr":4}`),
	}
	d := p.Decide(&call)
	fmt.Println(d.Verdict, "because", d.Reason())
	call.Groups = []string{"interns"}
	d = p.Decide(&call)
	fmt.Println(d.Verdict, "because", d.Reason())
	// Output:
	// ask because rule 7 'mcp.github.*' asks: it is public; mode auto
	// hidden because the mode hides write tools; mode read_only by limit interns
}

func ExampleParse_mistake() {
	_, _, err := policy.Parse([]byte(`{"rules": [
	  {"id": "7", "efect": "deny"}
	]}`), nil)
	fmt.Println(err)
	// Output:
	// bad_policy: line 2: rule "7": unknown field "efect": the fields are id, effect, shadow, source, tools, except, classes, agents, groups, modes, tainted, when, expires, wait_seconds, reason and pins
}

func ExampleParseContract() {
	c, warnings, err := policy.ParseContract([]byte(`{"tools": [{"tool": "order_delete", "class": "harmless"}]}`))
	fmt.Println(c.Entries[0].Class, err)
	fmt.Println(warnings[0].At, warnings[0].Text)
	// Output:
	// unknown <nil>
	// order_delete unknown class "harmless" counts as unknown: write read, write, destructive or unknown
}

func ExampleMarshal() {
	text, err := policy.Marshal(&policy.Document{
		Rules: []policy.Rule{{ID: "7", Effect: policy.EffectDeny, Tools: []string{"order_*"}}},
	})
	fmt.Print(string(text))
	fmt.Println(err)
	// Output:
	// {
	//   "rules": [
	//     {
	//       "id": "7",
	//       "effect": "deny",
	//       "tools": [
	//         "order_*"
	//       ]
	//     }
	//   ]
	// }
	// <nil>
}

func ExamplePolicy_Explain() {
	p, err := policy.Compile(&policy.Document{Rules: []policy.Rule{
		{ID: "ask-deletes", Effect: policy.EffectAskEach, Tools: []string{"*_delete"}},
		{ID: "trial", Effect: policy.EffectDeny, Shadow: true},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, trace := p.Explain(&policy.Facts{
		Tool: policy.Tool{Kind: policy.Host, Name: "order_delete", Class: policy.Destructive},
		Mode: policy.Ask,
	})
	for _, s := range trace.Steps {
		if s.Found {
			fmt.Println(s.Decides, s.Text)
		}
	}
	for _, h := range trace.Hits {
		fmt.Println(h.Rule, h.Effect, "shadow:", h.Shadow)
	}
	// Output:
	// true rule ask-deletes '*_delete' asks for each call
	// false class destructive asks
	// ask-deletes ask_each shadow: false
	// trial deny shadow: true
}

// A rule with a condition spares some arguments, so that its tool is offered;
// a rule without one does not.
func ExamplePolicy_Offer() {
	rule := policy.Rule{ID: "7", Effect: policy.EffectDeny, Tools: []string{"order_refund"}}
	call := policy.Facts{Tool: policy.Tool{Kind: policy.Host, Name: "order_refund", Class: policy.Write}, Mode: policy.Ask}
	for _, when := range []string{"", `{"properties":{"amount":{"minimum":100}}}`} {
		if when != "" {
			rule.WhenSchema = json.RawMessage(when)
			rule.When = conditionOf(when) // package schema compiles it
		}
		p, err := policy.Compile(&policy.Document{Rules: []policy.Rule{rule}})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, offered := p.Offer(&call)
		fmt.Println(offered)
	}
	// Output:
	// false
	// true
}

func ExampleCovers() {
	tool := policy.Tool{Kind: policy.Host, Name: "order_delete", Pin: "sha256-a", Class: policy.Destructive}
	grant := policy.Grant{
		ID: "g1", Scope: policy.ScopeSession,
		Kind: tool.Kind, Name: tool.Name, Pin: tool.Pin, Class: policy.Destructive,
	}
	fmt.Println(policy.Covers(grant, &policy.Facts{Tool: tool}, policy.Destructive))
	tool.Pin = "sha256-b" // the tool's description changed
	fmt.Println(policy.Covers(grant, &policy.Facts{Tool: tool}, policy.Destructive))
	// Output:
	// true
	// false
}

func ExampleTighter() {
	runs := policy.Decision{Verdict: policy.Run, Basis: policy.BasisTable, Class: policy.Write, Mode: policy.Auto}
	asks := policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisTable, Class: policy.Write, Mode: policy.Ask}
	d := policy.Tighter(runs, asks)
	fmt.Println(d.Verdict, "because", d.Reason())
	// Output: ask because class write asks; mode ask
}

func ExampleAtClaim() {
	stored := policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisTable, Class: policy.Write, Mode: policy.Ask}
	now := policy.Decision{Verdict: policy.Run, Basis: policy.BasisGrant, Grant: "g1", Class: policy.Write, Mode: policy.Ask}
	d := policy.AtClaim(stored, now)
	fmt.Println(d.Verdict, "because", d.Reason())
	// Output: run because grant g1 covers it; mode ask
}

func ExamplePolicy_Effective() {
	p, err := policy.Compile(&policy.Document{Limits: []policy.Limit{{ID: "night", Agents: []string{"night-desk"}, Max: policy.Ask}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Effective(policy.Auto, "night-desk", nil))
	fmt.Println(p.Effective(policy.ReadOnly, "night-desk", nil))
	// Output:
	// ask night
	// read_only
}

func ExampleDocument_Review() {
	doc := policy.Document{Rules: []policy.Rule{{ID: "7", Effect: policy.EffectDeny, Tools: []string{"ordr_*"}}}}
	for _, w := range doc.Review([]policy.Tool{{Kind: policy.Host, Name: "order_delete"}}) {
		fmt.Println(w.Text)
	}
	// Output: rule "7" matches no known tool: check its names and its source
}

func ExampleLastGood() {
	read := time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)
	last := &policy.Contract{Entries: []policy.Entry{{Tool: "order_get"}}}
	fmt.Println(policy.LastGood(last, read, read.Add(time.Hour)).Unreadable)
	fmt.Println(policy.LastGood(last, read, read.Add(24*time.Hour)).Unreadable)
	// Output:
	// false
	// true
}
