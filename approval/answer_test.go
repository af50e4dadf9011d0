package approval_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// proves: P2
func TestAnswersSayWhatTheyDecide(t *testing.T) {
	later := noon.Add(time.Hour)
	for _, c := range []struct {
		name   string
		answer approval.Answer
		state  approval.State
		choice approval.Choice
		scope  policy.Scope
	}{
		{"P2 the zero value is a denial", approval.Answer{}, approval.Denied, approval.ChooseDeny, policy.ScopeOnce},
		{"P2 Deny", approval.Deny("no"), approval.Denied, approval.ChooseDeny, policy.ScopeOnce},
		{"P2 a denial for the session is a denial", approval.Answer{ForSession: true}, approval.Denied, approval.ChooseDeny, policy.ScopeOnce},
		{"P2 Approve", approval.Approve(), approval.Approved, approval.ChooseApprove, policy.ScopeOnce},
		{"P2 the plain struct works too", approval.Answer{Approved: true}, approval.Approved, approval.ChooseApprove, policy.ScopeOnce},
		{"P2 ApproveForSession", approval.ApproveForSession(), approval.Approved, approval.ChooseSession, policy.ScopeSession},
		{"P3 ApproveExact", approval.ApproveExact(), approval.Approved, approval.ChooseExact, policy.ScopeExact},
		{"P3 for this user until a date", approval.ApproveWith(policy.ScopeUser, later), approval.Approved, approval.ChooseUser, policy.ScopeUser},
		{"P8 an edit approves nothing", approval.Edit([]byte(`{}`)), approval.Edited, approval.ChooseEdit, policy.ScopeOnce},
		{"P8 an edit that claims to be approved approves nothing", approval.Answer{Approved: true, ForSession: true, Args: approval.Exact(`{}`)}, approval.Edited, approval.ChooseEdit, policy.ScopeOnce},
		{"a scope that is none takes no choice", approval.Answer{Approved: true, Scope: 99}, approval.Approved, "", 99},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.answer.State(); got != c.state {
				t.Errorf("state %v, want %v", got, c.state)
			}
			if got := c.answer.Choice(); got != c.choice {
				t.Errorf("choice %q, want %q", got, c.choice)
			}
			if got := c.answer.Remembers(); got != c.scope {
				t.Errorf("remembers %d, want %d", got, c.scope)
			}
		})
	}
}

func everything() approval.Request {
	scopes := approval.Scopes(policy.ScopeUser)
	return approval.Request{ID: "ap_1", CreatedAt: noon, Scopes: scopes, Allowed: approval.Choices(scopes, true)}
}

// proves: P11
func TestValidateRefusesJunk(t *testing.T) {
	later := noon.Add(time.Hour)
	all, bare := everything(), approval.Request{ID: "ap_1", CreatedAt: noon, Allowed: approval.Choices(nil, false)}
	capped := everything()
	capped.Scopes = []policy.Scope{policy.ScopeExact}
	for _, c := range []struct {
		name   string
		req    approval.Request
		answer approval.Answer
		bad    string // part of the text; "" for a good answer
	}{
		{"the zero answer denies", all, approval.Answer{}, ""},
		{"a denial needs not be offered", approval.Request{}, approval.Deny("no"), ""},
		{"a denial for the session", bare, approval.Answer{ForSession: true}, ""},
		{"one call", bare, approval.Approve(), ""},
		{"a note with an approval", bare, approval.Answer{Approved: true, Reason: "fine"}, ""},
		{"for the session", all, approval.ApproveForSession(), ""},
		{"for the session said twice", all, approval.Answer{Approved: true, ForSession: true, Scope: policy.ScopeSession}, ""},
		{"the same arguments for an hour", all, approval.ApproveWith(policy.ScopeExact, later), ""},
		{"the user until a date", all, approval.ApproveWith(policy.ScopeUser, later), ""},
		{"a pattern", all, approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact(`{}`)}, ""},
		{"an edit", all, approval.Edit([]byte(`{"id":"A-2"}`)), ""},
		{"an edit with a reason", all, approval.Answer{Args: approval.Exact(`{}`), Reason: "wrong order"}, ""},
		{"the longest reason", all, approval.Deny(strings.Repeat("é", approval.MaxReason)), ""},

		{"P3 a choice that is not offered", bare, approval.ApproveForSession(), "not offered"},
		{"P3 a scope beyond the cap", capped, approval.ApproveForSession(), "narrower scope"},
		{"P8 an edit that is not offered", bare, approval.Edit([]byte(`{}`)), "not offered"},
		{"P8 an approval with changed arguments", all, approval.Answer{Approved: true, Args: approval.Exact(`{}`)}, "approves nothing"},
		{"P8 an edit to remember", all, approval.Answer{ForSession: true, Args: approval.Exact(`{}`)}, "not remembered"},
		{"an edit with a scope", all, approval.Answer{Scope: policy.ScopeExact, Args: approval.Exact(`{}`)}, "not remembered"},
		{"an empty edit", all, approval.Answer{Args: approval.Exact{}}, "JSON text"},
		{"an edit in broken UTF-8", all, approval.Edit([]byte("\xff")), "JSON text"},
		{"a huge edit", all, approval.Edit(make([]byte, approval.MaxArgs+1)), "JSON text"},
		{"a denial with a scope", all, approval.Answer{Scope: policy.ScopeExact}, "no scope"},
		{"a denial with a date", all, approval.Answer{Until: later}, "no scope"},
		{"a denial with a pattern", all, approval.Answer{Pattern: approval.Exact(`{}`)}, "no scope"},
		{"a scope that is none", all, approval.Answer{Approved: true, Scope: 99}, "unknown scope"},
		{"session and scope disagree", all, approval.Answer{Approved: true, ForSession: true, Scope: policy.ScopeExact}, "contradicts"},
		{"a date for one call", all, approval.Answer{Approved: true, Until: later}, "until without"},
		{"a user without a date", all, approval.ApproveWith(policy.ScopeUser, time.Time{}), "needs a date"},
		{"a date in the past", all, approval.ApproveWith(policy.ScopeUser, noon), "later date"},
		{"a pattern scope without a pattern", all, approval.ApproveWith(policy.ScopePattern, time.Time{}), "pattern"},
		{"a pattern without its scope", all, approval.Answer{Approved: true, Pattern: approval.Exact(`{}`)}, "pattern"},
		{"a pattern in broken UTF-8", all, approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact("\xff")}, "JSON text"},
		{"a reason that is too long", all, approval.Deny(strings.Repeat("x", approval.MaxReason+1)), "at most 500"},
		{"a reason in broken UTF-8", all, approval.Deny("\xff"), "reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := approval.Validate(c.req, c.answer)
			switch {
			case c.bad == "" && err != nil:
				t.Fatal(err)
			case c.bad != "" && fault.CodeOf(err) != fault.BadAnswer:
				t.Fatalf("got %v, want code %s", err, fault.BadAnswer)
			case !strings.Contains(fault.TextOf(err), c.bad):
				t.Fatalf("text %q says nothing of %q", fault.TextOf(err), c.bad)
			}
		})
	}
}

// proves: P5
func TestStates(t *testing.T) {
	words := "asked approved covered denied edited expired cancelled superseded stale undecided"
	for s := approval.Asked; s <= approval.Undecided; s++ {
		if got := strings.Fields(words)[s]; s.String() != got {
			t.Errorf("state %d is called %q, want %q", s, s, got)
		}
		if back, err := approval.ParseState(s.String()); err != nil || back != s {
			t.Errorf("%v reads back as %v, %v", s, back, err)
		}
		if s.Final() != (s != approval.Asked) {
			t.Errorf("%v: Final is %v", s, s.Final())
		}
		if want := s == approval.Approved || s == approval.Covered; s.Starts() != want {
			t.Errorf("P5 only approved and covered start, but %v gives %v", s, s.Starts())
		}
	}
	b, err := json.Marshal([]approval.State{approval.Covered, approval.Stale})
	var back []approval.State
	if err != nil || string(b) != `["covered","stale"]` || json.Unmarshal(b, &back) != nil || back[1] != approval.Stale {
		t.Errorf("states read %s, %v, and back %v", b, err, back)
	}
	if err := json.Unmarshal([]byte(`["yes"]`), &back); fault.CodeOf(err) != fault.BadAnswer {
		t.Errorf("an unknown word is read: %v", err)
	}
	if s := approval.State(200); s.String() != "undecided" || s.Starts() {
		t.Errorf("a number that is no state reads %q, starts %v", s, s.Starts())
	}
	if s, err := approval.ParseState("yes"); fault.CodeOf(err) != fault.BadAnswer || s.Starts() {
		t.Errorf("an unknown word reads as %v, %v", s, err)
	}
}

// proves: P3
func TestScopesAndChoicesFollowTheCap(t *testing.T) {
	for limit, want := range map[policy.Scope]string{
		policy.ScopeOnce:    "approve deny",
		policy.ScopeExact:   "approve approve_exact deny",
		policy.ScopePattern: "approve approve_exact approve_pattern deny",
		policy.ScopeSession: "approve approve_exact approve_pattern approve_session deny",
		policy.ScopeUser:    "approve approve_exact approve_pattern approve_session approve_user deny",
		99:                  "approve approve_exact approve_pattern approve_session approve_user deny",
	} {
		var got []string
		for _, c := range approval.Choices(approval.Scopes(limit), false) {
			got = append(got, string(c))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("cap %d offers %q, want %q", limit, s, want)
		}
	}
}
