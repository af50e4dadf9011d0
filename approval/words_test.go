package approval_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// proves: P4
func TestExpiryInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := approval.Request{ExpiresAt: start.Add(30*24*time.Hour + 90*time.Second)}
		for _, c := range []struct {
			after time.Duration
			want  string
		}{
			{0, "expires in 30 d 0 h"},
			{24*time.Hour + time.Second, "expires in 29 d 0 h"},
			{30*24*time.Hour - time.Hour, "expires in 1 h 1 min"},
			{30 * 24 * time.Hour, "expires in 1 min 30 s"},
			{30*24*time.Hour + 89*time.Second + 999*time.Millisecond, "expires in 0 s"},
			{30*24*time.Hour + 90*time.Second, "expired at " + r.ExpiresAt.UTC().Format("2006-01-02 15:04:05 UTC")},
		} {
			time.Sleep(c.after - time.Since(start))
			if got := approval.ExpiryLine(r, time.Now()); got.Text != c.want {
				t.Errorf("after %v: %q, want %q", c.after, got.Text, c.want)
			}
		}
		if got := approval.ExpiryLine(approval.Request{}, time.Now()).Text; got != "waits without a limit" {
			t.Errorf("without a limit: %q", got)
		}
		if got := approval.ExpiryLine(approval.Request{ExpiresAt: time.Now().Add(time.Hour)}, time.Now()); got.Params["seconds"] != "3600" {
			t.Errorf("other languages get %v", got.Params)
		}
	})
}

// proves: P9
func TestEndsInWords(t *testing.T) {
	ended := func(s approval.State) approval.Item { return approval.Item{State: s} }
	by := func(a approval.Answer, by, via string) approval.Item {
		return approval.Item{State: a.State(), Answer: a, By: approval.Decided{By: by, Via: via}}
	}
	withdrawn := by(approval.Approve(), "rita", "panel")
	withdrawn.State = approval.Stale
	for _, c := range []struct {
		item approval.Item
		want string
	}{
		{ended(approval.Expired), "expired: nobody answered in time"},
		{ended(approval.Cancelled), "cancelled: the turn was stopped"},
		{ended(approval.Superseded), "superseded: no answer is needed any more"},
		{ended(approval.Undecided), "undecided: no decision could be had"},
		{ended(approval.Covered), "covered by an approval for the session"},
		{ended(approval.Asked), "taken away undecided"},
		{by(approval.Approve(), "rita", "panel"), "approved, by rita (panel)"},
		{by(approval.Approve(), "", "panel"), "approved, by panel"},
		{by(approval.Deny("wrong\norder"), "rita", ""), `denied, by rita: wrong\norder`},
		{by(approval.Edit([]byte(`{}`)), "ri\u202Eta", "panel"), `changed, to be decided again, by ri\u202Eta (panel)`},
		{withdrawn, "not valid any more: something changed meanwhile"},
	} {
		if got := approval.EndLine(c.item).Text; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	texts := map[string]approval.State{}
	for s := approval.Asked; s <= approval.Undecided; s++ {
		text := approval.EndLine(ended(s)).Text
		if other, taken := texts[text]; taken || text == "" {
			t.Errorf("P9 %v and %v are told alike: %q", s, other, text)
		}
		texts[text] = s
	}
}

// proves: P3
func TestGrantsInWords(t *testing.T) {
	g := policy.Grant{Name: "cancel_order", Expires: noon, Pattern: []byte(`{"type":"object"}`)}
	for scope, want := range map[policy.Scope]string{
		policy.ScopeExact:   "`cancel_order` in this session, with exactly the approved arguments, until 2026-11-30 12:00:00 UTC",
		policy.ScopePattern: "`cancel_order` in this session, with arguments that meet {\"type\":\"object\"}, until 2026-11-30 12:00:00 UTC",
		policy.ScopeSession: "`cancel_order` in this session, any arguments, until 2026-11-30 12:00:00 UTC",
		policy.ScopeUser:    "`cancel_order` for you, any arguments, in all sessions, until 2026-11-30 12:00:00 UTC",
	} {
		g.Scope = scope
		if got := approval.GrantLine(g).Text; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if approval.ScopeLine("cancel_order", scope).Text == "" {
			t.Errorf("the scope %v has no words", scope)
		}
	}
}

// proves: D2
func TestADecisionsReasonInWords(t *testing.T) {
	for _, c := range []struct {
		d    policy.Decision
		code string
		text string
	}{
		{policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisTable, Class: policy.Write, Mode: policy.Ask}, "decision.table", "the mode is ask and the class is write"},
		{policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisAskRule, Rule: "7", Match: "mcp.*", Mode: policy.Auto}, "decision.ask", "rule 7 'mcp.*' asks; mode auto"},
		{policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisAskEach, Rule: "7", Match: "x", Note: "money\u202E"}, "decision.ask_each", `rule 7 'x' asks for each call: money\u202E; mode off`},
		{policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisConfirm}, "decision.confirm", "the tool asks for this call"},
		{policy.Decision{}, "decision.unreadable", "the policy could not be read"},
	} {
		card := approval.NewCard(approval.Request{Why: []approval.Why{approval.Because(c.d)}})
		if got := card.Why[0]; got.Code != c.code || got.Text != c.text {
			t.Errorf("got %+v, want %s: %s", got, c.code, c.text)
		}
	}
	bare := approval.NewCard(approval.Request{Why: []approval.Why{{Code: "decision.ask", Rule: "7"}}})
	if got := bare.Why[0].Text; got != "rule 7 asks" {
		t.Errorf("a rule without a text of its own reads %q", got)
	}
	own := approval.NewCard(approval.Request{Why: []approval.Why{{Code: "mine", Text: "because\u200B"}}})
	if got := own.Why[0].Text; got != `because\u200B` {
		t.Errorf("a reason of another's own reads %q", got)
	}
}

var place = regexp.MustCompile(`\{[a-z_]+(\|[^|{}]+\|[^|{}]+)?\}`)

// proves: V13
func TestTheCatalogueIsWhole(t *testing.T) {
	var codes []string
	for _, line := range approval.Catalogue() {
		codes = append(codes, line.Code)
		if rest := place.ReplaceAllString(line.Text, ""); strings.ContainsAny(rest, "{}|") || line.Text == "" {
			t.Errorf("%s: cannot read %q", line.Code, line.Text)
		}
	}
	if !slices.IsSorted(codes) {
		t.Error("the catalogue is not in order")
	}
	var want []string
	for s := approval.Asked; s <= approval.Undecided; s++ {
		want = append(want, "ended."+s.String())
	}
	for s := policy.ScopeOnce; s <= policy.ScopeUser; s++ {
		want = append(want, "scope."+s.String(), "grant."+s.String())
	}
	for c := policy.Read; c <= policy.Unknown; c++ {
		want = append(want, "class."+c.String())
	}
	for _, c := range append(approval.Choices(approval.Scopes(policy.ScopeUser), true), approval.LostChoices()...) {
		want = append(want, "choice."+string(c))
	}
	for _, code := range want {
		if !slices.Contains(codes, code) {
			t.Errorf("the catalogue has no %q", code)
		}
	}
	if text, ok := approval.English("warn.hidden", map[string]string{"n": "1", "where": "id"}); !ok || text != "1 hidden character, shown as an escape, in id" {
		t.Errorf("got %q, %v", text, ok)
	}
	if text, ok := approval.English("warn.hidden", map[string]string{"n": "2", "where": "{n}"}); !ok || text != "2 hidden characters, shown as escapes, in {n}" {
		t.Errorf("a parameter is read as a template: %q, %v", text, ok)
	}
	if text, ok := approval.English("nothing", nil); ok || text != "" {
		t.Errorf("got %q for a code that is none", text)
	}
}
