package shop

import (
	"strconv"
	"strings"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
)

func (d *desk) defineProducts() {
	resource.View(d.products, "all", d.showProducts).SetTitle("Products").SetAgentOptions(resource.AgentOptions{
		Description: "List the name and the id of every product.", Title: "List the products", Result: resource.ResultData,
	})
	d.product = resource.View(d.products, "detail", d.showProduct).SetAgentOptions(resource.AgentOptions{
		Description: "Open a product: its variants, which of them can be had, and their prices.", Title: "Show product {id}", Result: resource.ResultData,
	})
}

func (d *desk) showProducts(c *resource.Context, _ resource.None) (resource.Node, error) {
	products, err := store.Products(c, sqldata.From(c))
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	table := resource.Table("Product", "Variants", "From").Right("Variants", "From")
	for _, p := range products {
		ids[p.Name] = p.ID
		table.Row(d.product.Link(ProductKey{p.ID}, p.Name), resource.Text(strconv.Itoa(len(p.Variants))), resource.Text(cheapest(p).String()))
	}
	return resource.WithData(ids, resource.Heading("Products"), table), nil
}

func cheapest(p *store.Product) (least store.Money) {
	for i, v := range p.Variants {
		if i == 0 || v.Value.Price < least {
			least = v.Value.Price
		}
	}
	return least
}

func (d *desk) showProduct(c *resource.Context, k ProductKey) (resource.Node, error) {
	p, err := store.GetProduct(c, sqldata.From(c), k.ID)
	if err != nil {
		return nil, err
	}
	table := resource.Table("Item", "Options", "Stock", "Price").Right("Price")
	for _, v := range p.Variants {
		stock := "available"
		if !v.Value.Available {
			stock = "sold out"
		}
		table.Row(resource.Text(v.Key), resource.Text(options(v.Value.Options)), resource.Text(stock), resource.Text(v.Value.Price.String()))
	}
	return resource.WithData(p, resource.Heading(p.Name), resource.Fields().Text("Product", p.ID), table), nil
}

// options says what a variant is: "red, size L".
func options(of store.Dict[string]) string {
	var parts []string
	for _, o := range of {
		parts = append(parts, o.Key+": "+o.Value)
	}
	return strings.Join(parts, ", ")
}
