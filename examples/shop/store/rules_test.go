package store_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/fault"
)

// rule is one rule with its arguments.
type rule func(o *store.Order, u *store.User, products store.Catalog) error

func cancel(reason string) rule {
	return func(o *store.Order, u *store.User, _ store.Catalog) error { return o.Cancel(u, reason) }
}

func payWith(method string) rule {
	return func(o *store.Order, u *store.User, _ store.Catalog) error { return o.SetPayment(u, method) }
}

func sendTo(a store.Address) rule {
	return func(o *store.Order, _ *store.User, _ store.Catalog) error { return o.SetAddress(a) }
}

func giveBack(payment string, items ...string) rule {
	return func(o *store.Order, u *store.User, _ store.Catalog) error { return o.Return(u, items, payment) }
}

func modify(payment string, items, newItems []string) rule {
	return func(o *store.Order, u *store.User, products store.Catalog) error {
		return o.ModifyItems(u, products, store.Swap{Items: items, NewItems: newItems, Payment: payment})
	}
}

func exchange(payment string, items, newItems []string) rule {
	return func(o *store.Order, u *store.User, products store.Catalog) error {
		return o.Exchange(u, products, store.Swap{Items: items, NewItems: newItems, Payment: payment})
	}
}

type ids = []string

// Things of the shop's own data that the tables below use.
const (
	delivered, lamps, chess     = "#W1004217", "#W1017650", "#W1031945" // delivered to Ada, Jürgen, Tomás
	coats, kettle, mill, pack   = "#W1090177", "#W1113349", "#W1134471", "#W1101860"
	processed                   = "#W1060591"
	adaCard, adaGift            = "credit_card_4410275", "gift_card_7703158" // balance 60
	priyaGift, priyaCard        = "gift_card_7701064", "credit_card_4417730" // balance 250
	graceGift, gracePal         = "gift_card_7704410", "paypal_5523047"      // balance 35.50
	jurgenPal                   = "paypal_5520941"
	smallKettle, bigKettle      = "2071005712", "2071005749" // $48, $79.50
	copperKettle, soldOutKettle = "2071005786", "2071005823" // $92.25
	coat, whaleCoat, smallCoat  = "2748007226", "2748007337", "2748007189"
	greenLamp, doubleLamp       = "2182005923", "2182005960" // $54.90, $71.05
	smallMill, walnutMill       = "2526006767", "2526006804" // $27.35, $36.80
	cheapChess, dearChess       = "2637006978", "2637007015" // $64, $1249.50
)

func TestARuleRefusesInTheWordsOfTheOriginalAndChangesNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		order string
		rule  rule
		code  fault.Code
		text  string
	}{
		{"cancel what is on its way", processed, cancel("no longer needed"), fault.NotAllowed, "non-pending order cannot be cancelled"},
		{"the status comes before the reason", processed, cancel("I like red"), fault.NotAllowed, "non-pending order cannot be cancelled"},
		{"cancel without a known reason", coats, cancel("I like red"), fault.BadArguments, "invalid reason"},
		{"redirect what arrived", delivered, sendTo(store.Address{}), fault.NotAllowed, "non-pending order cannot be modified"},
		{"pay again for what arrived", delivered, payWith(adaGift), fault.NotAllowed, "non-pending order cannot be modified"},
		{"pay with a stranger's card", coats, payWith(priyaCard), fault.NotFound, "payment method not found"},
		{"pay with the same", coats, payWith(adaGift), fault.BadArguments, "the new payment method should be different from the current one"},
		{"pay with an empty gift card", mill, payWith(graceGift), fault.NotAllowed, "insufficient gift card balance to pay for the order"},
		{"modify what arrived", delivered, modify(adaCard, ids{bigKettle}, ids{copperKettle}), fault.NotAllowed, "non-pending order cannot be modified"},
		{"modify what was not ordered", kettle, modify(priyaCard, ids{coat}, ids{whaleCoat}), fault.NotFound, coat + " not found"},
		{"modify one thing twice", kettle, modify(priyaCard, ids{smallKettle, smallKettle}, ids{bigKettle, bigKettle}), fault.NotFound, smallKettle + " not found"},
		{"modify two to one", coats, modify(adaCard, ids{coat, coat}, ids{smallCoat}), fault.BadArguments, "the number of items to be exchanged should match"},
		{"modify to another product", kettle, modify(priyaCard, ids{smallKettle}, ids{coat}), fault.NotAllowed, "new item " + coat + " not found or available"},
		{"modify to what is sold out", kettle, modify(priyaCard, ids{smallKettle}, ids{soldOutKettle}), fault.NotAllowed, "new item " + soldOutKettle + " not found or available"},
		{"items come before the payment", kettle, modify("nothing", ids{smallKettle}, ids{"1"}), fault.NotAllowed, "new item 1 not found or available"},
		{"modify and pay with nothing", kettle, modify("nothing", ids{smallKettle}, ids{bigKettle}), fault.NotFound, "payment method not found"},
		{"modify beyond the gift card", mill, modify(graceGift, ids{cheapChess}, ids{dearChess}), fault.NotAllowed, "insufficient gift card balance to pay for the new item"},
		{"exchange what is not there yet", coats, exchange(adaCard, ids{coat}, ids{smallCoat}), fault.NotAllowed, "non-delivered order cannot be exchanged"},
		{"exchange what was not ordered", lamps, exchange(jurgenPal, ids{greenLamp, greenLamp, greenLamp}, nil), fault.NotFound, greenLamp + " not found"},
		{"return what is not there yet", coats, giveBack(adaGift, coat), fault.NotAllowed, "non-delivered order cannot be returned"},
		{"return for a stranger's money", delivered, giveBack(priyaGift, bigKettle), fault.NotFound, "payment method not found"},
		{"return what was not ordered", delivered, giveBack(adaGift, coat), fault.NotFound, "some item not found"},
		{"the payment comes before the items", delivered, giveBack("nothing", coat), fault.NotFound, "payment method not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, u, products := goods(t, c.order)
			changed, err := changes(o, u, products, c.rule)
			if fault.CodeOf(err) != c.code || fault.TextOf(err) != c.text {
				t.Errorf("refused with %v, want %s: %s", err, c.code, c.text)
			}
			if changed != "{}" {
				t.Errorf("changed %s", changed)
			}
		})
	}
}

// These need a user or an order that the shop's own data don't have.
func TestARuleRefusesWhatTheDataDoNotHold(t *testing.T) {
	for _, c := range []struct {
		name  string
		order string
		spoil func(o *store.Order, u *store.User)
		rule  rule
		text  string
	}{
		{"exchange beyond the gift card", delivered, func(_ *store.Order, u *store.User) { u.PaymentMethods.Find(adaGift).Balance = new(store.Money(1274)) },
			exchange(adaGift, ids{bigKettle}, ids{copperKettle}), "insufficient gift card balance to pay for the price difference"},
		{"return to another card", delivered, func(o *store.Order, _ *store.User) { o.PaymentHistory[0].PaymentMethodID = "paypal_1" },
			giveBack(adaCard, bigKettle), "payment method should be either the original payment method or a gift card"},
		{"return what nobody paid", delivered, func(o *store.Order, _ *store.User) { o.PaymentHistory = nil },
			giveBack(adaCard, bigKettle), "payment method should be either the original payment method or a gift card"},
		{"pay otherwise for a second time", kettle, func(o *store.Order, _ *store.User) { o.PaymentHistory = append(o.PaymentHistory, o.PaymentHistory[0]) },
			payWith(priyaCard), "there should be exactly one payment for a pending order"},
		{"pay otherwise what nobody paid", kettle, func(o *store.Order, _ *store.User) { o.PaymentHistory = nil },
			payWith(priyaCard), "there should be exactly one payment for a pending order"},
		{"pay otherwise what was refunded", kettle, func(o *store.Order, _ *store.User) { o.PaymentHistory[0].Type = "refund" },
			payWith(priyaCard), "there should be exactly one payment for a pending order"},
		{"cancel when the gift card is gone", coats, func(_ *store.Order, u *store.User) { u.PaymentMethods = u.PaymentMethods[:1] },
			cancel("no longer needed"), "payment method not found"},
		{"pay otherwise when the gift card is gone", coats, func(_ *store.Order, u *store.User) { u.PaymentMethods = u.PaymentMethods[:1] },
			payWith(adaCard), "payment method not found"},
		{"modify what the shop no longer sells", kettle, func(o *store.Order, _ *store.User) { o.Items[0].ProductID = "1" },
			modify(priyaCard, ids{smallKettle}, ids{bigKettle}), "new item " + bigKettle + " not found or available"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, u, products := goods(t, c.order)
			c.spoil(o, u)
			changed, err := changes(o, u, products, c.rule)
			if fault.TextOf(err) != c.text || changed != "{}" {
				t.Errorf("refused with %v, changed %s, want %s", err, changed, c.text)
			}
		})
	}
}

func TestARuleChangesWhatTheOriginalChanges(t *testing.T) {
	for _, c := range []struct {
		name  string
		order string
		rule  rule
		want  string // the fields of the order that changed, of payments those that came, and the balances
	}{
		{"cancel refunds a gift card at once", coats, cancel("ordered by mistake"),
			`{"status":"cancelled","cancel_reason":"ordered by mistake","payments":[{"transaction_type":"refund","amount":79.9,"payment_method_id":"gift_card_7703158"}],"gift_card_7703158":139.9}`},
		{"cancel refunds a card later", pack, cancel("no longer needed"),
			`{"status":"cancelled","cancel_reason":"no longer needed","payments":[{"transaction_type":"refund","amount":327.99,"payment_method_id":"credit_card_4419002"}]}`},
		{"send elsewhere, even to nowhere", pack, sendTo(store.Address{City: "Bath"}),
			`{"address":{"address1":"","address2":"","city":"Bath","country":"","state":"","zip":""}}`},
		{"pay from a gift card to a card", coats, payWith(adaCard),
			`{"payments":[{"transaction_type":"payment","amount":79.9,"payment_method_id":"credit_card_4410275"},{"transaction_type":"refund","amount":79.9,"payment_method_id":"gift_card_7703158"}],"gift_card_7703158":139.9}`},
		{"modify to what costs more", kettle, modify(priyaGift, ids{smallKettle}, ids{copperKettle}),
			`{"status":"pending (item modified)","items":["2071005786","2182005997"],"payments":[{"transaction_type":"payment","amount":44.25,"payment_method_id":"gift_card_7701064"}],"gift_card_7701064":205.75}`},
		{"modify to what costs less", mill, modify(graceGift, ids{"2526006841"}, ids{smallMill}),
			`{"status":"pending (item modified)","items":["2526006767","2748007337","2637006978"],"payments":[{"transaction_type":"refund","amount":31.1,"payment_method_id":"gift_card_7704410"}],"gift_card_7704410":66.6}`},
		{"modify to what costs the same is a refund of nothing", kettle, modify(priyaCard, ids{smallKettle}, ids{smallKettle}),
			`{"status":"pending (item modified)","payments":[{"transaction_type":"refund","amount":0,"payment_method_id":"credit_card_4417730"}]}`},
		{"modify nothing", kettle, modify(priyaCard, nil, nil),
			`{"status":"pending (item modified)","payments":[{"transaction_type":"refund","amount":0,"payment_method_id":"credit_card_4417730"}]}`},
		{"modify both of two", coats, modify(adaGift, ids{coat, coat}, ids{whaleCoat, smallCoat}),
			`{"status":"pending (item modified)","items":["2748007337","2748007189"],"payments":[{"transaction_type":"payment","amount":4.1,"payment_method_id":"gift_card_7703158"}],"gift_card_7703158":55.9}`},
		{"exchange sorts both lists, and no money moves", lamps, exchange(jurgenPal, ids{"2293006208", greenLamp}, ids{"2293006134", doubleLamp}),
			`{"status":"exchange requested","exchange_items":["2182005923","2293006208"],"exchange_new_items":["2182005960","2293006134"],"exchange_payment_method_id":"paypal_5520941","exchange_price_difference":-8.45}`},
		{"exchange nothing", lamps, exchange(jurgenPal, nil, nil),
			`{"status":"exchange requested","exchange_items":[],"exchange_new_items":[],"exchange_payment_method_id":"paypal_5520941","exchange_price_difference":0}`},
		{"return sorts", lamps, giveBack(jurgenPal, "2293006208", greenLamp, greenLamp),
			`{"status":"return requested","return_items":["2182005923","2182005923","2293006208"],"return_payment_method_id":"paypal_5520941"}`},
		{"return to a gift card", delivered, giveBack(adaGift),
			`{"status":"return requested","return_items":[],"return_payment_method_id":"gift_card_7703158"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, u, products := goods(t, c.order)
			changed, err := changes(o, u, products, c.rule)
			if err != nil || !same(changed, c.want) {
				t.Errorf("%v, changed\n%s, want\n%s", err, changed, c.want)
			}
		})
	}
}

// The original takes the first item with the id that is to be replaced, and it
// may just have become that. The order of a swap therefore counts.
func TestAnItemThatWasReplacedMayBeReplacedAgain(t *testing.T) {
	o, u, products := goods(t, kettle)
	o.Items = append(o.Items[:1:1], o.Items[0])
	o.Items[1].ItemID = bigKettle
	if err := modify(priyaCard, ids{smallKettle, bigKettle}, ids{bigKettle, copperKettle})(o, u, products); err != nil {
		t.Fatal(err)
	}
	if o.Items[0].ItemID != copperKettle || o.Items[1].ItemID != bigKettle {
		t.Errorf("items are %s and %s", o.Items[0].ItemID, o.Items[1].ItemID)
	}
}

func TestCancellingAfterAChangeOfPaymentRefundsEveryEntry(t *testing.T) {
	o, u, _ := goods(t, coats)
	if err := o.SetPayment(u, adaCard); err != nil {
		t.Fatal(err)
	}
	if err := o.Cancel(u, "no longer needed"); err != nil {
		t.Fatal(err)
	}
	if got := *u.PaymentMethods.Find(adaGift).Balance; len(o.PaymentHistory) != 6 || got != 6000+3*7990 {
		t.Errorf("%d entries, %s on the gift card: the refund is refunded, as in the original", len(o.PaymentHistory), got)
	}
}

func TestAUserMovesAndTheOrdersStay(t *testing.T) {
	o, u, _ := goods(t, coats)
	u.SetAddress(store.Address{City: "Bath"})
	if u.Address.City != "Bath" || o.Address.City != "Portland" {
		t.Errorf("user in %s, order to %s", u.Address.City, o.Address.City)
	}
}

func TestAGiftCardThatHoldsJustEnoughPays(t *testing.T) {
	o, u, products := goods(t, delivered)
	u.PaymentMethods.Find(adaGift).Balance = new(store.Money(1275))
	if err := o.Exchange(u, products, store.Swap{Items: ids{bigKettle}, NewItems: ids{copperKettle}, Payment: adaGift}); err != nil {
		t.Error(err)
	}
}

// Two previews of one order must not write into each other's payments.
func TestClonesShareNoPayments(t *testing.T) {
	o, u, _ := goods(t, coats)
	o.PaymentHistory = append(make([]store.Payment, 0, 8), o.PaymentHistory...)
	a, b := o.Clone(), o.Clone()
	if err := errors.Join(a.SetPayment(u.Clone(), adaCard), b.Cancel(u.Clone(), "no longer needed")); err != nil {
		t.Fatal(err)
	}
	if a.PaymentHistory[1].Type != "payment" {
		t.Errorf("one clone changed the other: %v", a.PaymentHistory)
	}
}

// goods returns an order of the shop's own, its user and all products.
func goods(t *testing.T, id string) (*store.Order, *store.User, store.Catalog) {
	o := parse[store.Order](t, "orders.json").Find(id)
	u := parse[store.User](t, "users.json").Find(o.UserID)
	u.ID = o.UserID
	products := store.Catalog{}
	for _, e := range parse[store.Product](t, "products.json") {
		products[e.Key] = &e.Value
	}
	return o, u, products
}

func parse[V any](t *testing.T, name string) (all store.Dict[V]) {
	if err := json.Unmarshal(read(t, store.Own(), name), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// changes runs a rule on clones and says what it changed. The originals must
// stay as they were.
func changes(o *store.Order, u *store.User, products store.Catalog, r rule) (string, error) {
	was, wasUser := fields(o), fields(u)
	now, nowUser := o.Clone(), u.Clone()
	err := r(now, nowUser, products)
	changed := map[string]any{}
	for key, value := range fields(now) {
		if !reflect.DeepEqual(value, was[key]) {
			changed[key] = value
		}
	}
	if _, ok := changed["payment_history"]; ok {
		delete(changed, "payment_history")
		changed["payments"] = now.PaymentHistory[len(o.PaymentHistory):]
	}
	if _, ok := changed["items"]; ok {
		var items []string
		for _, item := range now.Items {
			items = append(items, item.ItemID)
		}
		changed["items"] = items
	}
	for _, e := range nowUser.PaymentMethods {
		if e.Value.Balance != nil && *e.Value.Balance != *u.PaymentMethods.Find(e.Key).Balance {
			changed[e.Key] = e.Value.Balance
		}
	}
	if !reflect.DeepEqual(fields(o), was) || !reflect.DeepEqual(fields(u), wasUser) {
		changed["original"] = "was changed with its clone"
	}
	text, _ := json.Marshal(changed)
	return string(text), err
}

func fields(v any) (all map[string]any) {
	text, _ := json.Marshal(v)
	json.Unmarshal(text, &all)
	return all
}
