// Package resource makes one declaration serve people and agents: a page, a
// form, JSON, and a governed tool (SPEC section 9).
//
// A [Resource] has views, lookups and actions. A view shows one thing, a lookup
// finds records, an action changes something. Each has typed address parameters,
// which are strings on the wire, and an action has a typed payload besides.
//
//	type Key struct {
//		ID string `param:"id"`
//	}
//	orders := resource.New("orders", signedIn)
//	detail := resource.View(orders, "detail", func(c *resource.Context, k Key) (resource.Node, error) {
//		return resource.Callout("Order " + k.ID), nil
//	})
//	detail.SetAgentOptions(resource.AgentOptions{Description: "Open one order by its identifier."})
//
// What a definition shows is built of a closed set of nodes, each of which is
// written as JSON for programs, as HTML for people and as plain text for a model.
//
// Nothing becomes a tool unless it is given agent options (SPEC R2). A descriptor
// is data and grants nothing: authorisation stands in middleware and handlers.
// There is one path through middleware, binding, validation and handler, whatever
// the door: a page, a form, a call for JSON or an agent's tool (SPEC R5).
//
// An [App] is a set of resources with that path. [App.Check] reports everything
// that is wrong with it at once, [App.Handler] serves it over HTTP, and
// [App.Source] gives its tools to an agent.
package resource
