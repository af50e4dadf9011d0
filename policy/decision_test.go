package policy_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/assentdev/assent/policy"
)

func TestReason(t *testing.T) {
	limits := []policy.Limit{{ID: "desk-only", Max: policy.ReadOnly}}
	call := func(change func(*policy.Facts)) policy.Facts {
		f := plain(policy.Auto, policy.Write)
		if change != nil {
			change(&f)
		}
		return f
	}
	for _, row := range []struct {
		name string
		doc  *policy.Document
		f    policy.Facts
		want string
	}{
		{"D2 a rule that asks", ruled(policy.Rule{ID: "7", Effect: policy.EffectAsk, Tools: []string{"mail", "order_*"}}), call(nil),
			"rule 7 'order_*' asks; mode auto"},
		{"D2 a rule that denies, with its reason", ruled(policy.Rule{ID: "7", Reason: "no deletions in December"}), call(nil),
			"rule 7 '*' denies: no deletions in December; mode auto"},
		{"D2 a rule that asks each call", ruled(effectRule("7", policy.EffectAskEach, policy.Write)), call(nil),
			"rule 7 'order_*' asks for each call; mode auto"},
		{"D2 a rule that allows", ruled(effectRule("7", policy.EffectAllow, policy.Write)), call(nil),
			"rule 7 'order_delete' allows it; mode auto"},
		{"D2 D4 the mode, by a limit", &policy.Document{Limits: limits}, call(nil),
			"the mode hides write tools; mode read_only by limit desk-only"},
		{"D2 the contract", &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "other"}}}}, call(nil),
			"held back: the contract does not list it; mode auto"},
		{"D2 P10 a denial", nothing, call(func(f *policy.Facts) { f.DeniedBefore = true }),
			"a person denied the same call; mode auto"},
		{"D2 a grant", nothing, granted(call(nil), policy.ScopeSession), "grant g1 covers it; mode auto"},
		{"D2 T4 the tool's own question", nothing, call(func(f *policy.Facts) { f.Confirm = true }),
			"the tool asks for this call; mode auto"},
		{"D2 the table asks", nothing, call(func(f *policy.Facts) { f.Mode = policy.Ask }), "class write asks; mode ask"},
		{"D2 the table runs", nothing, call(nil), "class write runs; mode auto"},
		{"D2 D8 nothing could be read", nothing, call(func(f *policy.Facts) { f.Unreadable = true }), "the policy could not be read"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := compiled(t, row.doc).Decide(&row.f)
			if got := d.Reason(); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// proves: D2
func TestADecisionCanBeStored(t *testing.T) {
	doc := ruled(policy.Rule{ID: "7", Effect: policy.EffectAsk, Wait: time.Hour, Reason: "ask the desk"})
	f := plain(policy.Auto, policy.Write)
	d := compiled(t, doc).Decide(&f)
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var back policy.Decision
	if err := json.Unmarshal(text, &back); err != nil || back != d || back.Reason() != d.Reason() {
		t.Errorf("%s reads back as %+v (%v)", text, back, err)
	}
	if (&policy.Decision{}).Refused() == false {
		t.Error("the zero decision does not refuse")
	}
}

func TestAtClaim(t *testing.T) {
	decide := func(doc *policy.Document, f policy.Facts) policy.Decision { return compiled(t, doc).Decide(&f) }
	call := plain(policy.Ask, policy.Write)
	covered := granted(call, policy.ScopeSession)
	ask := decide(nothing, call)
	grant := decide(nothing, covered)
	allow := decide(ruled(allowing("7", policy.Write)), call)
	each := decide(ruled(effectRule("7", policy.EffectAskEach, policy.Write)), covered)
	deny := decide(ruled(policy.Rule{ID: "7"}), call)
	stricter := ask
	stricter.Class = policy.Destructive
	for _, row := range []struct {
		name        string
		stored, now policy.Decision
		want        policy.Verdict
	}{
		{"C6 a rule that was added denies at once", ask, deny, policy.Deny},
		{"C6 a rule that was removed still denies in this turn", deny, ask, policy.Deny},
		{"C6 an administrator's allow waits for the next turn", ask, allow, policy.AskFirst},
		{"C6 P7 a person's grant loosens at once", ask, grant, policy.Run},
		{"C6 P3 a grant that was revoked does not run", grant, ask, policy.AskFirst},
		{"C6 D1 a grant answers no rule that asked each call", each, grant, policy.AskFirst},
		{"C6 P3 a grant for a more lenient class than was asked about does not", stricter, grant, policy.AskFirst},
		{"C6 a grant does not undo a denial", deny, grant, policy.Deny},
	} {
		t.Run(row.name, func(t *testing.T) {
			if d := policy.AtClaim(row.stored, row.now); d.Verdict != row.want {
				t.Errorf("%s: %s, want %s", d.Reason(), d.Verdict, row.want)
			}
		})
	}
}

func TestTrace(t *testing.T) {
	shadow := policy.Rule{ID: "s", Shadow: true, Reason: "trial"}
	ask := policy.Rule{ID: "7", Effect: policy.EffectAsk, WhenSchema: json.RawMessage(whens[0]), When: conditionOf(whens[0])}
	other := policy.Rule{ID: "8", Effect: policy.EffectDeny, Tools: []string{"mail_*"}}
	p := compiled(t, ruled(shadow, ask, other))
	f := granted(plain(policy.Ask, policy.Write), policy.ScopeSession)
	d, trace := p.Explain(&f)
	t.Run("D1 a shadow rule is logged and decides nothing", func(t *testing.T) {
		if len(trace.Hits) != 2 || trace.Hits[1].Rule != "s" || !trace.Hits[1].Shadow || trace.Hits[1].Note != "trial" {
			t.Errorf("%+v", trace.Hits)
		}
		if d.Basis != policy.BasisGrant {
			t.Error(d.Reason())
		}
	})
	t.Run("D5b what could not be determined is shown", func(t *testing.T) {
		if !trace.Hits[0].Undetermined {
			t.Errorf("%+v", trace.Hits[0])
		}
	})
	t.Run("D2 steps behind the deciding one are shown", func(t *testing.T) {
		found := make(map[policy.Basis]string)
		for _, s := range trace.Steps {
			if s.Found {
				found[s.Basis] = s.Text
			}
		}
		if len(trace.Steps) != 10 || len(found) != 3 || found[policy.BasisAskRule] != "rule 7 '*' asks" || found[policy.BasisTable] != "class write asks" {
			t.Errorf("%+v", trace.Steps)
		}
	})
	t.Run("C2 C8 both sides' classes are shown", func(t *testing.T) {
		f := plain(policy.Ask, policy.Read)
		f.Raised = policy.Destructive
		doc := &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "order_delete", Class: policy.Write}}}}
		_, trace := compiled(t, doc).Explain(&f)
		if trace.Declared != policy.Read || trace.Listed != policy.Write || trace.Raised != policy.Destructive {
			t.Errorf("%+v", trace)
		}
	})
}
