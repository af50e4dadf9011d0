package policy

import (
	"fmt"
	"slices"
)

// Review returns what in a document has no effect on any of the known tools: a
// rule that matches none of them, by source, name and, for one that allows, pin
// and class (SPEC D5); a contract entry for a tool that nobody brings; a
// contract that leaves no host tool. It takes time in proportion to rules times
// tools. Tools that become known later may still be met.
func (d *Document) Review(known []Tool) []Warning {
	var out []Warning
	listed := newContract(d.Contract)
	for i := range d.Rules {
		r := &d.Rules[i]
		if !slices.ContainsFunc(known, func(t Tool) bool { return r.speaksOf(&t, &listed) }) {
			out = append(out, Warning{At: r.ID, Text: fmt.Sprintf("rule %q matches no known tool: %s", r.ID, r.hint())})
		}
	}
	return append(out, d.Contract.review(known)...)
}

// speaksOf reports whether some call of the tool can match the rule.
func (r *Rule) speaksOf(t *Tool, c *contract) bool {
	if r.Source.Kind != "" && r.Source.Kind != t.Kind ||
		(r.Source.Name != "" || r.Effect == EffectAllow) && r.Source.Name != t.Source {
		return false
	}
	if _, named := met(r.patterns(), t.Name); !named {
		return false
	}
	if _, out := met(r.Except, t.Name); out {
		return false
	}
	if r.Effect != EffectAllow {
		return true
	}
	class, _ := c.hold(t)
	f := Facts{Tool: *t}
	return len(r.Classes) == 1 && r.Classes[0] >= f.class(class) && slices.Contains(r.Pins, t.Pin) // Raise may make it stricter
}

func (r *Rule) hint() string {
	if r.Effect == EffectAllow {
		return "check its names, its source, its class and its pins"
	}
	return "check its names and its source"
}

func (c *Contract) review(known []Tool) (out []Warning) {
	if c == nil || c.Unreadable || len(c.Entries) == 0 {
		return nil
	}
	host := make(map[string]bool)
	for i := range known {
		if known[i].governed() {
			host[known[i].Name] = true
		}
	}
	left := false
	for _, e := range c.Entries {
		if host[e.Tool] {
			left = true
			continue
		}
		out = append(out, Warning{At: e.Tool, Text: fmt.Sprintf("the contract lists %q, which no known application brings", e.Tool)})
	}
	if !left {
		out = append(out, Warning{Text: "the contract leaves no host tool: nothing that it lists is known"})
	}
	return out
}
