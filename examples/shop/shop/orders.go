package shop

import (
	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
)

func (d *desk) defineOrders() {
	resource.View(d.orders, "latest", d.showLatest).SetTitle("Orders")
	d.order = resource.View(d.orders, "detail", d.showOrder).SetAgentOptions(resource.AgentOptions{
		Description: "Open an order by its number, such as '#W1004217': status, items, address and payments.",
		Title:       "Show order {id}", Result: resource.ResultData,
	})
	resource.Lookup(d.orders, "find", func(c *resource.Context, _ resource.None, query string) ([]resource.Record, error) {
		orders, err := store.FindOrders(c, sqldata.From(c), query, 20)
		return records(orders, d.orderRecord), err
	}).SetResolve(func(c *resource.Context, _ resource.None, id string) (*resource.Record, error) {
		return named(d.orderRecord)(store.GetOrder(c, sqldata.From(c), id))
	}).SetTitle("Find an order").SetAgentOptions(resource.AgentOptions{
		Description: "Search orders by number, customer or product. Each has its number, such as '#W1004217'.",
		Title:       "Search orders for {query}", Search: true,
	})

	// What the forms of the actions let people choose from.
	resource.Lookup(d.orders, "items", d.findItems)
	resource.Lookup(d.orders, "variants", d.findVariants)
	resource.Lookup(d.orders, "payments", d.findPayments)
	d.defineOrderActions()
}

func (d *desk) showLatest(c *resource.Context, _ resource.None) (resource.Node, error) {
	orders, err := store.LatestOrders(c, sqldata.From(c), 50)
	if err != nil {
		return nil, err
	}
	return resource.Content(resource.Heading("Latest orders"), d.orderTable(orders)), nil
}

func (d *desk) orderTable(orders []*store.Order) resource.Node {
	if len(orders) == 0 {
		return resource.Empty("No orders.")
	}
	table := resource.Table("Order", "Status", "Items", "Total").Right("Total")
	for _, o := range orders {
		table.Row(d.order.Link(Key{o.ID}, o.ID), resource.Text(o.Status), resource.Text(itemNames(o)), resource.Text(total(o).String()))
	}
	return table
}

func (d *desk) showOrder(c *resource.Context, k Key) (resource.Node, error) {
	o, err := store.GetOrder(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	u, err := store.GetUser(c, sqldata.From(c), o.UserID)
	if err != nil {
		return nil, err
	}
	items := resource.Table("Item", "Product", "Options", "Price").Right("Price")
	for _, it := range o.Items {
		items.Row(resource.Text(it.ItemID), d.product.Link(ProductKey{it.ProductID}, it.Name), resource.Text(options(it.Options)), resource.Text(it.Price.String()))
	}
	payments := resource.Table("Payment", "Method", "Amount").Right("Amount")
	for _, p := range o.PaymentHistory {
		payments.Row(resource.Text(p.Type), resource.Text(methodOf(u, p.PaymentMethodID)), resource.Text(p.Amount.String()))
	}
	return resource.WithData(o,
		resource.Heading("Order "+o.ID),
		resource.Fields().Text("Status", o.Status).Add("Customer", d.user.Link(UserKey{u.ID}, fullName(u))).
			Text("Address", line(o.Address)).Text("Total", total(o).String()),
		d.whatCanBeDone(o),
		resource.Group("Items", items),
		resource.Group("Payments", payments),
	), nil
}

// whatCanBeDone are the actions that the order's status allows.
func (d *desk) whatCanBeDone(o *store.Order) resource.Node {
	switch o.Status {
	case store.Pending:
		k := Key{o.ID}
		return resource.Actions(d.change.Form(k), d.setAddress.Form(k), d.setPayment.Form(k), d.cancel.Form(k))
	case store.Delivered:
		return resource.Actions(d.exchange.Form(Key{o.ID}), d.sendBack.Form(Key{o.ID}))
	}
	return resource.Callout("Nothing can be done: only pending and delivered orders can be changed.")
}

func (d *desk) findItems(c *resource.Context, k Key, query string) ([]resource.Record, error) {
	o, err := store.GetOrder(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	var all []resource.Record
	for _, it := range o.Items {
		all = append(all, itemRecord(it.ItemID, it.Name, it.Options, it.Price))
	}
	return matching(all, query), nil
}

// findVariants finds what the items of an order can become.
func (d *desk) findVariants(c *resource.Context, k Key, query string) ([]resource.Record, error) {
	o, err := store.GetOrder(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	products, err := store.CatalogOf(c, sqldata.From(c), o)
	if err != nil {
		return nil, err
	}
	var all []resource.Record
	seen := map[string]bool{}
	for _, it := range o.Items {
		p := products[it.ProductID]
		if p == nil || seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		for _, v := range p.Variants {
			if v.Value.Available {
				all = append(all, itemRecord(v.Key, p.Name, v.Value.Options, v.Value.Price))
			}
		}
	}
	return matching(all, query), nil
}

func (d *desk) findPayments(c *resource.Context, k Key, query string) ([]resource.Record, error) {
	o, err := store.GetOrder(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	u, err := store.GetUser(c, sqldata.From(c), o.UserID)
	if err != nil {
		return nil, err
	}
	var all []resource.Record
	for _, m := range u.PaymentMethods {
		r := resource.Record{Value: m.Key, Label: method(m.Value)}
		if m.Value.Balance != nil {
			r.Description = m.Value.Balance.String() + " left"
		}
		all = append(all, r)
	}
	return matching(all, query), nil
}
