package store

import (
	"slices"

	"github.com/assentdev/assent/fault"
)

// Catalog is products by their id.
type Catalog map[string]*Product

// Swap replaces Items[i] by NewItems[i], which is another variant of the same
// product. An item that was bought twice may be named twice. The difference in
// price goes to or comes from Payment.
type Swap struct {
	Items    []string
	NewItems []string
	Payment  string // id of a payment method of the order's user
}

// A rule that returns an error has changed nothing. Each wants the order's own
// user. Codes: fault.NotFound, fault.NotAllowed, fault.BadArguments.

// Cancel takes a pending order back and refunds each of its payments; gift
// cards at once. The reason is "no longer needed" or "ordered by mistake".
func (o *Order) Cancel(u *User, reason string) error {
	if o.Status != Pending {
		return fault.New(fault.NotAllowed, "non-pending order cannot be cancelled")
	}
	if reason != "no longer needed" && reason != "ordered by mistake" {
		return fault.New(fault.BadArguments, "invalid reason")
	}
	paid := o.PaymentHistory
	for _, p := range paid {
		if IsGiftCard(p.PaymentMethodID) && u.PaymentMethods.Find(p.PaymentMethodID) == nil {
			return fault.New(fault.NotFound, "payment method not found")
		}
	}
	for _, p := range paid {
		o.pay(u, p.PaymentMethodID, "refund", p.Amount)
	}
	o.Status, o.CancelReason = Cancelled, reason
	return nil
}

// SetAddress sends a pending order elsewhere.
func (o *Order) SetAddress(a Address) error {
	if o.Status != Pending {
		return fault.New(fault.NotAllowed, "non-pending order cannot be modified")
	}
	o.Address = a
	return nil
}

// SetPayment charges another payment method with the whole of a pending order
// and refunds the old one. It works once.
func (o *Order) SetPayment(u *User, id string) error {
	if o.Status != Pending {
		return fault.New(fault.NotAllowed, "non-pending order cannot be modified")
	}
	method := u.PaymentMethods.Find(id)
	if method == nil {
		return fault.New(fault.NotFound, "payment method not found")
	}
	if len(o.PaymentHistory) != 1 || o.PaymentHistory[0].Type != "payment" {
		return fault.New(fault.NotAllowed, "there should be exactly one payment for a pending order")
	}
	old := o.PaymentHistory[0]
	if old.PaymentMethodID == id {
		return fault.New(fault.BadArguments, "the new payment method should be different from the current one")
	}
	if !method.covers(old.Amount) {
		return fault.New(fault.NotAllowed, "insufficient gift card balance to pay for the order")
	}
	if IsGiftCard(old.PaymentMethodID) && u.PaymentMethods.Find(old.PaymentMethodID) == nil {
		return fault.New(fault.NotFound, "payment method not found")
	}
	o.pay(u, id, "payment", old.Amount)
	o.pay(u, old.PaymentMethodID, "refund", old.Amount)
	return nil
}

// ModifyItems replaces items of a pending order and settles the difference in
// price at once. It works once: the order is not pending afterwards.
func (o *Order) ModifyItems(u *User, products Catalog, s Swap) error {
	if o.Status != Pending {
		return fault.New(fault.NotAllowed, "non-pending order cannot be modified")
	}
	difference, err := o.price(products, s)
	if err != nil {
		return err
	}
	if err := u.canPay(s.Payment, difference, "insufficient gift card balance to pay for the new item"); err != nil {
		return err
	}
	if difference > 0 {
		o.pay(u, s.Payment, "payment", difference)
	} else {
		o.pay(u, s.Payment, "refund", -difference)
	}
	for i, id := range s.Items {
		item := o.item(id) // may be one that was replaced a moment ago: the order of the swap counts
		v := products[item.ProductID].Variants.Find(s.NewItems[i])
		item.ItemID, item.Price, item.Options = v.ItemID, v.Price, v.Options
	}
	o.Status = PendingModified
	return nil
}

// Exchange asks for other variants in the place of delivered items. No money
// moves until they are sent back.
func (o *Order) Exchange(u *User, products Catalog, s Swap) error {
	if o.Status != Delivered {
		return fault.New(fault.NotAllowed, "non-delivered order cannot be exchanged")
	}
	difference, err := o.price(products, s)
	if err != nil {
		return err
	}
	if err := u.canPay(s.Payment, difference, "insufficient gift card balance to pay for the price difference"); err != nil {
		return err
	}
	o.Status = ExchangeRequested
	o.ExchangeRequest = &ExchangeRequest{sorted(s.Items), sorted(s.NewItems), s.Payment, difference}
	return nil
}

// Return asks to send delivered items back for a refund to a gift card or to
// what the order was first paid with. No money moves yet.
func (o *Order) Return(u *User, items []string, payment string) error {
	if o.Status != Delivered {
		return fault.New(fault.NotAllowed, "non-delivered order cannot be returned")
	}
	if u.PaymentMethods.Find(payment) == nil {
		return fault.New(fault.NotFound, "payment method not found")
	}
	original := len(o.PaymentHistory) > 0 && o.PaymentHistory[0].PaymentMethodID == payment
	if !original && !IsGiftCard(payment) {
		return fault.New(fault.NotAllowed, "payment method should be either the original payment method or a gift card")
	}
	if _, missing := o.missing(items); missing {
		return fault.New(fault.NotFound, "some item not found")
	}
	o.Status = ReturnRequested
	o.ReturnRequest = &ReturnRequest{sorted(items), payment}
	return nil
}

// SetAddress changes where a user lives. Orders keep their address.
func (u *User) SetAddress(a Address) { u.Address = a }

// price checks the items of a swap and returns the difference in price.
func (o *Order) price(products Catalog, s Swap) (difference Money, err error) {
	if id, missing := o.missing(s.Items); missing {
		return 0, fault.New(fault.NotFound, "%s not found", id)
	}
	if len(s.Items) != len(s.NewItems) {
		return 0, fault.New(fault.BadArguments, "the number of items to be exchanged should match")
	}
	for i, id := range s.Items {
		item := o.item(id)
		v := products.variant(item.ProductID, s.NewItems[i])
		if v == nil || !v.Available {
			return 0, fault.New(fault.NotAllowed, "new item %s not found or available", s.NewItems[i])
		}
		difference += v.Price - item.Price
	}
	return difference, nil
}

// canPay checks that the user has a payment method that covers the amount.
func (u *User) canPay(id string, amount Money, short string) error {
	method := u.PaymentMethods.Find(id)
	if method == nil {
		return fault.New(fault.NotFound, "payment method not found")
	}
	if !method.covers(amount) {
		return &fault.Error{Code: fault.NotAllowed, Text: short}
	}
	return nil
}

// pay notes a payment or a refund; a gift card's balance changes at once.
func (o *Order) pay(u *User, id, kind string, amount Money) {
	o.PaymentHistory = append(o.PaymentHistory, Payment{kind, amount, id})
	if !IsGiftCard(id) {
		return
	}
	if kind == "payment" {
		amount = -amount
	}
	card := u.PaymentMethods.Find(id)
	card.Balance = new(*card.Balance + amount)
}

func (m *PaymentMethod) covers(amount Money) bool { return m.Balance == nil || *m.Balance >= amount }

// missing returns the first id that is named more often than the order holds it.
func (o *Order) missing(ids []string) (id string, missing bool) {
	left := map[string]int{}
	for _, item := range o.Items {
		left[item.ItemID]++
	}
	for _, id := range ids {
		left[id]--
	}
	for _, id := range ids {
		if left[id] < 0 {
			return id, true
		}
	}
	return "", false
}

// item returns the first item with an id that the order is known to hold.
func (o *Order) item(id string) *Item {
	return &o.Items[slices.IndexFunc(o.Items, func(it Item) bool { return it.ItemID == id })]
}

func (c Catalog) variant(product, item string) *Variant {
	if p := c[product]; p != nil {
		return p.Variants.Find(item)
	}
	return nil
}

// sorted returns a sorted copy that is written as [] where it is empty.
func sorted(ids []string) []string {
	ids = append([]string{}, ids...)
	slices.Sort(ids)
	return ids
}
