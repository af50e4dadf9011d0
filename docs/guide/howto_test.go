package guide_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// The code of the how-to pages.

func Example_handler() {
	agent, session := start(assent.WithApprovalFunc(
		func(ctx context.Context, r approval.Request) (approval.Answer, error) {
			card := approval.NewCard(r) // its texts can be printed as they are
			fmt.Println(card.Title, card.JSON)
			return approval.ApproveForSession(), nil
		}))
	defer agent.Close()

	call(session, "set_status", `{"id":"A1","status":"shipped"}`)
	call(session, "set_status", `{"id":"A1","status":"packed"}`) // not asked about any more

	// Output:
	// Set order A1 to shipped {"id":"A1","status":"shipped"}
	// done
	// done
}

func Example_broker() {
	broker := approval.NewBroker(nil)
	agent, session := start(assent.WithDesk(broker))
	defer agent.Close()

	turn := session.Call(context.Background(), "set_status", []byte(`{"id":"A1","status":"shipped"}`))
	for event := range broker.Watch(context.Background(), 0) {
		if event.Reset {
			continue // all open cards follow
		}
		card := approval.NewCard(*event.Item.Request)
		fmt.Println(card.Title)
		err := broker.Answer(
			approval.Response{Ref: card.Ref, Answer: approval.Approve()},
			approval.Decided{By: "ada", Via: "panel"})
		if err != nil {
			panic(err)
		}
		break
	}
	result, err := turn.Wait()
	fmt.Println(result.Text, err)

	// Output:
	// Set order A1 to shipped
	// done <nil>
}

// snippet: inbox
// inbox is a desk that only passes requests on. One that stores them in a table
// has the same two methods.
type inbox chan approval.Request

func (i inbox) Open(r approval.Request, _ approval.Reply)      { i <- r }
func (i inbox) Close(id string, _ approval.State, text string) {} // delete the row

// end snippet

func Example_inbox() {
	desk := make(inbox, 1)
	agent, session := start(assent.WithDesk(desk))
	defer agent.Close()

	turn := session.Call(context.Background(), "set_status", []byte(`{"id":"A1","status":"shipped"}`))
	shown := <-desk // perhaps tomorrow
	err := agent.Answer(shown.ID, shown.Digest, approval.Approve(), approval.Decided{By: "ada", Via: "inbox"})
	if err != nil {
		panic(err)
	}
	result, err := turn.Wait()
	fmt.Println(result.Text, err)

	// Output:
	// done <nil>
}

func Example_changed() {
	agent, session := start(assent.WithApprovalFunc(func(context.Context, approval.Request) (approval.Answer, error) {
		return approval.Approve(), nil
	}))
	defer agent.Close()

	call(session, "set_status", `{"id":"A1","status":"shipped"}`)
	orders["A1"] = "returned" // by somebody else
	for _, c := range session.Undoable() {
		result, err := session.Undo(context.Background(), c.ID).Wait()
		fmt.Println(result.Text, err)
	}
	fmt.Println(orders["A1"])

	// Output:
	// done
	// Error: It has changed since, so this cannot be undone. <nil>
	// returned
}

// snippet: conditions
// conditions lets a rule look at arguments.
var conditions = &policy.Options{
	Condition: func(when json.RawMessage, _ *policy.Rule) (policy.Condition, error) {
		return schema.CompileCondition(when, nil)
	},
}

// end snippet

func Example_contract() {
	document, warnings, err := policy.Parse([]byte(`{
		"version": "2",
		"contract": {"tools": [
			{"tool": "order_status"},
			{"tool": "set_status", "class": "destructive"}
		]},
		"rules": [
			{"id": "returns", "effect": "deny", "tools": ["set_status"],
			 "when": {"properties": {"status": {"const": "returned"}}},
			 "reason": "returns go through the warehouse"}
		],
		"limits": [{"id": "interns", "groups": ["interns"], "mode": "read_only"}],
		"caps": {"destructive": "once"}
	}`), conditions)
	fmt.Println(len(warnings), err)

	agent, session := start(assent.WithPolicy(document), assent.WithApprovalFunc(
		func(_ context.Context, r approval.Request) (approval.Answer, error) {
			fmt.Println(r.Why[0].Text, r.Allowed)
			return approval.Approve(), nil
		}))
	defer agent.Close()

	session.SetMode(assent.Auto)
	call(session, "set_status", `{"id":"A1","status":"returned"}`)
	call(session, "set_status", `{"id":"A1","status":"shipped"}`)

	// Output:
	// 0 <nil>
	// Error: Not run: this tool is not allowed.
	// class destructive asks; mode auto [approve deny edit]
	// done
}

func Example_verify() {
	folder, err := os.MkdirTemp("", "guide")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "log.jsonl")
	log, err := journal.OpenFile(file, nil)
	if err != nil {
		panic(err)
	}
	agent, session := start(assent.WithJournal(log))
	call(session, "order_status", `{"id":"A2"}`)
	agent.Close()
	log.Close()

	// snippet: checkpoint
	key, err := audit.NewKey()
	if err != nil {
		panic(err)
	}
	signed, err := journal.CheckpointFile(file, key, time.Now()) // keep it elsewhere
	if err != nil {
		panic(err)
	}
	// end snippet

	// snippet: verify
	report, err := journal.VerifyFile(file, &audit.VerifyOptions{
		Keys:  []ed25519.PublicKey{key.Public().(ed25519.PublicKey)},
		Saved: []*audit.Signed{signed},
	})
	if err != nil {
		panic(err) // it cannot be read
	}
	fmt.Println(report.Records, "records, problems:", report.Count)
	// end snippet

	// Output:
	// shipped
	// 9 records, problems: 0
}

// snippet: test
func TestReturnsAreAskedAbout(t *testing.T) {
	person := assenttest.NewPerson().Answers("set_status", approval.Deny("not today"))
	scripted := assenttest.Answers(
		assenttest.Ask(model.Call{ID: "1", Name: "set_status", Args: `{"id":"A1","status":"returned"}`}),
		assenttest.Say("It was denied."),
	)
	agent, session := start(assent.WithModel(scripted), assent.WithApprovals(person))
	defer agent.Close()

	result, err := session.Send(t.Context(), "Take order A1 back.").Wait()
	if err != nil {
		t.Fatal(err)
	}
	if asked := person.Asked(); len(asked) != 1 || asked[0].Tool.Name != "set_status" {
		t.Errorf("asked %v", asked)
	}
	if orders["A1"] != "packed" || result.Text != "It was denied." {
		t.Errorf("the order is %s, and the model says %q", orders["A1"], result.Text)
	}
}

// end snippet
