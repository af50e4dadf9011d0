package main

import (
	"context"
	"errors"
	"io"

	"github.com/assentdev/assent"
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
