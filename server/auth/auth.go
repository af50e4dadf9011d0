// Package auth says who sent a request and what they may do (SPEC V4).
//
// A program proves itself with an API key: assent_<id>_<secret>. A key belongs to
// one tenant and one principal, names the agents it may use and a mode that it
// never exceeds, has roles, and can expire and be revoked. [Keys] makes, lists and
// revokes them; [Guard] looks at each request and puts a [Principal] into its
// context, for the gate.
//
// The keys themselves are kept nowhere: a [Rows] holds their hashes. Nothing of
// another tenant is found, and who does not hold a key learns nothing from
// trying: what is unknown, revoked, expired or of another tenant is answered
// alike, after the same work (SPEC V10).
package auth

import (
	"context"
	"slices"

	"github.com/assentdev/assent/policy"
)

// Principal is who acts. The zero Principal is nobody and may do nothing.
type Principal struct {
	Tenant string
	Name   string
	Groups []string
	Roles  Roles
	// Agents are the slugs of the agents that may be used; [AllAgents] stands for
	// all. None means none.
	Agents []string
	// Ceiling is the widest mode.
	Ceiling policy.Mode
	// Key is the id of the API key that proved it; "" for another proof.
	Key string
}

// AllAgents stands for all agents of a tenant, those to come included.
const AllAgents = "*"

// Operator is who runs a command on the machine of the server, and so has its
// database anyway: an administrator of a tenant, and nothing else.
func Operator(tenant string) Principal {
	return Principal{Tenant: tenant, Name: "operator", Roles: Administrator}
}

// Is says whether p has all of the roles. Nobody has none.
func (p Principal) Is(roles Roles) bool {
	return p.Tenant != "" && roles != 0 && p.Roles&roles == roles
}

// Uses says whether p may use an agent.
func (p Principal) Uses(agent string) bool {
	return p.Tenant != "" && agent != "" && (slices.Contains(p.Agents, agent) || slices.Contains(p.Agents, AllAgents))
}

// Narrow returns the mode that p gets when it asks for one.
func (p Principal) Narrow(asked policy.Mode) policy.Mode {
	return policy.Narrower(asked, p.Ceiling)
}

type principalKey struct{}

// With returns a context that belongs to p.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// From returns who acts in ctx; nobody if nothing says so.
func From(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}
