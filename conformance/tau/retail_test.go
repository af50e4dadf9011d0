package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assentdev/assent"
)

var atDesk = []string{"retail", "-data", filepath.Join("testdata", "retail")}

// proves: A1, C1, P2, R5, R8, T2: calls of the shop's tools come to the same
// results and the same store as the original ones, and ask as their classes say.
func TestRetailTasks(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), append(atDesk, "-repeat", "2"), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	want := `tau retail: 38 tasks, 218 calls; 16 tools; mode auto; the shop's own data
  asked                104/104, of them with a preview 36/36
  equal results        188/218
  refused by the check 26, where the recorded tool failed, too
  worded otherwise     4 errors of the calculator
  equal stores         38/38
tau retail: 0 differences; TIME
`
	if got := regexp.MustCompile(`[0-9.]+ s\n`).ReplaceAllString(out.String(), "TIME\n"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// proves: R5, R8: the recorded tasks of tau-bench.
func TestRetailTasksOfTheData(t *testing.T) {
	data := os.Getenv("ASSENT_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(data, "tau-retail")); err != nil {
		t.Skipf("the recorded tasks are not here (set ASSENT_DATA): %v", err)
	}
	if testing.Short() {
		t.Skip("all tasks take a while")
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"retail", "-data", data}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"115 tasks, 582 calls", "asked                143/143", "results        582/582", "stores         115/115"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// openDesk is the shop's own tasks and store, to be made wrong.
func openDesk(t *testing.T) *retailSet {
	t.Helper()
	s, err := openRetail(t.Context(), &retailOptions{data: atDesk[2]}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

// A fault of the shop is found in the store, wherever it is: the triggers do what a
// wrong rule would.
func TestAFaultOfTheShopIsFound(t *testing.T) {
	for _, c := range []struct{ name, trigger, want string }{
		{"a refund that is a cent too high", `AFTER UPDATE ON users WHEN new.id = 'ada_obrien_1042' AND new.doc LIKE '%139.9%'
			BEGIN UPDATE users SET doc = replace(doc, '139.9', '139.91') WHERE id = new.id; END`,
			"the store: users ada_obrien_1042: at /payment_methods/gift_card_7703158/balance got \"139.91\", want \"139.9\""},
		{"another order that changes", `AFTER UPDATE ON orders WHEN new.id = '#W1090177'
			BEGIN UPDATE orders SET doc = replace(doc, 'pending', 'processed') WHERE id = '#W1113349'; END`,
			"the store: orders #W1113349 changed, and must not"},
		{"a product that changes", `AFTER UPDATE ON users BEGIN UPDATE products SET doc = replace(doc, '79.5', '79.4'); END`,
			"the store: products 2071440385 changed, and must not"},
		{"an order that vanishes", `AFTER UPDATE ON users BEGIN DELETE FROM orders WHERE id = '#W1056073'; END`,
			"the store: 1 of orders is gone"},
		{"a change that does not stay", `AFTER UPDATE ON orders BEGIN UPDATE orders SET doc = old.doc WHERE id = old.id; END`,
			"the store: orders #W1090177 did not change"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openDesk(t)
			if _, err := s.master.Write.ExecContext(t.Context(), "CREATE TRIGGER wrong "+c.trigger); err != nil {
				t.Fatal(err)
			}
			o := s.play(t.Context(), s.tasks[1])
			if o.equalStore || !strings.Contains(strings.Join(o.wrong, "\n"), c.want) {
				t.Errorf("found %q, want %s", o.wrong, c.want)
			}
		})
	}
}

// A judge that finds nothing is worth nothing: each of these is a small lie about
// what must happen, and has to be found.
func TestWhatDiffersFromATaskIsFound(t *testing.T) {
	for _, c := range []struct {
		name string
		task int
		lie  func(s *retailSet, task *retailTask)
		want string
	}{
		{"a question too few", 1, func(_ *retailSet, task *retailTask) { task.Calls[0].want.asks = true }, "asked 0 times, not 1"},
		{"a question too many", 1, func(_ *retailSet, task *retailTask) { task.Calls[1].want.asks = false }, "asked 1 times, not 0"},
		{"other arguments on the card", 1, func(_ *retailSet, task *retailTask) { task.Calls[1].want.args = `{}` }, "the person was shown cancel_pending_order"},
		{"a card without a preview", 1, func(_ *retailSet, task *retailTask) { task.Calls[2].want.previews = true }, "the card does not say"},
		{"a call that ran and must not", 1, func(_ *retailSet, task *retailTask) { task.Calls[0].want.args = "" }, "started 1 times, not 0"},
		{"a call that must run", 14, func(_ *retailSet, task *retailTask) { task.Calls[0].want.args = "{}" }, "started 0 times, not 1"},
		{"another error", 1, func(_ *retailSet, task *retailTask) { task.Calls[2].Result = new("Error: no") }, `got "Error: non-pending order cannot be cancelled", want "Error: no"`},
		{"a result in place of an error", 1, func(_ *retailSet, task *retailTask) { task.Calls[2].Result = new("{}") }, "it ended as [error], want ok"},
		{"a refusal in place of a result", 14, func(_ *retailSet, task *retailTask) { task.Calls[10].Result = new("") }, `want ""`},
		{"a sum", 16, func(_ *retailSet, task *retailTask) { task.Calls[4].Result = new("11.01") }, "call 5 calculate: got"},
		{"an error of Python's where there is a sum", 16, func(_ *retailSet, task *retailTask) { task.Calls[4].Result = new("Error: no") }, "it ended as [ok], want error"},
		{"a change that was not recorded", 2, func(_ *retailSet, task *retailTask) { task.Changed.Orders = nil }, "orders #W1101860 changed, and must not"},
		{"a change that did not come", 17, func(_ *retailSet, task *retailTask) {
			task.Changed.Users = map[string]json.RawMessage{"nobody": json.RawMessage(`{}`)}
		}, "users nobody did not change"},
		{"a class that the shop does not declare", 0, func(s *retailSet, _ *retailTask) { s.spec("cancel_pending_order").class = assent.Write }, "the shop declares orders_cancel destructive"},
		{"an argument that the shop does not have", 0, func(s *retailSet, _ *retailTask) { s.spec("get_user_details").args = byOrder }, "get_user_details takes [user_id], and users_detail takes [id]"},
		{"an argument that the shop demands", 0, func(s *retailSet, _ *retailTask) { s.spec("get_user_details").oracle.Required = nil }, "get_user_details requires []"},
		{"a tool that the shop does not have", 0, func(s *retailSet, _ *retailTask) { s.spec("get_user_details").tool = "users_show" }, "the shop has no tool users_show"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openDesk(t)
			task := s.tasks[c.task]
			c.lie(s, task)
			o := s.play(t.Context(), task)
			if !strings.Contains(strings.Join(o.wrong, "\n"), c.want) {
				t.Errorf("found %q, want %s", o.wrong, c.want)
			}
		})
	}
}

func (s *retailSet) spec(name string) *retailSpec {
	for i := range s.specs {
		if s.specs[i].name == name {
			return &s.specs[i]
		}
	}
	return nil
}

// The shop's tools keep the shop's words: only the names of arguments are the
// recorded ones, wherever a person or a model reads them.
func TestARenamedToolIsTheShops(t *testing.T) {
	s := openDesk(t)
	o := s.play(t.Context(), s.tasks[1])
	r := o.calls[1].asked[0]
	if r.Tool.Title != "Cancel order #W1090177" || r.Tool.Name != "cancel_pending_order" || r.Tool.Description != "Cancels a pending order." {
		t.Errorf("the card says %+v", r.Tool)
	}
	if r.Preview == nil {
		t.Fatal("the card has no preview")
	}
	names := r.Preview.Names
	if len(names) != 1 || names[0].Pointer != "/order_id" || names[0].Label != "Children's Raincoat, Children's Raincoat" {
		t.Errorf("the id stands for %+v", names)
	}
	o = s.play(t.Context(), s.tasks[14])
	for i, want := range map[int]string{1: "/order_id: is empty", 3: "/id: there is no such argument", 5: "/page: there is no such argument"} {
		if got := o.calls[i].told; got != "Error: Invalid arguments: "+want {
			t.Errorf("call %d was told %q", i+1, got)
		}
	}
}
