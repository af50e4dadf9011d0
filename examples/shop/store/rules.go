package store

import "github.com/assentdev/assent/fault"

// What the rules refuse with. Two more name an item: see [Order.price].
var (
	errCancel   = fault.New(fault.NotAllowed, "non-pending order cannot be cancelled")
	errModify   = fault.New(fault.NotAllowed, "non-pending order cannot be modified")
	errExchange = fault.New(fault.NotAllowed, "non-delivered order cannot be exchanged")
	errReturn   = fault.New(fault.NotAllowed, "non-delivered order cannot be returned")

	errReason     = fault.New(fault.BadArguments, "invalid reason")
	errNumber     = fault.New(fault.BadArguments, "the number of items to be exchanged should match")
	errSameMethod = fault.New(fault.BadArguments, "the new payment method should be different from the current one")
	errNoMethod   = fault.New(fault.NotFound, "payment method not found")
	errNoItem     = fault.New(fault.NotFound, "some item not found")
	errRefund     = fault.New(fault.NotAllowed, "payment method should be either the original payment method or a gift card")
	errPaidOnce   = fault.New(fault.NotAllowed, "there should be exactly one payment for a pending order")

	errShortOrder      = fault.New(fault.NotAllowed, "insufficient gift card balance to pay for the order")
	errShortItem       = fault.New(fault.NotAllowed, "insufficient gift card balance to pay for the new item")
	errShortDifference = fault.New(fault.NotAllowed, "insufficient gift card balance to pay for the price difference")
)

// Catalog is products by their id.
type Catalog map[string]*Product

// Swap replaces Items[i] by NewItems[i], which is another variant of the same
// product. An item that was bought twice may be named twice. The difference in
// price comes from or goes to Payment.
type Swap struct {
	Items    []string
	NewItems []string
	Payment  string // id of a payment method of the order's user
}

// Cancel takes a pending order back and refunds each entry of its payment
// history; gift cards at once. The reason is "no longer needed" or "ordered by
// mistake".
func (o *Order) Cancel(u *User, reason string) error {
	switch {
	case o.Status != Pending:
		return errCancel
	case reason != "no longer needed" && reason != "ordered by mistake":
		return errReason
	case !u.hasCards(o.PaymentHistory):
		return errNoMethod
	}
	for _, p := range o.PaymentHistory { // those of now, not those that this adds
		o.pay(u, p.PaymentMethodID, "refund", p.Amount)
	}
	o.Status, o.CancelReason = Cancelled, reason
	return nil
}

// SetAddress sends a pending order elsewhere.
func (o *Order) SetAddress(a Address) error {
	if o.Status != Pending {
		return errModify
	}
	o.Address = a
	return nil
}

// SetPayment charges another payment method with the whole of a pending order
// and refunds the old one. It works once.
func (o *Order) SetPayment(u *User, id string) error {
	switch {
	case o.Status != Pending:
		return errModify
	case u.PaymentMethods.Find(id) == nil:
		return errNoMethod
	case len(o.PaymentHistory) != 1 || o.PaymentHistory[0].Type != "payment":
		return errPaidOnce
	case o.PaymentHistory[0].PaymentMethodID == id:
		return errSameMethod
	}
	paid := o.PaymentHistory[0]
	if err := u.canPay(id, paid.Amount, errShortOrder); err != nil {
		return err
	}
	if !u.hasCards(o.PaymentHistory) {
		return errNoMethod
	}
	o.pay(u, id, "payment", paid.Amount)
	o.pay(u, paid.PaymentMethodID, "refund", paid.Amount)
	return nil
}

// ModifyItems replaces items of a pending order and settles the difference in
// price at once. It works once: the order is not pending afterwards.
func (o *Order) ModifyItems(u *User, products Catalog, s Swap) error {
	if o.Status != Pending {
		return errModify
	}
	difference, err := o.price(products, s)
	if err != nil {
		return err
	}
	if err := u.canPay(s.Payment, difference, errShortItem); err != nil {
		return err
	}
	if difference > 0 {
		o.pay(u, s.Payment, "payment", difference)
	} else {
		o.pay(u, s.Payment, "refund", -difference)
	}
	for i, id := range s.Items {
		item := o.item(id) // may be one that was replaced a moment ago: the order of the swap counts
		v := products.variant(item.ProductID, s.NewItems[i])
		item.ItemID, item.Price, item.Options = v.ItemID, v.Price, v.Options
	}
	o.Status = PendingModified
	return nil
}

// Exchange asks for other variants in the place of delivered items. No money
// moves until they are sent back.
func (o *Order) Exchange(u *User, products Catalog, s Swap) error {
	if o.Status != Delivered {
		return errExchange
	}
	difference, err := o.price(products, s)
	if err != nil {
		return err
	}
	if err := u.canPay(s.Payment, difference, errShortDifference); err != nil {
		return err
	}
	o.Status = ExchangeRequested
	o.ExchangeRequest = &ExchangeRequest{sorted(s.Items), sorted(s.NewItems), s.Payment, difference}
	return nil
}

// Return asks to send delivered items back for a refund to a gift card or to
// what the order was first paid with. No money moves yet.
func (o *Order) Return(u *User, items []string, payment string) error {
	original := len(o.PaymentHistory) > 0 && o.PaymentHistory[0].PaymentMethodID == payment
	switch {
	case o.Status != Delivered:
		return errReturn
	case u.PaymentMethods.Find(payment) == nil:
		return errNoMethod
	case !original && !IsGiftCard(payment):
		return errRefund
	}
	if _, missing := o.missing(items); missing {
		return errNoItem
	}
	o.Status = ReturnRequested
	o.ReturnRequest = &ReturnRequest{sorted(items), payment}
	return nil
}

// SetAddress changes where a user lives. Orders keep their address.
func (u *User) SetAddress(a Address) { u.Address = a }
