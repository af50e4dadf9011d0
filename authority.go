package assent

import (
	"context"

	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
)

// Profile is what the authority says of an agent when it starts.
type Profile struct {
	Slug string // the agent's name; "" for the application's own word
	Name string
	// DefaultMode can make the mode in which sessions start stricter (SPEC C4).
	// Nil: no word on it.
	DefaultMode *Mode
	// LocalMCP says whether the agent may start local MCP servers (SPEC S5).
	LocalMCP bool
}

// Authority is where profile and policy come from: a document that the
// application has, or a server. It is safe for concurrent use.
type Authority interface {
	// Profile is asked once, when the agent starts. Its error fails the start.
	Profile(ctx context.Context) (Profile, error)
	// Report takes what the application brings. It only informs: an error is
	// logged and never fails the start (SPEC M2).
	Report(ctx context.Context, m *manifest.Manifest) (manifest.Answer, error)
	// Policy returns the newest published version, nil where it cannot be read.
	// It is asked before every claim, so it must be quick.
	Policy() *policy.Policy
}

// Local is an authority of data: a profile and one policy document. A nil
// document has no contract, no rules and no limits. An error has code
// bad_policy.
func Local(p Profile, d *policy.Document) (Authority, error) {
	if d == nil {
		d = &policy.Document{}
	}
	compiled, err := policy.Compile(d)
	if err != nil {
		return nil, err
	}
	return &local{profile: p, doc: d, policy: compiled}, nil
}

type local struct {
	profile Profile
	doc     *policy.Document
	policy  *policy.Policy
}

func (l *local) Profile(context.Context) (Profile, error) { return l.profile, nil }

func (l *local) Policy() *policy.Policy { return l.policy }

func (l *local) Report(_ context.Context, m *manifest.Manifest) (manifest.Answer, error) {
	return manifest.Review(m, l.doc.Contract, nil, nil), nil
}

// SourceContext is what a tool source is told.
type SourceContext struct {
	Profile Profile
	Agent   *Agent // the client: the agent that starts
}

// ToolSource adds tools once the agent's profile is known, for example those of
// plugins (SPEC S4). If it also has the method Close() error, the agent calls it
// when it is closed.
type ToolSource interface {
	Tools(ctx context.Context, sc SourceContext) ([]*Tool, error)
}

// ToolSourceFunc is a function as a ToolSource.
type ToolSourceFunc func(ctx context.Context, sc SourceContext) ([]*Tool, error)

// Tools calls f.
func (f ToolSourceFunc) Tools(ctx context.Context, sc SourceContext) ([]*Tool, error) {
	return f(ctx, sc)
}
