package approval_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// contains is a Condition for tests: the arguments hold a text.
type contains string

func (c contains) Match(args []byte) (match, known bool) {
	return strings.Contains(string(args), string(c)), args != nil
}

func compile(pattern json.RawMessage) (policy.Condition, error) {
	var s string
	if err := json.Unmarshal(pattern, &s); err != nil {
		return nil, fault.Wrap(err, fault.BadPolicy, "no pattern")
	}
	return contains(s), nil
}

func grantRequest() approval.Request {
	r := order(policy.Write, `{"id":"A-1001"}`)
	r.Tool.Source = tool.Source{Kind: policy.Server, Name: "shop"}
	r.Scopes = approval.Scopes(policy.ScopeUser)
	r.Allowed = approval.Choices(r.Scopes, true)
	return r
}

// proves: P3
func TestAGrantIsBoundToWhatWasApproved(t *testing.T) {
	later := noon.Add(time.Hour)
	pattern := func(s string) approval.Answer {
		return approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact(s)}
	}
	same := policy.Facts{
		Tool: policy.Tool{Kind: policy.Server, Source: "shop", Name: "cancel_order", Pin: "sha256:01", Class: policy.Write},
		Args: []byte(`{"id":"A-1001"}`), Digest: "sha256:4f5c", Now: noon,
	}
	other := func(change func(*policy.Facts)) policy.Facts {
		f := same
		change(&f)
		return f
	}
	otherArgs := other(func(f *policy.Facts) { f.Args, f.Digest = []byte(`{"id":"A-1001","x":1}`), "sha256:77" })
	for _, c := range []struct {
		name   string
		answer approval.Answer
		facts  policy.Facts
		class  policy.Class
		covers bool
	}{
		{"P3 for the session, any arguments", approval.ApproveForSession(), otherArgs, policy.Write, true},
		{"P3 not another source", approval.ApproveForSession(), other(func(f *policy.Facts) { f.Tool.Source = "shop2" }), policy.Write, false},
		{"P3 not another kind of source", approval.ApproveForSession(), other(func(f *policy.Facts) { f.Tool.Kind = policy.Host }), policy.Write, false},
		{"P3 not another name", approval.ApproveForSession(), other(func(f *policy.Facts) { f.Tool.Name = "Cancel_order" }), policy.Write, false},
		{"P3 not another descriptor", approval.ApproveForSession(), other(func(f *policy.Facts) { f.Tool.Pin = "sha256:02" }), policy.Write, false},
		{"P3 not another class", approval.ApproveForSession(), same, policy.Destructive, false},
		{"P3 exact: the same arguments", approval.ApproveExact(), same, policy.Write, true},
		{"P3 exact: no others", approval.ApproveExact(), otherArgs, policy.Write, false},
		{"P3 pattern: arguments that meet it", pattern(`"A-1001"`), otherArgs, policy.Write, true},
		{"P3 pattern: no others", pattern(`"A-1001"`), other(func(f *policy.Facts) { f.Args = []byte(`{"id":"B"}`) }), policy.Write, false},
		{"P3 until a date", approval.ApproveWith(policy.ScopeUser, later), otherArgs, policy.Write, true},
		{"P3 not at that date", approval.ApproveWith(policy.ScopeUser, later), other(func(f *policy.Facts) { f.Now = later }), policy.Write, false},
		{"P3 a session's grant with a date", approval.ApproveWith(policy.ScopeSession, later), other(func(f *policy.Facts) { f.Now = later }), policy.Write, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, ok, err := approval.GrantOf("gr_1", grantRequest(), c.answer, rita, compile)
			if err != nil || !ok {
				t.Fatalf("%v, %v", ok, err)
			}
			if g.ID != "gr_1" || g.By != "rita" || g.Call != "ca_1" {
				t.Errorf("does not say where it comes from: %+v", g)
			}
			if _, covers := (approval.Grants{g}).Covering(&c.facts, c.class); covers != c.covers {
				t.Errorf("covers: %v", covers)
			}
		})
	}
}

// proves: P3 P8
func TestAnswersThatMakeNoGrant(t *testing.T) {
	edited := grantRequest()
	edited.Changed = []string{"/id"}
	capped := grantRequest()
	capped.Scopes, capped.Allowed = nil, approval.Choices(nil, true)
	pattern := approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact(`"B-2"`)}
	junk := approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact(`{`)}
	for _, c := range []struct {
		name    string
		req     approval.Request
		answer  approval.Answer
		compile func(json.RawMessage) (policy.Condition, error)
		code    fault.Code
	}{
		{"one approval", grantRequest(), approval.Approve(), compile, ""},
		{"a denial", grantRequest(), approval.Deny("no"), compile, ""},
		{"a denial for the session", grantRequest(), approval.Answer{ForSession: true}, compile, ""},
		{"P8 an edit", grantRequest(), approval.Edit([]byte(`{}`)), compile, ""},
		{"P8 an approval of changed arguments", edited, approval.ApproveForSession(), compile, fault.BadAnswer},
		{"P3 beyond the cap", capped, approval.ApproveForSession(), compile, fault.BadAnswer},
		{"P3 a pattern that the approved arguments do not meet", grantRequest(), pattern, compile, fault.BadAnswer},
		{"a pattern that is none", grantRequest(), junk, compile, fault.BadPolicy},
		{"a pattern where there are none", grantRequest(), pattern, nil, fault.BadAnswer},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, ok, err := approval.GrantOf("gr_1", c.req, c.answer, rita, c.compile)
			if ok || fault.CodeOf(err) != c.code || !reflect.DeepEqual(g, policy.Grant{}) {
				t.Errorf("got %+v, %v, %v", g, ok, err)
			}
		})
	}
}

// proves: P3
func TestGrantsAreListedAndRevoked(t *testing.T) {
	a := policy.Grant{ID: "gr_1", Name: "a"}
	b := policy.Grant{ID: "gr_2", Name: "b", Expires: noon}
	both := approval.Grants{}.With(a).With(b)
	if len(both) != 2 {
		t.Fatalf("got %+v", both)
	}
	again := both.With(policy.Grant{ID: "gr_1", Name: "c"})
	if len(again) != 2 || again[1].Name != "c" || both[0].Name != "a" {
		t.Errorf("replacing gave %+v and left %+v", again, both)
	}
	rest, found := both.Without("gr_1")
	if !found || len(rest) != 1 || rest[0].ID != "gr_2" || len(both) != 2 || both[0].ID != "gr_1" {
		t.Errorf("revoking gave %+v, %v and left %+v", rest, found, both)
	}
	if rest, found := both.Without("gr_9"); found || len(rest) != 2 {
		t.Errorf("revoking what is not there gave %+v, %v", rest, found)
	}
	if live := both.At(noon); len(live) != 1 || live[0].ID != "gr_1" {
		t.Errorf("at the boundary %+v live", live)
	}
	if live := both.At(noon.Add(-1)); len(live) != 2 {
		t.Errorf("just before it %+v live", live)
	}

	// Two lists that grow from one do not write into each other.
	one, two := both.With(policy.Grant{ID: "x"}), both.With(policy.Grant{ID: "y"})
	if one[2].ID != "x" || two[2].ID != "y" {
		t.Errorf("got %+v and %+v", one, two)
	}
	if _, ok := both.Covering(&policy.Facts{}, policy.Write); ok {
		t.Error("a grant without bindings covers")
	}
}
