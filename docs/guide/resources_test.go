package guide_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/examples/shop/shop"
	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/resource"
)

// The code of resources.md.

// desk is the shop of examples/shop with a person who approves what is asked.
func desk(mode assent.Mode) (*assent.Session, func()) {
	folder, err := os.MkdirTemp("", "shop")
	if err != nil {
		panic(err)
	}
	s, err := store.Open(filepath.Join(folder, "shop.db"))
	if err != nil {
		panic(err)
	}
	tx, err := s.Write.Begin()
	if err != nil {
		panic(err)
	}
	if err := store.Load(context.Background(), tx, store.Own()); err != nil {
		panic(err)
	}
	if err := tx.Commit(); err != nil {
		panic(err)
	}
	agent, session := atDesk(shop.App(s, nil), mode)
	return session, func() {
		_ = agent.Close()
		_ = s.Close()
		_ = os.RemoveAll(folder)
	}
}

// snippet: bridge
func atDesk(app *resource.App, mode assent.Mode) (*assent.Agent, *assent.Session) {
	agent, err := assent.Start(context.Background(),
		assent.WithToolSource(app.Source()),
		assent.WithPrincipal("ann"),
		assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
			fmt.Printf("%s? %s\n", r.Tool.Title, r.Preview.Summary)
			for _, c := range r.Preview.Changes {
				fmt.Println(" ", c.Label+":", strings.TrimPrefix(c.Before+" -> "+c.After, " -> "))
			}
			for _, n := range r.Preview.Names {
				fmt.Println(" ", n.Pointer, "is", n.Label)
			}
			return approval.Approve(), nil
		}))
	if err != nil {
		panic(err)
	}
	session, err := agent.StartSession(context.Background(), mode)
	if err != nil {
		panic(err)
	}
	return agent, session
}

// end snippet

func Example_deskAsks() {
	session, done := desk(assent.Auto)
	defer done()

	result := silent(session, "orders_cancel", `{"id":"#W1090177","reason":"ordered by mistake"}`)
	fmt.Println(result.Calls[0].Outcome)

	// Output:
	// Cancel order #W1090177? Order #W1090177 of Ada O'Brien, $79.90
	//   Status: pending -> cancelled
	//   Refund: $79.90 to Gift card gift_card_7703158
	//   Balance of gift_card_7703158: $60.00 -> $139.90
	//   /id is Children's Raincoat, Children's Raincoat
	// ok
}

func Example_deskReads() {
	session, done := desk(assent.ReadOnly)
	defer done()

	call(session, "orders_find", `{"query":"chess"}`)
	call(session, "orders_cancel", `{"id":"#W1090177","reason":"ordered by mistake"}`)

	// Output:
	// | value | label | description |
	// | #W1031945 | Chess Set | delivered |
	// | #W1134471 | Pepper Mill, Children's Raincoat, Chess Set | pending |
	// Error: Not run: this tool is not allowed.
}

func Example_deskUndoes() {
	session, done := desk(assent.Auto)
	defer done()
	ctx := context.Background()

	move := `{"id":"#W1128904","address1":"1 Quay","address2":"","city":"Bath","state":"ME","zip":"04530","country":"USA"}`
	moved := silent(session, "orders_set_address", move) // a write: runs in auto
	fmt.Println(moved.Calls[0].Outcome, moved.Calls[0].CanUndo)

	back, err := session.Undo(ctx, session.Undoable()[0].ID).Wait()
	if err != nil {
		panic(err)
	}
	fmt.Println(back.Calls[0].Outcome)

	// Output:
	// ok true
	// ok
}

// silent is call without the print.
func silent(s *assent.Session, tool, args string) *assent.Result {
	result, err := s.Call(context.Background(), tool, []byte(args)).Wait()
	if err != nil {
		panic(err)
	}
	return result
}

type kettleKey struct {
	ID string `param:"id"`
}

// Boil has a property with the name of an address parameter.
type Boil struct {
	ID string `json:"id"`
}

func Example_deskChecks() {
	kettles := resource.New("kettles")
	resource.View(kettles, "Show", func(*resource.Context, kettleKey) (resource.Node, error) { return nil, nil })
	resource.Action(kettles, "boil", func(*resource.Context, kettleKey, Boil) (resource.Node, error) { return nil, nil }).
		SetAgentOptions(resource.AgentOptions{Description: "Boils."})

	fmt.Println(resource.NewApp(nil, kettles).Check())

	// Output:
	// E_AGENT_PARAM_COLLISION: kettles.boil: "id" is both an address parameter and a payload property: rename one
	// E_DEFINITION: kettles.Show: a name is a lower-case letter, then lower-case letters, digits and _
}
