// Package demo is a conversation with a scripted model about the schematic
// viewer, for a person at a terminal or for nobody.
package demo

import (
	"context"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/examples/schematic/viewer"
	"github.com/assentdev/assent/internal/tui/stage"
	"github.com/assentdev/assent/policy"
)

// Policy is the policy of the demo: what leaves the application is asked about
// each time, and no approval of something destructive is remembered.
func Policy() *policy.Document {
	return &policy.Document{
		Version: "demo-1",
		Rules: []policy.Rule{{
			ID: "exports", Effect: policy.EffectAskEach, Tools: []string{"export_*"},
			Reason: "what leaves this application is asked about each time",
		}},
		Caps: map[policy.Class]policy.Scope{policy.Destructive: policy.ScopeOnce},
	}
}

// Run holds the conversation.
func Run(ctx context.Context, o stage.Options) error {
	return stage.Run(ctx, o, stage.Play{
		Title:  "Assent demo: a schematic viewer whose tools an agent may use.",
		About:  "The schematic has 3 pages.",
		Lost:   "The schematic was in memory, so it is as it was at first.",
		Try:    examples,
		Script: script,
		Agent:  []assent.Option{assent.WithTools(viewer.Open().Tools()...), assent.WithPolicy(Policy())},
		By:     "you",
		Scenes: scenes,
	})
}
