package assent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/policy"
)

// began is a session of a started agent, for the examples.
func began(mode assent.Mode, opts ...assent.Option) (*assent.Session, func()) {
	agent, err := assent.New(opts...)
	if err != nil {
		panic(err)
	}
	if err := agent.Start(context.Background()); err != nil {
		panic(err)
	}
	session, err := agent.StartSession(context.Background(), mode)
	if err != nil {
		panic(err)
	}
	return session, func() { agent.Close() }
}

// call makes a call and prints its result.
func call(s *assent.Session, tool, args string) *assent.Result {
	r, err := s.Call(context.Background(), tool, []byte(args)).Wait()
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Text)
	return r
}

func ExampleDecide() {
	fmt.Println(assent.Decide(assent.Ask, assent.Read))
	fmt.Println(assent.Decide(assent.Ask, assent.Write))
	fmt.Println(assent.Decide(assent.ReadOnly, assent.Destructive))
	// Output:
	// run
	// ask
	// hidden
}

type page struct {
	Number int `json:"page" doc:"The page number." min:"1"`
}

func ExampleDefine() {
	read := assent.Define("read_page", "Reads a page of the open document.",
		func(_ context.Context, in page) (string, error) {
			return fmt.Sprintf("text of page %d", in.Number), nil
		}, &assent.ToolOptions[page]{Class: assent.Read, Title: "Read page {page}"})

	s, end := began(assent.ReadOnly, assent.WithTools(read))
	defer end()
	call(s, "read_page", `{"page": 3}`)
	call(s, "read_page", `{"page": 0}`)
	// Output:
	// text of page 3
	// Error: Invalid arguments: /page: must be at least 1, got 0
}

func ExampleDefineRaw() {
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	echo := assent.DefineRaw("echo", "Says what it was given.", schema,
		func(_ context.Context, args []byte) (any, error) { return string(args), nil },
		&assent.RawOptions{Class: assent.Read})

	s, end := began(assent.ReadOnly, assent.WithTools(echo))
	defer end()
	call(s, "echo", `{ "n": 9007199254740993.0 }`) // canonical, and exact
	// Output:
	// {"n":9007199254740993}
}

type rename struct {
	To string `json:"to" minLength:"1"`
}

func ExampleUndoWith() {
	name := "draft"
	tool := assent.Define("rename", "Renames the document.",
		func(_ context.Context, in rename) (assent.Undoable, error) {
			was := name
			name = in.To
			return assent.Undoable{Result: "renamed to " + name, Undo: rename{To: was}}, nil
		}, &assent.ToolOptions[rename]{
			Class: assent.Write,
			Undo: assent.UndoWith(func(_ context.Context, back rename) (string, error) {
				name = back.To
				return "back to " + name, nil
			}),
		})

	s, end := began(assent.Auto, assent.WithTools(tool))
	defer end()
	call(s, "rename", `{"to":"final"}`)
	r, err := s.Undo(context.Background(), s.Undoable()[0].ID).Wait()
	fmt.Println(r.Text, err)
	// Output:
	// renamed to final
	// back to draft <nil>
}

// The preview is shown on the card; it changes nothing.
func ExampleToolOptions_preview() {
	remove := assent.Define("delete_page", "Deletes a page.",
		func(_ context.Context, in page) (string, error) { return "deleted", nil },
		&assent.ToolOptions[page]{
			Class: assent.Destructive,
			Preview: func(_ context.Context, in page) (*assent.Preview, error) {
				return &assent.Preview{Summary: fmt.Sprintf("Page %d and 2 notes on it are lost.", in.Number)}, nil
			},
		})
	ask := assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
		fmt.Println(r.Preview.Summary)
		return approval.Deny("Keep the notes."), nil
	})

	s, end := began(assent.Auto, assent.WithTools(remove), ask)
	defer end()
	call(s, "delete_page", `{"page":3}`)
	// Output:
	// Page 3 and 2 notes on it are lost.
	// Error: Not run: this call was denied. Reason: Keep the notes.
}

// An id says little to a person: the card shows what it stands for.
func ExampleNamed() {
	customers := map[string]string{"c_81": "Ann Smith"}
	type closing struct {
		Customer string `json:"customer"`
	}
	closeAccount := assent.Define("close_account", "Closes a customer's account.",
		func(context.Context, closing) (string, error) { return "closed", nil },
		&assent.ToolOptions[closing]{
			Class: assent.Destructive,
			Preview: func(_ context.Context, in closing) (*assent.Preview, error) {
				return &assent.Preview{Names: []assent.Named{{Pointer: "/customer", Label: customers[in.Customer]}}}, nil
			},
		})
	ask := assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
		for _, row := range approval.NewCard(r).Rows {
			fmt.Println(row.Name, "is", row.Value, "and stands for", row.Named)
		}
		return approval.Approve(), nil
	})

	s, end := began(assent.Ask, assent.WithTools(closeAccount), ask)
	defer end()
	call(s, "close_account", `{"customer":"c_81"}`)
	// Output:
	// customer is c_81 and stands for Ann Smith
	// closed
}

type amount struct {
	Cents int64 `json:"cents" min:"1"`
}

// A large amount asks also in auto mode.
func ExampleToolOptions_raise() {
	pay := assent.Define("refund", "Refunds an amount.",
		func(_ context.Context, in amount) (string, error) { return "refunded", nil },
		&assent.ToolOptions[amount]{
			Class: assent.Write,
			Raise: func(_ context.Context, in amount) (assent.Class, error) {
				if in.Cents > 10_000 {
					return assent.Destructive, nil
				}
				return assent.Write, nil
			},
		})
	ask := assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
		fmt.Println("asked about", string(r.Args), "as", r.Class.Effective)
		return approval.Approve(), nil
	})

	s, end := began(assent.Auto, assent.WithTools(pay), ask)
	defer end()
	call(s, "refund", `{"cents":500}`)
	call(s, "refund", `{"cents":50000}`)
	// Output:
	// refunded
	// asked about {"cents":50000} as destructive
	// refunded
}

// An administrator's rule asks for what would run.
func ExampleWithPolicy() {
	doc, _, err := policy.Parse([]byte(`{
		"version": "7",
		"rules": [{"id": "careful", "effect": "ask", "tools": ["rename"], "reason": "names are on the invoices"}]
	}`), nil)
	if err != nil {
		panic(err)
	}
	tool := assent.Define("rename", "Renames.", func(_ context.Context, in rename) (string, error) { return "renamed", nil },
		&assent.ToolOptions[rename]{Class: assent.Write})
	ask := assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
		fmt.Println(r.Why[0].Text)
		return approval.Approve(), nil
	})

	s, end := began(assent.Auto, assent.WithTools(tool), assent.WithPolicy(doc), ask)
	defer end()
	call(s, "rename", `{"to":"final"}`)
	// Output:
	// rule careful 'rename' asks: names are on the invoices; mode auto
	// renamed
}

// A broker turns questions into cards that any interface can show and answer.
func ExampleWithDesk() {
	broker := approval.NewBroker(nil)
	tool := assent.Define("rename", "Renames.", func(_ context.Context, in rename) (string, error) { return "renamed", nil },
		&assent.ToolOptions[rename]{Class: assent.Write})

	s, end := began(assent.Ask, assent.WithTools(tool), assent.WithDesk(broker))
	defer end()
	turn := s.Call(context.Background(), "rename", []byte(`{"to":"final"}`))
	for ev := range broker.Watch(context.Background(), 0) {
		if ev.Reset {
			continue // all open cards follow
		}
		card := approval.NewCard(*ev.Item.Request)
		fmt.Println(card.Title, card.JSON, card.Class)
		err := broker.Answer(approval.Response{Ref: card.Ref, Answer: approval.ApproveForSession()}, approval.Decided{By: "ada", Via: "panel"})
		fmt.Println(err)
		break
	}
	r, err := turn.Wait()
	fmt.Println(r.Text, err)
	fmt.Println(len(s.Grants()), "grant")
	// Output:
	// rename {"to":"final"} write
	// <nil>
	// renamed <nil>
	// 1 grant
}

func ExampleTurn_Events() {
	tool := assent.Define("rename", "Renames.", func(_ context.Context, in rename) (string, error) { return "renamed", nil },
		&assent.ToolOptions[rename]{Class: assent.Write})

	s, end := began(assent.Auto, assent.WithTools(tool))
	defer end()
	for ev, err := range s.Call(context.Background(), "rename", []byte(`{"to":"final"}`)).Events() {
		if err != nil {
			panic(err)
		}
		switch ev := ev.(type) {
		case assent.CallDecided:
			fmt.Println(ev.Verdict, ev.Reason)
		case assent.CallEnded:
			fmt.Println(ev.Outcome, ev.Text)
		case assent.TurnEnded:
			fmt.Println(ev.End)
		}
	}
	// Output:
	// run class write runs; mode auto
	// ok renamed
	// done
}

// With a file, sessions and open questions survive the process.
func ExampleWithJournal() {
	dir, err := os.MkdirTemp("", "assent")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "journal")
	log, err := journal.OpenFile(path, nil)
	if err != nil {
		panic(err)
	}
	tool := assent.Define("rename", "Renames.", func(_ context.Context, in rename) (string, error) { return "renamed", nil },
		&assent.ToolOptions[rename]{Class: assent.Write})
	s, end := began(assent.Auto, assent.WithTools(tool), assent.WithJournal(log))
	call(s, "rename", `{"to":"final"}`)
	end()
	log.Close()

	report, err := journal.VerifyFile(path, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("the chain holds:", report.Err() == nil)
	// Output:
	// renamed
	// the chain holds: true
}

func ExampleSession_SetMode() {
	tool := assent.Define("rename", "Renames.", func(_ context.Context, in rename) (string, error) { return "renamed", nil },
		&assent.ToolOptions[rename]{Class: assent.Write})
	s, end := began(assent.Auto, assent.WithTools(tool))
	defer end()
	call(s, "rename", `{"to":"final"}`)
	if err := s.SetMode(assent.ReadOnly); err != nil {
		panic(err)
	}
	call(s, "rename", `{"to":"final"}`)
	// Output:
	// renamed
	// Error: Not run: this tool is not allowed.
}

// A result that is too long is cut, and the model can read the rest.
func ExampleWithResultReader() {
	list := assent.Define("list", "Lists everything.",
		func(context.Context, struct{}) (string, error) { return "one, two, three, four", nil },
		&assent.ToolOptions[struct{}]{Class: assent.Read})
	s, end := began(assent.ReadOnly, assent.WithTools(list), assent.WithResultReader(), assent.WithLimits(assent.Limits{ResultBytes: 8}))
	defer end()
	r := call(s, "list", `{}`)
	call(s, assent.ReadResultName, fmt.Sprintf(`{"call":%q,"offset":10}`, r.Calls[0].Call))
	// Output:
	// one, two, three, four
	// three, four
}
