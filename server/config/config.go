// Package config reads what a server is without anybody's governance: its
// address, the providers of models, and the agents of its tenants with their
// instructions, contracts, rules and limits. All of it stands in one file,
// assent.yaml or assent.json.
//
// A file is taken as a whole or not at all, and all that is wrong with it is
// reported at once, with line and column. The same content in another order or
// layout has the same version. Keys of providers never stand in the file.
package config

import (
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// LocalTenant is the tenant of a file that names none.
const LocalTenant = "local"

// Config is one version of a file. It is not changed once it is made, and must
// not be; so it is safe for concurrent use.
type Config struct {
	// Version is the digest of all that is below but the warnings, in one order:
	// equal content has an equal version.
	Version   string
	Server    Server
	Providers []Provider // sorted by name
	Tenants   []Tenant   // sorted by name
	Warnings  []Problem  // what does not refuse the file and should be seen
}

// Server says how the server is reached and how much it takes. Nothing in it is
// zero that has a default.
type Server struct {
	Listen            string   `json:"listen"`              // host:port
	Hosts             []string `json:"hosts"`               // allowed Host headers besides those of the loopback; sorted
	Origins           []string `json:"origins"`             // pages of other origins that may call; sorted
	RequestBytes      int      `json:"request_bytes"`       // of one request's body
	RequestsPerMinute int      `json:"requests_per_minute"` // of one key
	OpenSessions      int      `json:"open_sessions"`       // of one tenant
	OpenApprovals     int      `json:"open_approvals"`      // of one tenant
}

// Kind says how a provider is spoken to.
type Kind string

// The kinds of providers.
const (
	OpenAI   Kind = "openai"   // the chat completions API, OpenAI's or anybody's
	Scripted Kind = "scripted" // no model: answers to keywords, for demonstrations
)

// Provider is where models come from. It says where the key is and never has it.
type Provider struct {
	Name    string
	Kind    Kind
	BaseURL string        // "" for OpenAI's own
	KeyEnv  string        // the environment variable that has the key; "" for none
	KeyFile string        // the file that has the key; "" for none
	Timeout time.Duration // how long it may stay silent
	Retries int
	Script  []byte // what a scripted one says; nil for nothing

	file string // the configuration, which paths begin at
}

// Tenant is an organisation with its agents.
type Tenant struct {
	Name   string
	Agents []*Agent // sorted by slug
}

// Agent is a named configuration (SPEC 1). Its fields are not to be changed.
type Agent struct {
	Tenant string
	Slug   string // unique in its tenant
	Name   string // for people; the slug where none was given
	// Version is the digest of all that the agent is, its policy included. The
	// version of the policy alone is Document.Version.
	Version      string
	Provider     string // one of Config.Providers
	Model        string // the provider's name of it
	Instructions string
	Mode         *policy.Mode  // the default mode that its sessions start in (SPEC C4); nil: no word on it
	LocalMCP     bool          // may start local MCP servers (SPEC S5)
	Wait         time.Duration // how long a question stays open; 0: the default of the door (SPEC P4)
	Turn         turn.Limits   // zero fields mean the defaults of package turn
	// Document is the policy: the agent's own and the rules and limits that its
	// tenant has for all, sorted.
	Document *policy.Document

	policy *policy.Policy
}

// Policy returns the compiled Document. Its version is a digest of the content:
// it stays when only instructions or the model change.
func (a *Agent) Policy() *policy.Policy { return a.policy }

// Profile is what the agent's authority says at its start.
func (a *Agent) Profile() assent.Profile {
	return assent.Profile{Slug: a.Slug, Name: a.Name, DefaultMode: a.Mode, LocalMCP: a.LocalMCP}
}

// Agent returns the agent of a tenant; nil if there is none.
func (c *Config) Agent(tenant, slug string) *Agent {
	for i := range c.Tenants {
		if c.Tenants[i].Name != tenant {
			continue
		}
		for _, a := range c.Tenants[i].Agents {
			if a.Slug == slug {
				return a
			}
		}
	}
	return nil
}

// Provider returns the provider of a name; nil if there is none.
func (c *Config) Provider(name string) *Provider {
	for i := range c.Providers {
		if c.Providers[i].Name == name {
			return &c.Providers[i]
		}
	}
	return nil
}
