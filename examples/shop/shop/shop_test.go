package shop_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/examples/shop/shop"
	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// open opens a shop with its own data.
func open(t *testing.T) (*store.Store, *resource.App) {
	t.Helper()
	s, err := store.Open(filepath.Join(t.TempDir(), "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	tx, err := s.Write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Load(t.Context(), tx, store.Own()); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	return s, shop.App(s, nil)
}

// session starts an agent for somebody of the staff, and a person who approves.
func session(t *testing.T, app *resource.App, mode assent.Mode) (*assent.Session, *assenttest.Person) {
	t.Helper()
	person := assenttest.NewPerson().Answers("", approval.Approve())
	agent, err := assent.Start(t.Context(), assent.WithToolSource(app.Source()), assent.WithApprovals(person), assent.WithPrincipal("ann"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.Close() })
	s, err := agent.StartSession(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return s, person
}

const home = `"address1":"1 Quay","address2":"","city":"Bath","state":"ME","zip":"04530","country":"USA"`

// calls has a call that works for each tool of the shop.
var calls = map[string]struct {
	class policy.Class
	args  string
}{
	"products_all":        {policy.Read, `{}`},
	"products_detail":     {policy.Read, `{"id":"2182906147"}`},
	"users_detail":        {policy.Read, `{"id":"ada_obrien_1042"}`},
	"users_by_email":      {policy.Read, `{"email":"ada.obrien@example.com"}`},
	"users_by_name":       {policy.Read, `{"first_name":"Ada","last_name":"O'Brien","zip":"04101"}`},
	"users_find":          {policy.Read, `{"query":"brien"}`},
	"users_set_address":   {policy.Write, `{"id":"ada_obrien_1042",` + home + `}`},
	"orders_detail":       {policy.Read, `{"id":"#W1004217"}`},
	"orders_find":         {policy.Read, `{"query":"kettle"}`},
	"orders_cancel":       {policy.Destructive, `{"id":"#W1090177","reason":"ordered by mistake"}`},
	"orders_modify_items": {policy.Destructive, `{"id":"#W1113349","item_ids":["2182005997"],"new_item_ids":["2182005923"],"payment_method_id":"gift_card_7701064"}`},
	"orders_exchange":     {policy.Destructive, `{"id":"#W1017650","item_ids":["2182005923"],"new_item_ids":["2182005960"],"payment_method_id":"paypal_5520941"}`},
	"orders_return":       {policy.Destructive, `{"id":"#W1004217","item_ids":["2526006804"],"payment_method_id":"gift_card_7703158"}`},
	"orders_set_payment":  {policy.Destructive, `{"id":"#W1113349","payment_method_id":"paypal_5528816"}`},
	"orders_set_address":  {policy.Write, `{"id":"#W1128904",` + home + `}`},
}

// The table of classes and modes holds for every tool of the shop: what it
// hides is not offered and does not run, what it asks about is asked once.
//
// proves: R8, C1, D4
func TestTheTableHoldsForEveryTool(t *testing.T) {
	_, app := open(t)
	tools, err := app.Tools()
	if err != nil {
		t.Fatal(err)
	}
	if w := app.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %q", w)
	}
	if len(tools) != len(calls) {
		t.Errorf("%d tools, and %d calls here", len(tools), len(calls))
	}
	for _, x := range tools {
		if want := calls[x.Name].class; x.Class != want {
			t.Errorf("%s is %s, want %s", x.Name, x.Class, want)
		}
	}
	for _, mode := range []assent.Mode{assent.Off, assent.ReadOnly, assent.Ask, assent.Auto} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			table(t, mode)
		})
	}
}

func table(t *testing.T, mode assent.Mode) {
	for tool, call := range calls {
		s, app := open(t)
		session, person := session(t, app, mode)
		before := dump(t, s)
		r, err := session.Call(t.Context(), tool, []byte(call.args)).Wait()
		if err != nil {
			t.Fatal(err)
		}
		want := policy.Decide(mode, call.class)
		if ran := r.Calls[0].Outcome == "ok"; ran != (want != policy.Hidden) {
			t.Errorf("%s: %s: %s", tool, r.Calls[0].Outcome, r.Text)
		}
		if asked := len(person.Asked()); (asked == 1) != (want == policy.AskFirst) || asked > 1 {
			t.Errorf("%s: asked %d times", tool, asked)
		}
		changes := call.class != policy.Read && want != policy.Hidden
		if changed := dump(t, s) != before; changed != changes {
			t.Errorf("%s: the shop changed: %v, want %v", tool, changed, changes)
		}
	}
}

// dump is all that the shop holds.
func dump(t *testing.T, s *store.Store) string {
	t.Helper()
	var all string
	err := s.Read.QueryRow(`SELECT group_concat(doc, char(10)) FROM (SELECT doc FROM users UNION ALL SELECT doc FROM orders UNION ALL SELECT doc FROM products)`).Scan(&all)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A preview says what changes and what it costs. It changes nothing.
//
// proves: T4, R8
func TestPreviews(t *testing.T) {
	s, app := open(t)
	before := dump(t, s)
	var out strings.Builder
	for _, tool := range []string{"users_set_address", "orders_set_address", "orders_cancel", "orders_modify_items", "orders_exchange", "orders_return", "orders_set_payment"} {
		resourceName, name, _ := strings.Cut(tool, "_")
		var args map[string]json.RawMessage
		if err := json.Unmarshal([]byte(calls[tool].args), &args); err != nil {
			t.Fatal(err)
		}
		var id string
		_ = json.Unmarshal(args["id"], &id)
		delete(args, "id")
		payload, _ := json.Marshal(args)
		p, r := app.PreviewAction(t.Context(), resource.ActionCall{Resource: resourceName, Action: name, Params: map[string]string{"id": id}, Payload: payload, By: resource.Caller{Principal: "ann"}})
		if r.Kind != resource.Success {
			t.Fatalf("%s: %s", tool, r.JSON())
		}
		fmt.Fprintf(&out, "%s: %s\n", tool, p.Summary)
		for _, c := range p.Changes {
			fmt.Fprintf(&out, "  %s: %q -> %q\n", c.Label, c.Before, c.After)
		}
	}
	assenttest.Golden(t, "previews.txt", []byte(out.String()))
	if dump(t, s) != before {
		t.Error("a preview changed the shop")
	}
}

// What a change of address replaced comes back, unless it was changed again.
//
// proves: T4
func TestAddressesComeBack(t *testing.T) {
	for _, tool := range []string{"users_set_address", "orders_set_address"} {
		s, app := open(t)
		session, _ := session(t, app, assent.Auto)
		before := dump(t, s)
		for range 2 { // the second call changes nothing, and undoing it does nothing
			if _, err := session.Call(t.Context(), tool, []byte(calls[tool].args)).Wait(); err != nil {
				t.Fatal(err)
			}
		}
		for _, u := range session.Undoable() {
			if r, err := session.Undo(t.Context(), u.ID).Wait(); err != nil || r.Calls[0].Outcome != "ok" {
				t.Errorf("%s: %v, %v", tool, r, err)
			}
		}
		if dump(t, s) != before {
			t.Errorf("%s: the shop is not as it was", tool)
		}
	}
}

// Nobody who is not signed in sees or does anything, whichever tool it is.
//
// proves: R5
func TestTheDeskIsForStaff(t *testing.T) {
	_, app := open(t)
	for tool, call := range calls {
		if r := app.Invoke(t.Context(), tool, []byte(call.args), resource.Caller{}); r.Status != 403 {
			t.Errorf("%s: %s", tool, r.JSON())
		}
	}
}

// A view of the shop cannot write: its handle refuses.
//
// proves: R8
func TestTheShopsReadsCannotWrite(t *testing.T) {
	s, _ := open(t)
	o, err := store.GetOrder(t.Context(), s.Read, "#W1004217")
	if err != nil {
		t.Fatal(err)
	}
	if err := store.PutOrder(t.Context(), s.Read, o); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("a write through the handle for reading: %v", err)
	}
}
