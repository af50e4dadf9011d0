// Package guide_test holds the code of the guide's pages. It is run as examples,
// and the pages show it; see internal/tools/snippets.
package guide_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/policy"
)

// snippet: shop
// orders is what our application is about: order number to status.
var orders = map[string]string{"A1": "packed", "A2": "shipped"}

// Order are the arguments of order_status.
type Order struct {
	ID string `json:"id" doc:"The order's number." pattern:"^[A-Z][0-9]+$"`
}

var orderStatus = assent.Define("order_status", "Tells the status of an order.",
	func(_ context.Context, in Order) (string, error) {
		status, ok := orders[in.ID]
		if !ok {
			return "", errors.New("there is no order " + in.ID)
		}
		return status, nil
	}, &assent.ToolOptions[Order]{Class: assent.Read})

// end snippet

// snippet: write
// SetStatus are the arguments of set_status.
type SetStatus struct {
	ID     string `json:"id" doc:"The order's number."`
	Status string `json:"status" doc:"The new status." enum:"packed,shipped,returned"`
}

// Was is what it takes to undo a call of set_status.
type Was struct {
	ID     string `json:"id"`
	Before string `json:"before"`
	After  string `json:"after"`
}

var setStatus = assent.Define("set_status", "Sets the status of an order.",
	func(_ context.Context, in SetStatus) (assent.Undoable, error) {
		was := Was{ID: in.ID, Before: orders[in.ID], After: in.Status}
		orders[in.ID] = in.Status
		return assent.Undoable{Result: "done", Undo: was}, nil
	},
	&assent.ToolOptions[SetStatus]{
		Class: assent.Write,
		Title: "Set order {id} to {status}",
		Preview: func(_ context.Context, in SetStatus) (*assent.Preview, error) {
			return &assent.Preview{Changes: []assent.Change{{Label: in.ID, Before: orders[in.ID], After: in.Status}}}, nil
		},
		Undo: assent.UndoWith(func(_ context.Context, was Was) (string, error) {
			if orders[was.ID] != was.After {
				return "", assent.ErrChanged
			}
			orders[was.ID] = was.Before
			return "undone", nil
		}),
	})

// end snippet

// snippet: ask
// ask stands for a person. It prints what a card would show, and says yes to
// everything but returns.
func ask(_ context.Context, r approval.Request) (approval.Answer, error) {
	fmt.Printf("%s (%s)\n", r.Tool.Title, r.Class.Effective)
	for _, c := range r.Preview.Changes {
		fmt.Printf("  %s: %s -> %s\n", c.Label, c.Before, c.After)
	}
	if string(r.Args) == `{"id":"A2","status":"returned"}` {
		return approval.Deny("returns go through the warehouse"), nil
	}
	return approval.Approve(), nil
}

// end snippet

// start gives each example a session of its own.
func start(opts ...assent.Option) (*assent.Agent, *assent.Session) {
	orders["A1"] = "packed"
	agent, err := assent.Start(context.Background(), append(opts, assent.WithTools(orderStatus, setStatus))...)
	if err != nil {
		panic(err)
	}
	session, err := agent.StartSession(context.Background())
	if err != nil {
		panic(err)
	}
	return agent, session
}

// call makes one call as a model would, and prints what the model is told.
func call(s *assent.Session, tool, args string) *assent.Result {
	result, err := s.Call(context.Background(), tool, []byte(args)).Wait()
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Text)
	return result
}

func Example_read() {
	agent, session := start()
	defer agent.Close()

	// snippet: read
	call(session, "order_status", `{"id":"A1"}`)
	call(session, "order_status", `{"id":"a1","all":true}`)
	// end snippet

	// Output:
	// packed
	// Error: Invalid arguments: /id: must match the pattern ^[A-Z][0-9]+$, got "a1"; /all: is not a known property; known are id
}

func Example_ask() {
	orders["A1"], orders["A2"] = "packed", "shipped"
	// snippet: approve
	agent, session := start(assent.WithApprovalFunc(ask))
	defer agent.Close()

	call(session, "set_status", `{"id":"A1","status":"shipped"}`)
	call(session, "set_status", `{"id":"A2","status":"returned"}`)
	// end snippet

	// Output:
	// Set order A1 to shipped (write)
	//   A1: packed -> shipped
	// done
	// Set order A2 to returned (write)
	//   A2: shipped -> returned
	// Error: Not run: this call was denied. Reason: returns go through the warehouse
}

func Example_mode() {
	agent, session := start()
	defer agent.Close()

	// snippet: mode
	session.SetMode(assent.ReadOnly)
	call(session, "set_status", `{"id":"A1","status":"shipped"}`)

	session.SetMode(assent.Auto)
	call(session, "set_status", `{"id":"A1","status":"shipped"}`)
	// end snippet

	// Output:
	// Error: Not run: this tool is not allowed.
	// done
}

func Example_rule() {
	// snippet: rule
	document, _, err := policy.Parse([]byte(`{
		"version": "1",
		"rules": [{"id": "no-changes", "effect": "deny", "tools": ["set_*"]}]
	}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	agent, session := start(assent.WithPolicy(document))
	defer agent.Close()

	session.SetMode(assent.Auto)
	call(session, "set_status", `{"id":"A1","status":"shipped"}`)
	// end snippet

	// Output:
	// Error: Not run: this tool is not allowed.
}

func Example_undo() {
	agent, session := start(assent.WithApprovalFunc(func(context.Context, approval.Request) (approval.Answer, error) {
		return approval.Approve(), nil
	}))
	defer agent.Close()

	// snippet: undo
	result := call(session, "set_status", `{"id":"A1","status":"shipped"}`)
	undone, err := session.Undo(context.Background(), result.Calls[0].Call).Wait()
	fmt.Println(undone.Text, err, orders["A1"])
	// end snippet

	// Output:
	// done
	// undone <nil> packed
}

func Example_journal() {
	folder, err := os.MkdirTemp("", "guide")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "log.jsonl")

	// snippet: journal
	log, err := journal.OpenFile(file, nil)
	if err != nil {
		panic(err)
	}
	defer log.Close()
	agent, session := start(assent.WithJournal(log))
	defer agent.Close()

	call(session, "order_status", `{"id":"A1"}`)
	for record, err := range journal.Records(context.Background(), log) {
		if err != nil {
			panic(err)
		}
		fmt.Println(record.Type)
	}
	// end snippet

	// Output:
	// packed
	// session.started
	// session.owned
	// turn.started
	// tools.offered
	// model.answered
	// call.decided
	// call.started
	// call.ended
	// turn.ended
}
