// Package shop shows a shop's users, orders and products as pages, and gives
// them to agents as governed tools. Each definition stands here once.
package shop

import (
	"log/slog"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
)

// App is the shop's desk, on a store.
func App(s *store.Store, log *slog.Logger) *resource.App {
	d := &desk{}
	d.orders = resource.New("orders", staff)
	d.users = resource.New("users", staff)
	d.products = resource.New("products", staff)
	d.defineProducts()
	d.defineUsers()
	d.defineOrders()
	return resource.NewApp(&resource.AppOptions{Title: "Shop desk", Data: sqldata.New(s.Read, s.Write, nil), Log: log}, d.orders, d.users, d.products)
}

// staff lets only those in who are signed in. It stands before every definition,
// whichever door a call comes by.
func staff(next resource.Handler) resource.Handler {
	return func(c *resource.Context) resource.Result {
		if c.Principal == "" {
			return resource.Errorf(resource.Forbidden, "Sign in first: the desk is for the shop's staff.").Result()
		}
		return next(c)
	}
}

// desk holds the definitions that others link to.
type desk struct {
	orders, users, products *resource.Resource

	order   resource.ViewDef[Key]
	user    resource.ViewDef[UserKey]
	product resource.ViewDef[ProductKey]

	setUserAddress   resource.ActionDef[UserKey, Address]
	cancel           resource.ActionDef[Key, Cancel]
	change, exchange resource.ActionDef[Key, Swap]
	sendBack         resource.ActionDef[Key, Return]
	setPayment       resource.ActionDef[Key, Payment]
	setAddress       resource.ActionDef[Key, Address]
}

// Key is the address of an order.
type Key struct {
	ID string `param:"id" lookup:"orders.find"`
}

// UserKey is the address of a user.
type UserKey struct {
	ID string `param:"id" lookup:"users.find"`
}

// snippet: productKey
// ProductKey is the address of a product.
type ProductKey struct {
	ID string `param:"id"`
}

// end snippet

// Address is what the address forms ask for.
type Address struct {
	Address1 string `json:"address1" title:"Street" doc:"The first line of the address, such as '123 Main St'."`
	Address2 string `json:"address2" title:"Flat, suite" doc:"The second line of the address, such as 'Apt 1', or ''."`
	City     string `json:"city" doc:"The city."`
	State    string `json:"state" doc:"The state, such as 'CA'."`
	Zip      string `json:"zip" title:"Zip code" doc:"The zip code, such as '12345'."`
	Country  string `json:"country" doc:"The country, such as 'USA'."`
}

func line(a store.Address) string {
	text := a.Address1
	for _, part := range []string{a.Address2, a.City, a.State + " " + a.Zip, a.Country} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}
