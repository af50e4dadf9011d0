package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/examples/shop/shop"
	"github.com/assentdev/assent/internal/tui/stage"
	"github.com/assentdev/assent/internal/tui/terminal"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// converse lets an agent with a scripted model use the app's tools, with a person
// at the terminal or, without one, with the play.
func converse(ctx context.Context, app *resource.App, o options, in io.Reader, out io.Writer) error {
	so := stage.Options{Out: out, Mode: o.mode}
	if t, ok := terminal.Find(in, out); ok && !o.script {
		if err := t.Open(); err != nil {
			return err
		}
		defer t.Close()
		so.At(t)
		so.Ink.Color = terminal.Colors()
	}
	if so.Keys == nil && (o.data != "" || o.db != "") {
		return errors.New("the play is about the shop's own data: leave -data and -db out")
	}
	return stage.Run(ctx, so, stage.Play{
		Title:  "Shop: the desk of a small shop, whose actions an agent may use.",
		About:  "Without -chat, people get the same actions as pages.",
		Try:    examples,
		Script: script,
		Agent:  []assent.Option{assent.WithToolSource(app.Source()), assent.WithPolicy(rules())},
		By:     o.as,
		Scenes: scenes(ctx, app),
	})
}

// rules let no approval of something destructive be remembered.
func rules() *policy.Document {
	return &policy.Document{Version: "shop-1", Caps: map[policy.Class]policy.Scope{policy.Destructive: policy.ScopeOnce}}
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
