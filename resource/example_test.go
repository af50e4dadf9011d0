package resource_test

import (
	"context"
	"fmt"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// One declaration: the view is a page, JSON, text for a model, and a tool.
func Example() {
	type Key struct {
		ID string `param:"id"`
	}
	type Refund struct {
		Cents  int    `json:"cents" doc:"How much to give back, in cents." min:"1"`
		Reason string `json:"reason,omitempty" doc:"Shown to the customer." enum:"damaged,late,other"`
	}
	orders := resource.New("orders")
	detail := resource.View(orders, "detail", func(c *resource.Context, k Key) (resource.Node, error) {
		return resource.Callout("Order " + k.ID + " is packed"), nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Open one order by its identifier."})
	resource.Action(orders, "refund", func(c *resource.Context, k Key, r Refund) (resource.Node, error) {
		return detail.Link(k, "Order "+k.ID), nil
	}).SetClass(policy.Destructive).SetAgentOptions(resource.AgentOptions{Description: "Pay back part of an order."})

	app := resource.NewApp(nil, orders)
	ctx := context.Background()
	fmt.Printf("%s\n", app.RenderView(ctx, resource.ViewCall{Resource: "orders", View: "detail", Params: map[string]string{"id": "7"}}).JSON())
	fmt.Printf("%s\n", app.Invoke(ctx, "orders_refund", []byte(`{"id":"7","cents":0}`), resource.Caller{}).JSON())

	agent, err := assent.Start(ctx, assent.WithToolSource(app.Source()))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	session, err := agent.StartSession(ctx)
	if err != nil {
		panic(err)
	}
	result, err := session.Call(ctx, "orders_refund", []byte(`{"id":"7","cents":5}`)).Wait()
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Calls[0].Outcome) // it asks, and nobody is there

	// Output:
	// {"kind":"success","status":200,"node":{"kind":"view","resource":"orders","name":"detail","slots":{"content":[{"kind":"callout","text":"Order 7 is packed"}]}}}
	// {"kind":"invalid","status":422,"issues":[{"path":["cents"],"message":"must be at least 1, got 0"}]}
	// denied
}

// A form begins with what is there now, and an action can be taken back.
func ExampleUndoBy() {
	type Key struct {
		ID string `param:"id"`
	}
	type Name struct {
		Name string `json:"name"`
	}
	names := map[string]string{"7": "Ann"}

	people := resource.New("people")
	rename := resource.Action(people, "rename", func(_ *resource.Context, k Key, n Name) (resource.Node, error) {
		names[k.ID] = n.Name
		return nil, nil
	}).SetClass(policy.Write).SetAgentOptions(resource.AgentOptions{Description: "Rename somebody."})
	rename.SetFill(func(_ *resource.Context, k Key) (Name, error) { return Name{names[k.ID]}, nil })
	rename.SetUndo(resource.UndoBy(rename, func(_ *resource.Context, k Key, _ Name) (Key, Name, error) {
		return k, Name{names[k.ID]}, nil // the call that puts back what is there now
	}))

	ctx := context.Background()
	agent, err := assent.Start(ctx, assent.WithToolSource(resource.NewApp(nil, people).Source()))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	session, err := agent.StartSession(ctx, assent.Auto)
	if err != nil {
		panic(err)
	}
	undo := func() {
		r, err := session.Undo(ctx, session.Undoable()[0].ID).Wait()
		if err != nil {
			panic(err)
		}
		fmt.Println(names["7"], r.Text)
	}
	rename7 := func(name string) {
		if _, err := session.Call(ctx, "people_rename", []byte(`{"id":"7","name":"`+name+`"}`)).Wait(); err != nil {
			panic(err)
		}
	}
	rename7("Bo")
	undo()
	rename7("Cy")
	names["7"] = "Di" // somebody else
	undo()

	// Output:
	// Ann Done.
	// Di Error: It has changed since, so this cannot be undone.
}

// What a definition shows is written as text for a model, too.
func ExampleNodeText() {
	fmt.Println(resource.NodeText(resource.Group("Items",
		resource.Table("Item", "Price").Right("Price").Row(resource.Text("Lamp | green"), resource.Text("$54.90")),
		resource.Callout("One is sold out.").As(resource.Warning),
	)))

	// Output:
	// ## Items
	// | Item | Price |
	// | Lamp \| green | $54.90 |
	// > Warning: One is sold out.
}
