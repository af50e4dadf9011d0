package config

import (
	"context"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
)

// Authority lets an agent of the application itself run by a file: its profile
// and its policy. Instructions, model and limits of turns are options of
// package assent; see [Agent.Options]. See [File.Authority] for one that follows
// the file.
func Authority(a *Agent) assent.Authority {
	return authority(func() *Agent { return a })
}

// authority speaks for the agent that the function returns, nil for none.
type authority func() *Agent

// Profile implements assent.Authority.
func (f authority) Profile(context.Context) (assent.Profile, error) {
	a := f()
	if a == nil {
		return assent.Profile{}, fault.New(fault.NotFound, "the configuration has no such agent: add it, or correct the slug")
	}
	return a.Profile(), nil
}

// Report implements assent.Authority.
func (f authority) Report(_ context.Context, m *manifest.Manifest) (manifest.Answer, error) {
	a := f()
	if a == nil {
		return manifest.Answer{}, fault.New(fault.NotFound, "the configuration has no such agent")
	}
	return manifest.Review(m, a.Document.Contract, nil, nil), nil
}

// Policy implements assent.Authority. An agent that was removed has none, and
// nothing of it runs (SPEC D8).
func (f authority) Policy() *policy.Policy {
	if a := f(); a != nil {
		return a.policy
	}
	return nil
}

// Options are what an agent of the application itself takes from the file
// besides its authority: instructions, limits of a turn, and how long a question
// stays open. The model is left to the caller.
func (a *Agent) Options() []assent.Option {
	return []assent.Option{
		assent.WithInstructions(a.Instructions),
		assent.WithLimits(a.Turn),
		assent.WithApprovalWait(a.Wait),
	}
}
