package engine_test

import (
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// proves: P3
func TestGrantForAUserHoldsInEverySessionUntilItIsRevoked(t *testing.T) {
	f := setUp(t, policy.Ask)
	f.gov.set(t, &policy.Document{Version: "1", Caps: map[policy.Class]policy.Scope{policy.Write: policy.ScopeUser}})
	ask := func(id string) *engine.Watcher {
		f.model.list = append(f.model.list, says("", call("1", "put", `{"id":"`+id+`"}`)))
		return f.send(t, "go")
	}
	other := func(who string) {
		var err error
		if f.session, err = f.e.Create(engine.Who{Principal: who}, policy.Ask); err != nil {
			t.Fatal(err)
		}
	}
	w := ask("A")
	f.desk.answer(f.desk.next(t), approval.ApproveWith(policy.ScopeUser, time.Now().Add(time.Hour)))
	finish(t, w)
	other("alice")
	finish(t, ask("B")) // not asked
	f.restart(t)
	finish(t, ask("C")) // nor by the next process
	other("bob")
	w = ask("D") // another user is asked
	f.desk.answer(f.desk.next(t), approval.Deny(""))
	finish(t, w)

	grants, err := f.e.UserGrants("alice")
	if err != nil || len(grants) != 1 {
		t.Fatalf("%+v, %v", grants, err)
	}
	if err := f.e.RevokeUserGrant("alice", grants[0].ID, "admin"); err != nil {
		t.Fatal(err)
	}
	if err := f.e.RevokeUserGrant("alice", grants[0].ID, "admin"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("revoked twice: %v", err)
	}
	other("alice")
	w = ask("E")
	f.desk.answer(f.desk.next(t), approval.Deny(""))
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{"put{\"id\":\"A\"}\nput{\"id\":\"B\"}\nput{\"id\":\"C\"}"})
}
