package approval_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

func fullRequest() approval.Request {
	scopes := approval.Scopes(policy.ScopeSession)
	return approval.Request{
		ID: "ap_01", Version: approval.Form, Tenant: "acme", Session: "se_01", Turn: "tu_01", Call: "ca_01",
		Agent: "desk@3", Principal: "alice",
		Tool: approval.Tool{
			Name: "orders.cancel", Wire: "shop_orders_cancel", Title: "Cancel order A-1001", Description: "Cancels an order.",
			Source: tool.Source{Kind: policy.Server, Name: "shop"}, Pin: "sha256:aa",
		},
		Class:  approval.Class{Declared: policy.Write, Contract: policy.Destructive, Effective: policy.Destructive},
		Mode:   policy.Ask,
		Args:   approval.Exact(`{"id":9007199254740993,"note":"<b>&</b>","total":1.0}`),
		Digest: "sha256:bb", Schema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}}}`),
		Filled: []string{"/total"}, Extra: []string{"/note"}, Changed: []string{"/id"},
		Preview: &tool.Preview{
			Summary: "The order ends.", Changes: []tool.Change{{Label: "state", Before: "open", After: "cancelled"}},
			Names: []tool.Named{{Pointer: "/id", Label: "Ann Smith's order"}},
		},
		Why:     []approval.Why{{Rule: "7", Code: "decision.ask", Params: map[string]string{"class": "destructive", "mode": "ask"}, Text: "rule 7 'orders.*' asks; mode ask"}},
		Similar: "ap_00", Path: []string{"desk", "refunds"}, ModelText: "I will cancel it.",
		Allowed: approval.Choices(scopes, true), Scopes: scopes,
		CreatedAt: noon, ExpiresAt: noon.Add(10 * time.Minute),
	}
}

// proves: P2
func TestARequestsJSONIsStable(t *testing.T) {
	r := fullRequest()
	golden(t, "request.json", r)

	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), `"kind":"gateway"`) {
		t.Errorf("P2 a server's tools are not called gateway: %s", b)
	}
	var back approval.Request
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, r) {
		t.Errorf("reads back as\n%+v\nwant\n%+v", back, r)
	}
	if r.Tool.Source.Kind != policy.Server {
		t.Error("writing it changed it")
	}
}

// The bytes that were checked and hashed are those that arrive: Go's encoder
// would write <, > and & in nested JSON as escapes.
//
// proves: A5 P6
func TestArgumentsKeepTheirBytes(t *testing.T) {
	for _, s := range []string{`{}`, `{"a":"<&>","b":1.0,"c":12345678901234567890}`, `{"a":"` + "\u2028" + `"}`} {
		b, err := json.Marshal(approval.Request{Args: approval.Exact(s)})
		if err != nil {
			t.Fatal(err)
		}
		var back approval.Request
		if err := json.Unmarshal(b, &back); err != nil || string(back.Args) != s {
			t.Errorf("%s arrives as %s, %v", s, back.Args, err)
		}
	}
	for text, want := range map[string]approval.Exact{`{"args":null}`: nil, `{"args":""}`: {}, `{}`: nil} {
		var a approval.Answer
		if err := json.Unmarshal([]byte(text), &a); err != nil || !reflect.DeepEqual(a.Args, want) {
			t.Errorf("%s gives %#v, %v", text, a.Args, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"args":{"id":1}}`), &approval.Answer{}); err == nil {
		t.Error("nested JSON passes for exact text")
	}
}

// An answer's JSON form is what clients of other languages write.
//
// proves: P2 P6
func TestAnAnswersJSONIsStable(t *testing.T) {
	ref := approval.Ref{ID: "ap_01", Digest: "sha256:bb"}
	golden(t, "responses.json", map[string]approval.Response{
		"1 deny":                {Ref: ref},
		"2 deny with a reason":  {Ref: ref, Answer: approval.Deny("wrong order")},
		"3 deny for session":    {Ref: ref, Answer: approval.Answer{ForSession: true}},
		"4 approve":             {Ref: ref, Answer: approval.Approve(), Opened: []string{"/note"}},
		"5 approve for session": {Ref: ref, Answer: approval.ApproveForSession()},
		"6 approve exact":       {Ref: ref, Answer: approval.ApproveExact()},
		"7 approve for user":    {Ref: ref, Answer: approval.ApproveWith(policy.ScopeUser, noon)},
		"8 edit":                {Ref: ref, Answer: approval.Edit([]byte(`{"id":9007199254740993}`))},
	})
	var r approval.Response
	if err := json.Unmarshal([]byte(`{"id":"ap_01","digest":"sha256:bb","approved":true,"scope":"exact"}`), &r); err != nil {
		t.Fatal(err)
	}
	if r.ID != "ap_01" || r.Choice() != approval.ChooseExact {
		t.Errorf("got %+v", r)
	}
	if err := json.Unmarshal([]byte(`{"approved":true,"scope":"forever"}`), &r); err == nil {
		t.Error("an unknown scope is read as one")
	}
}
