package resource_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type orderKey struct {
	ID string `param:"id"`
}

type cancelling struct {
	Reason string `json:"reason" enum:"damaged,late,other"`
	Note   string `json:"note,omitempty"`
	Weeks  int    `json:"weeks,omitempty"`
}

// orders is a resource whose definitions nodes lead to.
type orders struct {
	detail resource.ViewDef[orderKey]
	cancel resource.ActionDef[orderKey, cancelling]
	resend resource.ActionDef[orderKey, resource.None]
}

func newOrders() orders {
	r := resource.New("orders")
	return orders{
		detail: resource.View(r, "detail", func(*resource.Context, orderKey) (resource.Node, error) { return nil, nil }),
		cancel: resource.Action(r, "cancel", func(*resource.Context, orderKey, cancelling) (resource.Node, error) { return nil, nil }).
			SetTitle("Cancel order").SetClass(policy.Destructive),
		resend: resource.Action(r, "resend", func(*resource.Context, orderKey, resource.None) (resource.Node, error) { return nil, nil }).
			SetTitle("Send the invoice again").SetClass(policy.Write),
	}
}

// everything is a view that holds every kind of node.
func everything() resource.Node {
	o, key := newOrders(), orderKey{"#W1"}
	items := resource.Table("Item", "Status", "Quantity", "Price").Right("Quantity", "Price").
		Row(o.detail.Link(orderKey{"#L1"}, "Desk lamp, brass"), resource.Callout("Delivered").As(resource.Good), resource.Text("1"), resource.Text("€ 89.00")).
		Row(resource.Text("Bulb E27 | warm"), resource.Callout("Late").As(resource.Warning), resource.Text("4"), resource.Text("€ 12.40")).
		Row(resource.Text("Cable drum"), resource.Callout("Lost").As(resource.Danger), resource.Text("1"), resource.Text("€ 1,024.00")).
		Row(resource.Text("Gift card"), resource.Callout("Draft"), nil, resource.Text("€ 25.00"))
	items.Caption = "Items of the order"
	return resource.ViewOf("orders", "detail",
		resource.Heading("Order #W1"),
		resource.Text("Placed on 24 November 2026 through the web shop. It has four items, of which one is late and one was lost on the way."),
		resource.Callout("The parcel waits at the depot until Friday.").As(resource.Warning),
		resource.Actions(o.resend.Form(key), o.cancel.Form(key), o.detail.Link(orderKey{"#W2"}, "Next order")),
		resource.Group("Delivery", resource.Fields().
			Add("Customer", resource.Content(resource.Text("Ann Smith"), resource.Callout("Regular").As(resource.Good))).
			Text("Address", "12 Mill Lane\nOxford OX1 1AA\n# no heading").
			Add("Parcels", resource.List(resource.Text("A-1, 2.4 kg"), resource.Text("A-2, 0.3 kg"))).
			Add("Invoice", o.detail.Link(orderKey{"#I7"}, "Invoice 7")).
			Add("Note", nil)),
		resource.Group("What was ordered", items,
			resource.Group("Returns", resource.Empty("Nothing was sent back. Returns are possible until 8 December.")),
			resource.Image("/static/lamp.png", "A brass desk lamp"), resource.Image("https://example.com/x.png", "A picture from elsewhere")),
		resource.Group("History",
			resource.List(resource.Text("Paid <b>by card</b>"), resource.Group("", resource.Text("Packed"), resource.List(resource.Text("by Tom"), resource.Text("- in two parcels"))), o.detail.Link(key, "Sent")),
			resource.Callout("All amounts hold VAT."),
			resource.Callout("The refund of € 1,024.00 went out.").As(resource.Good),
			resource.Callout("The card was refused twice.").As(resource.Danger)),
	)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "nodes", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; see the difference with go test -update. Got:\n%s", file, got)
	}
}

// SPEC R6.
func TestEveryKindOfNodeIsWrittenAsJSONAsHTMLAndAsText(t *testing.T) {
	view := everything()
	golden(t, "view.json", string(resource.NodeJSON(view))+"\n")
	golden(t, "view.html", resource.PageHTML("Order #W1", view))
	golden(t, "view.txt", resource.NodeText(view)+"\n")
}

// A nil pointer of a kind of node is no node, wherever it stands.
//
// proves: R6
func TestANilNodeIsNothing(t *testing.T) {
	var callout *resource.CalloutNode
	var link *resource.LinkNode
	r := resource.New("r")
	resource.View(r, "v", func(*resource.Context, resource.None) (resource.Node, error) { return callout, nil })
	resource.View(r, "inside", func(*resource.Context, resource.None) (resource.Node, error) {
		return resource.Content(callout, resource.Fields().Add("a", link), resource.Table("b").Row(link), resource.List(callout)), nil
	})
	resource.Action(r, "x", func(*resource.Context, resource.None, resource.None) (resource.Node, error) { return link, nil })
	app := resource.NewApp(nil, r)
	for name, got := range map[string]resource.Result{
		`"content":[]`:                    app.RenderView(t.Context(), resource.ViewCall{Resource: "r", View: "v"}),
		`"value":null`:                    app.RenderView(t.Context(), resource.ViewCall{Resource: "r", View: "inside"}),
		`{"kind":"success","status":200}`: app.HandleAction(t.Context(), resource.ActionCall{Resource: "r", Action: "x"}),
	} {
		if !strings.Contains(string(got.JSON()), name) {
			t.Errorf("%s: %s", name, got.JSON())
		}
		if got.Node != nil {
			_ = resource.NodeText(got.Node)
		}
	}
}
