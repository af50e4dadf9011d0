package shop

import (
	"github.com/assentdev/assent"
	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
)

// Email and NameZip are two ways to find out who somebody is.
type (
	Email struct {
		Email string `param:"email"`
	}
	NameZip struct {
		First string `param:"first_name"`
		Last  string `param:"last_name"`
		Zip   string `param:"zip"`
	}
)

func (d *desk) defineUsers() {
	d.user = resource.View(d.users, "detail", d.showUser).SetAgentOptions(resource.AgentOptions{
		Description: "Open a user: name, address, payment methods and orders.", Title: "Show user {id}", Result: resource.ResultData,
	})
	resource.View(d.users, "by_email", func(c *resource.Context, k Email) (resource.Node, error) {
		return d.found(store.UserByEmail(c, sqldata.From(c), k.Email))
	}).SetAgentOptions(resource.AgentOptions{Description: "Find the id of the user with an e-mail address.", Title: "Find {email}", Result: resource.ResultData})
	resource.View(d.users, "by_name", func(c *resource.Context, k NameZip) (resource.Node, error) {
		return d.found(store.UserByNameZip(c, sqldata.From(c), k.First, k.Last, k.Zip))
	}).SetAgentOptions(resource.AgentOptions{Description: "Find the id of a user by name and zip code, where the e-mail address is not known.", Title: "Find {first_name} {last_name}", Result: resource.ResultData})

	resource.Lookup(d.users, "find", func(c *resource.Context, _ resource.None, query string) ([]resource.Record, error) {
		users, err := store.FindUsers(c, sqldata.From(c), query, 20)
		return records(users, d.userRecord), err
	}).SetResolve(func(c *resource.Context, _ resource.None, id string) (*resource.Record, error) {
		return named(d.userRecord)(store.GetUser(c, sqldata.From(c), id))
	}).SetTitle("Find a user").SetAgentOptions(resource.AgentOptions{Description: "Search users by name, e-mail or id.", Title: "Search users for {query}", Search: true})

	d.setUserAddress = resource.Action(d.users, "set_address", d.moveUser).
		SetTitle("Change address").SetClass(assent.Write).SetPreview(previewMove)
	d.setUserAddress.SetFill(userAddress)
	d.setUserAddress.SetUndo(resource.UndoBy(d.setUserAddress, func(c *resource.Context, k UserKey, _ Address) (UserKey, Address, error) {
		now, err := userAddress(c, k)
		return k, now, err
	})).SetAgentOptions(resource.AgentOptions{Description: "Change the default address of a user. Orders keep the address that they have.", Title: "Change the address of {id}", Result: resource.ResultData})
}

func (d *desk) showUser(c *resource.Context, k UserKey) (resource.Node, error) {
	u, err := store.GetUser(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	orders, err := store.OrdersOf(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	paying := resource.Table("Payment method", "Balance").Right("Balance")
	for _, m := range u.PaymentMethods {
		balance := ""
		if m.Value.Balance != nil {
			balance = m.Value.Balance.String()
		}
		paying.Row(resource.Text(method(m.Value)), resource.Text(balance))
	}
	return resource.WithData(u,
		resource.Heading(fullName(u)),
		resource.Fields().Text("User", u.ID).Text("E-mail", u.Email).Text("Address", line(u.Address)),
		resource.Actions(d.setUserAddress.Form(k)),
		resource.Group("Payment methods", paying),
		resource.Group("Orders", d.orderTable(orders)),
	), nil
}

// found leads to a user. A model reads the id.
func (d *desk) found(u *store.User, err error) (resource.Node, error) {
	if err != nil {
		return nil, err
	}
	return resource.WithData(u.ID, resource.Heading("Found"), d.user.Link(UserKey{u.ID}, fullName(u))), nil
}

func (d *desk) moveUser(c *resource.Context, k UserKey, to Address) (resource.Node, error) {
	u, err := store.GetUser(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	u.SetAddress(store.Address(to))
	return resource.WithData(u, d.user.Link(k, fullName(u))), store.PutUser(c, sqldata.From(c), u)
}

// userAddress is what the form begins with, and what an undo puts back.
func userAddress(c *resource.Context, k UserKey) (Address, error) {
	u, err := store.GetUser(c, sqldata.From(c), k.ID)
	if err != nil {
		return Address{}, err
	}
	return Address(u.Address), nil
}

func previewMove(c *resource.Context, k UserKey, to Address) (*assent.Preview, error) {
	u, err := store.GetUser(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	return &assent.Preview{
		Summary: fullName(u) + " moves. Orders keep their address.",
		Changes: []assent.Change{{Label: "Address", Before: line(u.Address), After: line(store.Address(to))}},
	}, nil
}

func fullName(u *store.User) string { return u.Name.First + " " + u.Name.Last }

func (d *desk) userRecord(u *store.User) resource.Record {
	return resource.Record{Value: u.ID, Label: fullName(u), Description: u.Email, Link: d.user.Link(UserKey{u.ID}, u.ID)}
}

// method says what a payment method is.
func method(m store.PaymentMethod) string {
	switch m.Source {
	case "credit_card":
		return m.Brand + " ending in " + m.LastFour
	case "gift_card":
		return "Gift card " + m.ID
	}
	return "PayPal " + m.ID
}

// records makes records of what was found.
func records[V any](list []*V, record func(*V) resource.Record) []resource.Record {
	all := make([]resource.Record, len(list))
	for i, v := range list {
		all[i] = record(v)
	}
	return all
}
