package conformance

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// describedResource is a resource as descriptors.json declares it.
type describedResource struct {
	Name        string
	SignedIn    bool `json:"signed_in"`
	Definitions []describedDefinition
}

type describedDefinition struct {
	Kind    resource.Kind
	Name    string
	Params  []string
	Payload *struct {
		Schema    json.RawMessage
		Converter *bool
	}
	Shows string
	Class policy.Class
	Agent *struct {
		Description string
		Search      bool
	}
}

// handed is what a handler got.
type handed struct {
	Params  map[string]string
	Payload string
}

func (h *handed) equal(o *handed) bool {
	return o != nil && maps.Equal(h.Params, o.Params) && h.Payload == o.Payload
}

// built is an app that was made from a vector.
type built struct {
	app       *resource.App
	resources []*resource.Resource
	got       *handed // of the handler that ran last
}

func build(t *testing.T, described []describedResource) *built {
	t.Helper()
	b := &built{}
	for _, dr := range described {
		var signedIn []resource.Middleware
		if dr.SignedIn {
			signedIn = append(signedIn, refuseNobody)
		}
		r := resource.New(dr.Name, signedIn...)
		for _, d := range dr.Definitions {
			b.declare(t, r, d)
		}
		b.resources = append(b.resources, r)
	}
	b.app = resource.NewApp(nil, b.resources...)
	return b
}

func refuseNobody(next resource.Handler) resource.Handler {
	return func(c *resource.Context) resource.Result {
		if c.Principal == "" {
			return resource.Result{Kind: resource.Failure, Status: 403, Error: resource.Errorf(resource.Forbidden, "Sign in first.")}
		}
		return next(c)
	}
}

// The address types that the vectors use.
type (
	idKey struct {
		ID string `param:"id"`
	}
	lineKey struct {
		Order string `param:"orderId"`
		Line  string `param:"line"`
	}
	queryKey struct {
		Query string `param:"query"`
	}
)

func (b *built) declare(t *testing.T, r *resource.Resource, d describedDefinition) {
	t.Helper()
	switch params := strings.Join(d.Params, " "); params {
	case "":
		declare[resource.None](b, r, d)
	case "id":
		declare[idKey](b, r, d)
	case "orderId line":
		declare[lineKey](b, r, d)
	case "query":
		declare[queryKey](b, r, d)
	default:
		t.Fatalf("no address type has the parameters %q: add one", params)
	}
}

func declare[A any](b *built, r *resource.Resource, d describedDefinition) {
	options := func(set func(resource.AgentOptions)) {
		if d.Agent != nil {
			set(resource.AgentOptions{Description: d.Agent.Description, Search: d.Agent.Search})
		}
	}
	switch d.Kind {
	case resource.ViewKind:
		v := resource.View(r, d.Name, func(c *resource.Context, _ A) (resource.Node, error) { return b.show(c, d), nil })
		options(func(o resource.AgentOptions) { v.SetAgentOptions(o) })
	case resource.LookupKind:
		l := resource.Lookup(r, d.Name, func(c *resource.Context, _ A, _ string) ([]resource.Record, error) {
			b.show(c, d)
			return []resource.Record{}, nil
		})
		options(func(o resource.AgentOptions) { l.SetAgentOptions(o) })
	case resource.ActionKind:
		x := resource.Action(r, d.Name, func(c *resource.Context, _ A, _ json.RawMessage) (resource.Node, error) { return b.show(c, d), nil })
		x.SetClass(d.Class).SetValidator(d.validator())
		options(func(o resource.AgentOptions) { x.SetAgentOptions(o) })
	}
}

// show is every handler: it keeps what it got, and shows what the vector says.
func (b *built) show(c *resource.Context, d describedDefinition) resource.Node {
	b.got = &handed{Params: maps.Clone(c.Params), Payload: string(c.Payload)}
	text := strings.ReplaceAll(d.Shows, "{tools}", b.tools())
	for name, value := range c.Params {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return resource.Callout(text)
}

// tools are those that can be described, as an embedded host would list them.
func (b *built) tools() string {
	tools, _ := b.app.AgentTools()
	return resource.ToolsJSON(tools)
}

func (b *built) find(t *testing.T, name string) *resource.Definition {
	t.Helper()
	for _, r := range b.resources {
		for _, list := range [][]*resource.Definition{r.Views(), r.Lookups(), r.Actions()} {
			for _, d := range list {
				if r.Name()+"."+d.Name() == name {
					return d
				}
			}
		}
	}
	t.Fatalf("there is no definition %s", name)
	return nil
}

func (b *built) agent(t *testing.T, ask approval.Handler) *assent.Agent {
	t.Helper()
	agent, err := assent.Start(t.Context(), assent.WithToolSource(b.app.Source()), assent.WithApprovals(ask), assent.WithPrincipal("ann"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agent.Close() })
	return agent
}

// accepting is a validator that leaves the checking to its schema.
type accepting struct{}

func (accepting) Validate(json.RawMessage) []resource.Issue { return nil }

type converting struct {
	accepting
	schema json.RawMessage
}

func (c converting) JSONSchema() (json.RawMessage, error) { return c.schema, nil }

func (d describedDefinition) validator() resource.Validator {
	if c := d.Payload.Converter; c != nil && !*c {
		return accepting{}
	}
	return converting{schema: d.Payload.Schema}
}

// The payload of the eighth vector as a Go type has the same descriptor as its
// JSON Schema.
//
// proves: R3
func TestAPayloadTypeGivesTheDescriptorOfItsSchema(t *testing.T) {
	type refund struct {
		Cents  int    `json:"cents" doc:"How much to give back, in cents."`
		Reason string `json:"reason,omitempty" doc:"Shown to the customer." enum:"damaged,late,other"`
	}
	orders := resource.New("orders")
	resource.Action(orders, "refund", func(*resource.Context, idKey, refund) (resource.Node, error) { return nil, nil }).
		SetAgentOptions(resource.AgentOptions{Description: "Pay back part of an order."})
	tools, err := orders.AgentTools()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range readDescriptors(t) {
		if v.ID == "V8" {
			v.Tools.check(t, "the list of tools", []byte(resource.ToolsJSON(tools)))
			return
		}
	}
	t.Error("there is no vector V8")
}
