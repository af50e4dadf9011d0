package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/fault"
)

// A preview and the change itself run the same rule: the preview on clones.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	shop, err := store.Open(filepath.Join(dir, "shop.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()
	if err := store.Load(ctx, shop.Write, store.Own()); err != nil {
		log.Fatal(err)
	}

	order, err := store.GetOrder(ctx, shop.Read, "#W1090177")
	if err != nil {
		log.Fatal(err)
	}
	user, err := store.GetUser(ctx, shop.Read, order.UserID)
	if err != nil {
		log.Fatal(err)
	}
	preview, after := order.Clone(), user.Clone()
	if err := preview.Cancel(after, "no longer needed"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.Status, user.PaymentMethods.Find("gift_card_7703158").Balance)
	fmt.Println(preview.Status, after.PaymentMethods.Find("gift_card_7703158").Balance)
	err = preview.Cancel(after, "no longer needed")
	fmt.Println(fault.CodeOf(err), fault.TextOf(err))
	// Output:
	// pending $60.00
	// cancelled $139.90
	// not_allowed non-pending order cannot be cancelled
}

// Amounts are exact, also where they were added as binary floats.
func ExampleMoney() {
	var price store.Money
	if err := json.Unmarshal([]byte("0.04999999999999716"), &price); err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(price + 123445)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(price, price+123445, string(text))
	// Output: $0.05 $1,234.50 1234.5
}
