package resource_test

import (
	"encoding/json"
	"testing"

	"github.com/assentdev/assent/resource"
)

// benchPay is a payload of four fields.
type benchPay struct {
	Cents  int    `json:"cents" min:"1"`
	Reason string `json:"reason" enum:"damaged,late,other"`
	Note   string `json:"note,omitempty" maxLength:"200"`
	Mail   bool   `json:"mail,omitempty"`
}

func benchView(_ *resource.Context, k key) (resource.Node, error) {
	return resource.Callout("Order " + k.ID), nil
}

func benchAction(_ *resource.Context, k key, p benchPay) (resource.Node, error) {
	return resource.Callout("Paid back for " + k.ID), nil
}

// BenchmarkInvoke compares a handler that is called directly with the path that
// every call takes to it: arguments split, middleware, binding, validation.
func BenchmarkInvoke(b *testing.B) {
	r := resource.New("orders", func(next resource.Handler) resource.Handler { return next })
	resource.View(r, "detail", benchView).SetAgentOptions(about("Shows."))
	resource.Action(r, "pay", benchAction).SetAgentOptions(about("Pays."))
	app := resource.NewApp(nil, r)
	invoke := func(tool, args string) func(b *testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if res := app.Invoke(b.Context(), tool, json.RawMessage(args), resource.Caller{Principal: "ann"}); res.Kind != resource.Success {
					b.Fatal(string(res.JSON()))
				}
			}
		}
	}
	b.Run("view/handler", func(b *testing.B) {
		for b.Loop() {
			if n, err := benchView(nil, key{"7"}); n == nil || err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("view/invoke", invoke("orders_detail", `{"id":"7"}`))
	b.Run("action/handler", func(b *testing.B) {
		for b.Loop() {
			if n, err := benchAction(nil, key{"7"}, benchPay{5, "late", "Sorry.", true}); n == nil || err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("action/invoke", invoke("orders_pay", `{"id":"7","cents":5,"reason":"late","note":"Sorry.","mail":true}`))
}
