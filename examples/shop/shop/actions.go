package shop

import (
	"context"
	"fmt"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
)

// snippet: payloads
// What the forms of an order's actions ask for. The lookups feed the pickers.
type (
	// Cancel says why an order is cancelled.
	Cancel struct {
		Reason string `json:"reason" enum:"no longer needed,ordered by mistake" doc:"Why the order is cancelled."`
	}
	// Swap exchanges items for other variants of the same products.
	Swap struct {
		Items    []string `json:"item_ids" title:"Items" lookup:"orders.items" doc:"The items to be exchanged, by item id. One that was bought twice may be named twice."`
		NewItems []string `json:"new_item_ids" title:"New items" lookup:"orders.variants" doc:"What they become, by item id, in the same order: other variants of the same products."`
		Payment  string   `json:"payment_method_id" title:"Payment method" lookup:"orders.payments" doc:"Pays the difference in price, or receives it."`
	}
	// Payment says what an order is paid with.
	Payment struct {
		Payment string `json:"payment_method_id" title:"Payment method" lookup:"orders.payments" doc:"Pays the order instead. A gift card must cover all of it."`
	}
	// Return sends items back.
	Return struct {
		Items   []string `json:"item_ids" title:"Items" lookup:"orders.items" doc:"The items to be sent back, by item id."`
		Payment string   `json:"payment_method_id" title:"Refund to" lookup:"orders.payments" doc:"Receives the refund: what the order was paid with, or a gift card."`
	}
)

// end snippet

// rule changes an order, and sometimes its user's gift cards, in memory.
type rule[P any] func(ctx context.Context, db store.DB, o *store.Order, u *store.User, p P) error

func (d *desk) defineOrderActions() {
	d.cancel = orderAction(d, "cancel", "Cancel order {id}", policy.Destructive, "Cancel a pending order and refund what was paid.",
		func(_ context.Context, _ store.DB, o *store.Order, u *store.User, p Cancel) error {
			return o.Cancel(u, p.Reason)
		})
	d.change = orderAction(d, "modify_items", "Change items of {id}", policy.Destructive, "Change items of a pending order to other variants of the same products. This can be done once.",
		swap((*store.Order).ModifyItems))
	d.exchange = orderAction(d, "exchange", "Exchange items of {id}", policy.Destructive, "Exchange items of a delivered order for other variants of the same products. This can be done once.",
		swap((*store.Order).Exchange))
	d.sendBack = orderAction(d, "return", "Return items of {id}", policy.Destructive, "Return items of a delivered order for a refund. This can be done once.",
		func(_ context.Context, _ store.DB, o *store.Order, u *store.User, p Return) error {
			return o.Return(u, p.Items, p.Payment)
		})
	d.setPayment = orderAction(d, "set_payment", "Change payment of {id}", policy.Destructive, "Pay a pending order with another payment method and refund the first.",
		func(_ context.Context, _ store.DB, o *store.Order, u *store.User, p Payment) error {
			return o.SetPayment(u, p.Payment)
		})
	d.setAddress = orderAction(d, "set_address", "Change address of {id}", policy.Write, "Change the address of a pending order.",
		func(_ context.Context, _ store.DB, o *store.Order, _ *store.User, p Address) error {
			return o.SetAddress(store.Address(p))
		})
	d.setAddress.SetFill(orderAddress)
	d.setAddress.SetUndo(resource.UndoBy(d.setAddress, func(c *resource.Context, k Key, _ Address) (Key, Address, error) {
		now, err := orderAddress(c, k)
		return k, now, err
	}))
}

// swap makes a rule of one that needs the products of the order's items.
func swap(change func(*store.Order, *store.User, store.Catalog, store.Swap) error) rule[Swap] {
	return func(ctx context.Context, db store.DB, o *store.Order, u *store.User, p Swap) error {
		products, err := store.CatalogOf(ctx, db, o)
		if err != nil {
			return err
		}
		return change(o, u, products, store.Swap(p))
	}
}

// orderAddress is what the form begins with, and what an undo puts back.
func orderAddress(c *resource.Context, k Key) (Address, error) {
	o, err := store.GetOrder(c, sqldata.From(c), k.ID)
	if err != nil {
		return Address{}, err
	}
	return Address(o.Address), nil
}

// orderAction defines an action that changes one order by a rule. Its preview
// applies the same rule and keeps nothing. On the page of the order its title
// needs no {id}.
func orderAction[P any](d *desk, name, title string, class policy.Class, description string, change rule[P]) resource.ActionDef[Key, P] {
	page := strings.TrimSuffix(strings.TrimSuffix(title, " {id}"), " of")
	return resource.Action(d.orders, name, func(c *resource.Context, k Key, p P) (resource.Node, error) {
		s, err := changed(c, k, p, change)
		if err != nil {
			return nil, err
		}
		if err := store.PutUser(c, sqldata.From(c), s.user); err != nil {
			return nil, err
		}
		return resource.WithData(s.order, d.order.Link(k, "Order "+k.ID)), store.PutOrder(c, sqldata.From(c), s.order)
	}).SetTitle(page).SetClass(class).SetPreview(func(c *resource.Context, k Key, p P) (*assent.Preview, error) {
		s, err := changed(c, k, p, change)
		if err != nil {
			return nil, err
		}
		return s.preview(c)
	}).SetAgentOptions(resource.AgentOptions{Description: description, Title: title, Result: resource.ResultData})
}

// step is an order and its user, as they were and as a rule leaves them.
type step struct {
	was, order   *store.Order
	before, user *store.User
}

func changed[P any](c *resource.Context, k Key, p P, change rule[P]) (*step, error) {
	db := sqldata.From(c)
	o, err := store.GetOrder(c, db, k.ID)
	if err != nil {
		return nil, err
	}
	u, err := store.GetUser(c, db, o.UserID)
	if err != nil {
		return nil, err
	}
	s := &step{was: o, order: o.Clone(), before: u, user: u.Clone()}
	return s, change(c, db, s.order, s.user, p)
}

// preview says in rows what is different, and what it costs.
func (s *step) preview(c *resource.Context) (*assent.Preview, error) {
	p := &assent.Preview{Summary: fmt.Sprintf("Order %s of %s, %s", s.was.ID, fullName(s.user), total(s.was))}
	row := func(label, before, after string) {
		if before != after {
			p.Changes = append(p.Changes, assent.Change{Label: label, Before: before, After: after})
		}
	}
	row("Status", s.was.Status, s.order.Status)
	row("Address", line(s.was.Address), line(s.order.Address))
	for i, it := range s.order.Items {
		row("Item", itemLine(s.was.Items[i]), itemLine(it))
	}
	if r := s.order.ReturnRequest; r != nil {
		row("Sent back", "", s.itemLines(r.Items))
		row("Refund when it arrives, to "+methodOf(s.user, r.PaymentMethodID), "", s.worth(r.Items).String())
	}
	if x := s.order.ExchangeRequest; x != nil {
		row("Sent back", "", s.itemLines(x.Items))
		instead, err := variants(c, x.NewItems)
		if err != nil {
			return nil, err
		}
		row("Sent instead", "", instead)
		row("Difference in price, by "+methodOf(s.user, x.PaymentMethodID), "", x.PriceDifference.String())
	}
	for _, pay := range s.order.PaymentHistory[len(s.was.PaymentHistory):] {
		label, way := "Payment", " by "
		if pay.Type == "refund" {
			label, way = "Refund", " to "
		}
		row(label, "", pay.Amount.String()+way+methodOf(s.user, pay.PaymentMethodID))
	}
	for i, m := range s.user.PaymentMethods {
		if old := s.before.PaymentMethods[i].Value.Balance; old != nil {
			row("Balance of "+m.Key, old.String(), m.Value.Balance.String())
		}
	}
	return p, nil
}
