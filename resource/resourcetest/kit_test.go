package resourcetest_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/resourcetest"
	"github.com/assentdev/assent/tool"
)

type (
	key struct {
		ID string `param:"id"`
	}
	refund struct {
		Cents int `json:"cents" min:"1"`
	}
)

// shop is the app that the tests try.
type shop struct {
	app    *resource.App
	detail resource.ViewDef[key]
	find   resource.LookupDef[resource.None]
	refund resource.ActionDef[key, refund]
	paid   int
}

func signedIn(next resource.Handler) resource.Handler {
	return func(c *resource.Context) resource.Result {
		if c.Principal == "" {
			return resource.Errorf(resource.Unsigned, "Sign in first.").Result()
		}
		return next(c)
	}
}

func newShop(more string) *shop {
	s := &shop{}
	orders := resource.New("orders", signedIn)
	s.detail = resource.View(orders, "detail", func(c *resource.Context, k key) (resource.Node, error) {
		if k.ID != "7" {
			return nil, resource.NotFound("There is no order %s.", k.ID)
		}
		return resource.Callout(fmt.Sprint("Order ", k.ID, " for ", c.Principal, c.Groups)), nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Open one order." + more})
	s.find = resource.Lookup(orders, "find", func(_ *resource.Context, _ resource.None, query string) ([]resource.Record, error) {
		return []resource.Record{{Value: "7", Label: query}, {Value: "8", Label: "Other"}}, nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Find orders."})
	s.refund = resource.Action(orders, "refund", func(_ *resource.Context, k key, r refund) (resource.Node, error) {
		s.paid += r.Cents
		return s.detail.Link(k, "The order"), nil
	})
	s.refund.SetPreview(func(_ *resource.Context, _ key, r refund) (*tool.Preview, error) {
		return &tool.Preview{Summary: "Pay back.", Changes: []tool.Change{{Label: "Paid", Before: "0", After: fmt.Sprint(r.Cents)}}}, nil
	}).SetClass(policy.Write).SetRaise(func(_ *resource.Context, _ key, r refund) policy.Class {
		if r.Cents > 100 {
			return policy.Destructive
		}
		return policy.Write
	}).SetAgentOptions(resource.AgentOptions{Description: "Pay back."})
	s.app = resource.NewApp(nil, orders)
	return s
}

// proves: R5, R6, C1
func TestAKitSeesWhatACallGives(t *testing.T) {
	s := newShop("")
	kit := resourcetest.New(t, s.app).As("ann", "support")
	order := key{"7"}

	resourcetest.View(kit, s.detail, order).WantOK().WantStatus(200).WantText("Order 7", "ann[support]")
	resourcetest.View(kit, s.detail, key{"9"}).WantError(resource.Unknown).WantStatus(404).WantText("no order 9")
	resourcetest.View(kit, s.detail, key{""}).WantIssue("id").WantStatus(400)
	resourcetest.View(kit.As(""), s.detail, order).WantError(resource.Unsigned)
	resourcetest.Lookup(kit, s.find, resource.None{}, "bolts").WantRecords("7", "8").WantText("7 bolts")
	resourcetest.Preview(kit, s.refund, order, refund{5}).WantText("Pay back.", "Paid: 0 → 5")
	resourcetest.Action(kit, s.refund, order, refund{5}).WantLink(s.detail.Link(order, ""))
	resourcetest.Action(kit, s.refund, order, refund{0}).WantIssue("cents").WantStatus(422)
	kit.Tool("orders_refund", `{"id":"7","cents":5}`).WantOK()

	auto := kit.InMode(assent.Auto)
	auto.Tool("orders_detail", `{"id":"7"}`).WantOK().WantNotAsked().WantClass(policy.Read).WantText("Order 7")
	auto.Tool("orders_detail", `{"id":"9"}`).WantError(resource.Unknown).WantStatus(404)
	auto.Tool("orders_find", `{"query":"x"}`).WantRecords("7", "8")
	auto.Tool("orders_refund", `{"id":"7","cents":5}`).WantNotAsked().WantClass(policy.Write).WantLink(s.detail.Link(order, ""))
	auto.Tool("orders_refund", `{"id":"7","cents":500}`).WantAsked().WantClass(policy.Destructive).WantOK()
	auto.Tool("orders_refund", `{"id":"7","cents":0}`).WantIssue("cents").WantNotAsked()
	kit.InMode(assent.Ask).Tool("orders_refund", `{"id":"7","cents":5}`).WantAsked()
	kit.InMode(assent.ReadOnly).Tool("orders_refund", `{"id":"7","cents":5}`).WantHidden()
	if s.paid != 5+5+5+500+5 {
		t.Errorf("paid back %d", s.paid)
	}
	kit.Modes("orders_refund", `{"id":"7","cents":5}`).Modes("orders_detail", `{"id":"7"}`).Modes("orders_find", `{"query":""}`)
	if s.paid != 520 {
		t.Errorf("Modes paid back as well: %d", s.paid)
	}
}

// proves: D7
func TestGoldenToolsNameEachChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "testdata", "tools.json")
	t.Setenv("ASSENT_UPDATE", "1")
	resourcetest.GoldenTools(t, newShop("").app, path)
	t.Setenv("ASSENT_UPDATE", "")
	resourcetest.GoldenTools(t, newShop("").app, path)

	is := newShop(" By its number.")
	extra := resource.New("extra")
	resource.View(extra, "all", func(*resource.Context, resource.None) (resource.Node, error) { return nil, nil }).
		SetAgentOptions(resource.AgentOptions{Description: "All."})
	is.refund.SetClass(policy.Destructive)
	orders, err := is.app.Resource("orders")
	if err != nil {
		t.Fatal(err)
	}
	got := failures(t, func(tb testing.TB) { resourcetest.GoldenTools(tb, resource.NewApp(nil, orders, extra), path) })
	want := []string{"extra_all: added", "orders_detail: wording /description", "orders_refund: class_stricter /class"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i, line := range want {
		if !strings.HasPrefix(got[i], line+" (accept it in ") {
			t.Errorf("got %q, want %q", got[i], line)
		}
	}
	got = failures(t, func(tb testing.TB) { resourcetest.GoldenTools(tb, resource.NewApp(nil, extra), path) })
	if len(got) != 4 || !strings.HasPrefix(got[1], "orders_detail: removed") {
		t.Errorf("got %q", got)
	}
	got = failures(t, func(tb testing.TB) { resourcetest.GoldenTools(tb, is.app, path+".gone") })
	if len(got) != 1 || !strings.Contains(got[0], "write it with ASSENT_UPDATE=1") {
		t.Errorf("without a file: %q", got)
	}
}
