package policy_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assentdev/assent/policy"
	"pgregory.net/rapid"
)

func compiled(t interface{ Fatal(...any) }, d *policy.Document) *policy.Policy {
	p, err := policy.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bare leaves out of a decision what the oracle does not say.
func bare(d policy.Decision) policy.Decision {
	d.Match, d.Note, d.Policy, d.Examined = "", "", "", 0
	return d
}

// proves: D1 D2 D5 D5b D6 D7 D8 C2 C3 C5 C8 P3 P10
func TestDecideEqualsTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc, f := g.document(), g.facts()
		p := compiled(t, doc)
		want := oracle(doc, f)
		if got := bare(p.Decide(f)); got != want {
			t.Fatalf("Decide\n got %+v\nwant %+v", got, want)
		}
		_, offered := p.Offer(f)
		if want := oracleOffered(doc, f); offered != want {
			t.Fatalf("offered %v, want %v", offered, want)
		}
	})
}

// proves: D2
func TestExplainSaysWhatDecideDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		p, f := compiled(t, g.document()), g.facts()
		d, trace := p.Explain(f)
		if d != p.Decide(f) {
			t.Fatalf("Explain decides %+v, Decide %+v", d, p.Decide(f))
		}
		first := slices.IndexFunc(trace.Steps, func(s policy.Step) bool { return s.Found })
		for i, s := range trace.Steps {
			if s.Decides != (i == first) || s.Decides != (s.Basis == d.Basis) {
				t.Fatalf("step %d (%s) of %+v: the first one that is found decides", i, s.Basis, trace.Steps)
			}
		}
		if d.Rule != "" && !slices.ContainsFunc(trace.Hits, func(h policy.Hit) bool { return h.Rule == d.Rule && !h.Shadow && h.Match == d.Match }) {
			t.Fatalf("rule %s decided and is no hit: %+v", d.Rule, trace.Hits)
		}
	})
}

// proves: D1
func TestTheOrderOfRulesMeansNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc, f := g.document(), g.facts()
		before, offered := compiled(t, doc).Offer(f)
		d := compiled(t, doc).Decide(f)
		doc.Rules = rapid.Permutation(doc.Rules).Draw(t, "rules")
		doc.Limits = rapid.Permutation(doc.Limits).Draw(t, "limits")
		f.Grants = rapid.Permutation(f.Grants).Draw(t, "grants")
		f.Groups = rapid.Permutation(f.Groups).Draw(t, "groups")
		if got := compiled(t, doc).Decide(f); got != d {
			t.Fatalf("in another order\n got %+v\nwant %+v", got, d)
		}
		if got, ok := compiled(t, doc).Offer(f); got != before || ok != offered {
			t.Fatalf("offered in another order: %+v %v, want %+v %v", got, ok, before, offered)
		}
	})
}

// freer reports whether a lets through more than b. Hidden and Deny both refuse.
func freer(a, b policy.Decision) bool {
	return max(a.Verdict, policy.Deny) > max(b.Verdict, policy.Deny)
}

// proves: D1
func TestAnAddedDenyOrAskRuleNeverFrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc, f := g.document(), g.facts()
		before := compiled(t, doc)
		was := before.Decide(f)
		_, offered := before.Offer(f)
		added := g.rule("added")
		for added.Effect == policy.EffectAllow {
			added = g.rule("added")
		}
		doc.Rules = append(doc.Rules, added)
		after := compiled(t, doc)
		if is := after.Decide(f); freer(is, was) {
			t.Fatalf("with %+v it %s, without it %s", added, is.Reason(), was.Reason())
		}
		if _, now := after.Offer(f); now && !offered {
			t.Fatalf("with %+v the tool is offered, without it is not", added)
		}
	})
}

// proves: C2 C5 C8 D1
func TestStricterFactsNeverFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc, f := g.document(), g.facts()
		for i := range doc.Rules { // rules that ask for a class or a mode may follow either
			if doc.Rules[i].Effect != policy.EffectAllow {
				doc.Rules[i].Classes = nil
			}
			doc.Rules[i].Modes = nil
		}
		p := compiled(t, doc)
		was := p.Decide(f)
		tighter := *f
		if g.chance(50) {
			tighter.Mode = min(f.Mode, one(g, modes))
		} else {
			tighter.Raised = max(was.Class, one(g, classes))
		}
		// A grant and an allow rule are bound to a class, so that one may cover
		// the stricter class only. It was given for that.
		if is := p.Decide(&tighter); freer(is, was) && is.Basis != policy.BasisGrant && is.Basis != policy.BasisAllow {
			t.Fatalf("stricter facts free: %s, before %s", is.Reason(), was.Reason())
		}
	})
}

// proves: C1 D1 P3
func TestOnlyGrantsAndAllowRulesFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc, f := g.document(), g.facts()
		d := compiled(t, doc).Decide(f)
		table := policy.Decide(d.Mode, d.Class)
		granted := d.Basis == policy.BasisGrant || d.Basis == policy.BasisAllow
		if d.Verdict > table && d.Verdict > policy.Deny && !granted {
			t.Fatalf("freer than the table's %s: %+v", table, d)
		}
		if granted && table == policy.Hidden {
			t.Fatalf("a grant unhides: %+v", d)
		}
		if d.Mode > f.Mode || d.Class < f.Tool.Class {
			t.Fatalf("mode or class loosened: %+v", d)
		}
	})
}

// proves: D3
func TestWhatIsLeftOffTheListIsRefusedForAllArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		p, f := compiled(t, g.document()), g.facts()
		strictest, offered := p.Offer(f)
		for _, args := range argTexts {
			f.Args, f.Digest = []byte(args), digestOf(args)
			f.Raised, f.Confirm, f.DeniedBefore = policy.NotGiven, false, false
			d := p.Decide(f)
			if !offered && !d.Refused() {
				t.Fatalf("left off the list, and %s with %s", d.Reason(), args)
			}
			byGrant := d.Basis == policy.BasisGrant || d.Basis == policy.BasisAllow
			if freer(strictest, d) && !byGrant {
				t.Fatalf("offered as %s, but with %s: %s", strictest.Reason(), args, d.Reason())
			}
		}
	})
}

// proves: C6
func TestTighterIsALattice(t *testing.T) {
	decision := func(t *rapid.T) policy.Decision {
		g := drawn(t)
		return compiled(t, g.document()).Decide(g.facts())
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := decision(t), decision(t), decision(t)
		ab := policy.Tighter(a, b)
		switch {
		case policy.Tighter(a, a) != a:
			t.Fatalf("not idempotent: %+v", a)
		case ab != policy.Tighter(b, a):
			t.Fatalf("not commutative: %+v, %+v", a, b)
		case policy.Tighter(ab, c) != policy.Tighter(a, policy.Tighter(b, c)):
			t.Fatalf("not associative: %+v, %+v, %+v", a, b, c)
		case ab.Verdict != min(a.Verdict, b.Verdict) || ab.Class != max(a.Class, b.Class) || ab.Mode != min(a.Mode, b.Mode):
			t.Fatalf("%+v is not the stricter of %+v and %+v", ab, a, b)
		}
	})
}

// proves: C6
func TestAtClaimOnlyGrantsOfPersonsLoosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		f := g.facts()
		stored := compiled(t, g.document()).Decide(f)
		now := compiled(t, g.document()).Decide(f)
		d := policy.AtClaim(stored, now)
		if freer(d, now) {
			t.Fatalf("freer than a decision now: %+v", d)
		}
		if freer(d, stored) && (d.Basis != policy.BasisGrant || stored.Basis == policy.BasisAskEach || stored.Refused()) {
			t.Fatalf("freer than what was stored, without a grant that may: %+v after %+v", d, stored)
		}
	})
}

// proves: D1
func TestOnlyRulesWhoseNameMatchesAreExamined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc, f := g.document(), g.facts()
		most := 0
		for _, r := range doc.Rules {
			for _, p := range r.Tools {
				if oracleGlob(p, f.Tool.Name) {
					most++
				}
			}
			if len(r.Tools) == 0 {
				most++
			}
		}
		if d := compiled(t, doc).Decide(f); d.Examined > most {
			t.Fatalf("%d rules examined, %d patterns meet %q", d.Examined, most, f.Tool.Name)
		}
	})
}

// proves: D5
func TestPatternsMeetNamesAsTheirExpressionDoes(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("ab*.")), 1, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.RuneFrom([]rune("ab.\n")), 1, 10, -1).Draw(t, "name")
		doc := new(policy.Document)
		want := ""
		for i, pattern := range rapid.SliceOfN(letters, 1, 20).Draw(t, "patterns") {
			id := fmt.Sprintf("%02d", i)
			doc.Rules = append(doc.Rules, policy.Rule{ID: id, Tools: []string{pattern}})
			if want == "" && oracleGlob(pattern, name) {
				want = id
			}
		}
		d := compiled(t, doc).Decide(&policy.Facts{Tool: policy.Tool{Kind: policy.Host, Name: name}, Mode: policy.Auto})
		if d.Rule != want {
			t.Fatalf("rule %q met %q, want %q", d.Rule, name, want)
		}
	})
}
