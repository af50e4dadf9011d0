package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assentdev/assent/examples/shop/shop"
	"github.com/assentdev/assent/internal/tui/stage"
	"github.com/assentdev/assent/resource"
)

// scenes are the whole conversation. What somebody does in between, the app does.
func scenes(ctx context.Context, app *resource.App) []stage.Scene {
	ben := func() error {
		return move(ctx, app, "#W1090177", "ben", shop.Address{Address1: "9 Dock Street", City: "Portland", State: "ME", Zip: "04101", Country: "USA"})
	}
	return []stage.Scene{
		{Heading: "1. Reading runs without a question.", Line: "Find Ada O'Brien"},
		{Line: "Show order #W1090177"},
		{Heading: "2. In auto, what can be changed back runs, and can be taken back.", Line: "/mode auto"},
		{Line: "Send #W1090177 to 5 Elm Street, Portland, ME 04103"},
		{Line: "/undo"},
		{Heading: "3. It is not taken back where the same was changed since.",
			Line: "Send #W1090177 to 5 Elm Street, Portland, ME 04103"},
		{Heading: "Meanwhile Ben sends the order to 9 Dock Street, on its page.", Before: ben, Line: "/undo"},
		{Heading: "4. What cannot easily be changed back asks, in auto too. It shows what would change, and needs a second key.",
			Line: "Cancel order #W1090177 because it was ordered by mistake", Answers: []string{"ya"}},
		{Heading: "5. What the shop's rules would refuse, the card says beforehand.",
			Line: "Cancel order #W1075526 because it was ordered by mistake", Answers: []string{"n"}},
		{Heading: "6. A call that cannot be right is refused before anybody is asked.", Line: "Cancel order #W1113349 because it rains"},
		{Heading: "7. In read_only the model is not offered what changes the shop, and may not call it either.", Line: "/mode read_only"},
		{Line: "Return the pepper mill of #W1004217"},
		{Heading: "8. In ask, what changes something asks. The script reads first; the ids that it found stand on the card with their names.", Line: "/mode ask"},
		{Line: "Return the pepper mill of #W1004217", Answers: []string{"ya"}},
		{Heading: "9. The person says no and why, and the model is told.",
			Line: "Pay #W1113349 with PayPal", Answers: []string{"rAsk her first.\r"}},
		{Heading: "10. What each mode does with each tool, and what happened.", Line: "/tools"},
		{Line: "/log 6"},
		{Line: "/verify"},
	}
}

// move sends an order elsewhere, as a colleague does on a page.
func move(ctx context.Context, app *resource.App, order, by string, to shop.Address) error {
	payload, err := json.Marshal(to)
	if err != nil {
		return err
	}
	r := app.HandleAction(ctx, resource.ActionCall{
		Resource: "orders", Action: "set_address", Params: map[string]string{"id": order}, Payload: payload,
		By: resource.Caller{Principal: by, Door: resource.Page},
	})
	if err := r.Err(); err != nil {
		return fmt.Errorf("%s moves %s: %w", by, order, err)
	}
	return nil
}
