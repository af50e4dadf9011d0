// Package store keeps a shop: its users, orders and products in SQLite, and the
// rules by which orders change.
//
// The form of the data and the rules, each error text included, are those of
// the retail tools of τ-bench (github.com/sierra-research/tau-bench, MIT
// licence), so that its tasks can be replayed here. The code is our own.
package store

import (
	"slices"
	"strings"
)

// User is a customer.
type User struct {
	ID             string              `json:"-"` // the key of the document, not part of it
	Name           Name                `json:"name"`
	Address        Address             `json:"address"`
	Email          string              `json:"email"`
	PaymentMethods Dict[PaymentMethod] `json:"payment_methods"` // by id
	Orders         []string            `json:"orders"`          // ids
}

// Name is the name of a person.
type Name struct {
	First string `json:"first_name"`
	Last  string `json:"last_name"`
}

// Address is where something is sent. Any text is an address.
type Address struct {
	Address1 string `json:"address1"`
	Address2 string `json:"address2"`
	City     string `json:"city"`
	State    string `json:"state"`
	Zip      string `json:"zip"`
	Country  string `json:"country"`
}

// PaymentMethod is a credit card, a PayPal account or a gift card. Only a gift
// card has a balance. A balance is replaced, never changed in place.
type PaymentMethod struct {
	Source   string `json:"source"` // credit_card, paypal or gift_card
	Brand    string `json:"brand,omitempty"`
	LastFour string `json:"last_four,omitempty"`
	Balance  *Money `json:"balance,omitempty"`
	ID       string `json:"id"`
}

// IsGiftCard tells by the id of a payment method whether it is a gift card.
func IsGiftCard(id string) bool { return strings.Contains(id, "gift_card") }

// The statuses of an order. Most are final for a customer: only pending orders
// can be changed and only delivered ones returned or exchanged.
const (
	Pending           = "pending"
	PendingModified   = "pending (item modified)"
	Processed         = "processed"
	Delivered         = "delivered"
	Cancelled         = "cancelled"
	ReturnRequested   = "return requested"
	ExchangeRequested = "exchange requested"
)

// Order is what a user bought. What is there only in some statuses is nil or
// empty in the others.
//
// Its methods are the shop's rules. They change the order and its user in
// memory, want the order's own user, and have changed nothing if they return an
// error: fault.NotFound, fault.NotAllowed or fault.BadArguments, with a text for
// people and models.
type Order struct {
	ID             string        `json:"order_id"` // such as "#W2611340"
	UserID         string        `json:"user_id"`
	Address        Address       `json:"address"`
	Items          []Item        `json:"items"`
	Fulfillments   []Fulfillment `json:"fulfillments"`
	Status         string        `json:"status"`
	PaymentHistory []Payment     `json:"payment_history"`
	CancelReason   string        `json:"cancel_reason,omitempty"`
	*ReturnRequest
	*ExchangeRequest
}

// Item is one thing in an order, at the price of the day. Two of a kind are two items.
type Item struct {
	Name      string       `json:"name"`
	ProductID string       `json:"product_id"`
	ItemID    string       `json:"item_id"`
	Price     Money        `json:"price"`
	Options   Dict[string] `json:"options"`
}

// Fulfillment is a parcel or several that are on their way or arrived.
type Fulfillment struct {
	TrackingID []string `json:"tracking_id"`
	ItemIDs    []string `json:"item_ids"`
}

// Payment is money that came or, as a refund, went back.
type Payment struct {
	Type            string `json:"transaction_type"` // payment or refund
	Amount          Money  `json:"amount"`           // never negative
	PaymentMethodID string `json:"payment_method_id"`
}

// ReturnRequest says what a customer sends back, ids sorted.
type ReturnRequest struct {
	Items           []string `json:"return_items"`
	PaymentMethodID string   `json:"return_payment_method_id"`
}

// ExchangeRequest says what a customer exchanges, ids sorted. A negative
// difference goes back to the customer.
type ExchangeRequest struct {
	Items           []string `json:"exchange_items"`
	NewItems        []string `json:"exchange_new_items"`
	PaymentMethodID string   `json:"exchange_payment_method_id"`
	PriceDifference Money    `json:"exchange_price_difference"`
}

// Product is a kind of thing, sold in variants.
type Product struct {
	Name     string        `json:"name"`
	ID       string        `json:"product_id"`
	Variants Dict[Variant] `json:"variants"` // by item id
}

// Variant is what can be bought of a product. An item id names one variant of one product.
type Variant struct {
	ItemID    string       `json:"item_id"`
	Options   Dict[string] `json:"options"`
	Available bool         `json:"available"`
	Price     Money        `json:"price"`
}

// Clone returns a copy that the rules change without changing o.
func (o *Order) Clone() *Order {
	c := *o
	c.Items = slices.Clone(o.Items)
	c.PaymentHistory = slices.Clone(o.PaymentHistory)
	return &c
}

// Clone returns a copy that the rules change without changing u.
func (u *User) Clone() *User {
	c := *u
	c.PaymentMethods = slices.Clone(u.PaymentMethods)
	return &c
}
