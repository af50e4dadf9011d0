package main

import "github.com/assentdev/assent/resource"

// key is the address of an order.
type key struct {
	ID string `param:"id"`
}

// newOrders declares the resource. Its view tools shows what an agent would be
// told about the others.
func newOrders() *resource.Resource {
	orders := resource.New("orders")
	resource.View(orders, "detail", func(_ *resource.Context, k key) (resource.Node, error) {
		return resource.Callout("Order " + k.ID), nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Open one order by its identifier."})
	resource.View(orders, "tools", func(*resource.Context, resource.None) (resource.Node, error) {
		tools, err := orders.AgentTools()
		return resource.Callout(resource.ToolsJSON(tools)), err
	})
	return orders
}
