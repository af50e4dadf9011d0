package store

import (
	"slices"

	"github.com/assentdev/assent/fault"
)

// price checks the items of a swap and returns the difference in price.
func (o *Order) price(products Catalog, s Swap) (difference Money, err error) {
	if id, missing := o.missing(s.Items); missing {
		return 0, fault.New(fault.NotFound, "%s not found", id)
	}
	if len(s.Items) != len(s.NewItems) {
		return 0, errNumber
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

// canPay checks that the user has a payment method and that it covers the amount.
func (u *User) canPay(id string, amount Money, short error) error {
	method := u.PaymentMethods.Find(id)
	if method == nil {
		return errNoMethod
	}
	if method.Balance != nil && *method.Balance < amount {
		return short
	}
	return nil
}

// hasCards tells whether the user still has the gift cards that paid.
func (u *User) hasCards(paid []Payment) bool {
	return !slices.ContainsFunc(paid, func(p Payment) bool {
		return IsGiftCard(p.PaymentMethodID) && u.PaymentMethods.Find(p.PaymentMethodID) == nil
	})
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

// variant returns nil where there is no such product or variant.
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
