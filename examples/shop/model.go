package main

import "github.com/assentdev/assent/model/scripted"

// script is the model: it answers to a few words, and says that it is a script.
var script = scripted.Definition{
	Name:      "shop",
	Otherwise: "I know only a few sentences. Try: " + examples + ".",
	Rules: []scripted.Rule{
		cancel, sendBack, pay, send, products, orders,
		{Words: []string{"show"}, Steps: look}, {Words: []string{"hold"}, Steps: look},
		users,
	},
}

// examples are sentences that the script answers to.
const examples = `"Find Ada O'Brien", "Find orders of Priya", "Show order #W1113349", "What does #W1101860 hold?", "What products are there?", ` +
	`"Send #W1128904 to 5 Elm Street, Madison, WI 53704", "Cancel order #W1113349 because it was ordered by mistake", ` +
	`"Return the desk lamp of #W1017650", or "Pay #W1113349 with PayPal"`

const (
	// id is the order that the user names.
	id = `{{json (printf "#%s" (find "\\b(W\\d+)" .User))}}`
	// failed begins with what went wrong, if something did.
	failed = `{{if .Failed}}That did not happen. I was told: {{.Last}}{{else}}`
)

var (
	users = scripted.Rule{Words: []string{"find"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "users_find", Args: `{"query":{{json (find "(?i)find (.+?)[.?]*$" .User)}}}`}}},
		{Say: failed + `{{with find "(?m)^\\| (\\w+_\\w+) " .Last}}The first is {{find "_\\w+ \\| ([^|]+) \\|" $.Last}}, {{.}}.{{else}}Nobody has that name.{{end}}{{end}}`},
	}}

	orders = scripted.Rule{Words: []string{"orders"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "orders_find", Args: `{"query":{{json (find "(?i)orders (?:of|with|for) (.+?)[.?]*$" .User)}}}`}}},
		{Say: failed + `{{with find "#W\\d+" .Last}}The oldest is {{.}}.{{else}}There is none.{{end}}{{end}}`},
	}}

	products = scripted.Rule{Words: []string{"products"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "products_all"}}},
		{Say: failed + `There they are, each with its id.{{end}}`},
	}}

	look = []scripted.Step{
		read,
		{Say: failed + `Order {{path "order_id" .Last}} is {{path "status" .Last}}. It holds {{path "items.0.name" .Last}}` +
			`{{with path "items.1.name" .Last}}, {{.}}{{end}}{{with path "items.2.name" .Last}}, {{.}}{{end}}{{if path "items.3" .Last}} and more{{end}}` +
			` and goes to {{path "address.address1" .Last}}, {{path "address.city" .Last}}.{{end}}`},
	}

	// An address without a city or a state leaves them out, which the check of the
	// arguments refuses.
	send = scripted.Rule{Words: []string{"send"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "orders_set_address", Args: `{"id":` + id + `,"address1":{{json (find " to ([^,]+)" .User)}}` +
			`,"address2":{{json (find " to [^,]+, ([^,]+), [^,]+, [A-Z]{2} \\S+$" .User)}}` +
			`{{with find ", ([^,]+), [A-Z]{2} \\S+$" .User}},"city":{{json .}}{{end}}` +
			`{{with find ", ([A-Z]{2}) \\S+$" .User}},"state":{{json .}}{{end}}` +
			`{{with find ", [A-Z]{2} (\\S+)$" .User}},"zip":{{json .}}{{end}},"country":"USA"}`}}},
		{Say: failed + `{{path "order_id" .Last}} goes to {{path "address.address1" .Last}}, {{path "address.city" .Last}}.{{end}}`},
	}}

	cancel = scripted.Rule{Words: []string{"cancel"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "orders_cancel", Args: `{"id":` + id + `{{with find "because (?:(?:it|they) (?:was|were|is|are) )?(.+?)[.]?$" .User}},"reason":{{json .}}{{end}}}`}}},
		{Say: failed + `{{path "order_id" .Last}} is {{path "status" .Last}}.{{end}}`},
	}}

	// sendBack looks for the item by its name. What is not found is asked for by
	// that name, which the shop refuses.
	sendBack = scripted.Rule{Words: []string{"return"}, Steps: []scripted.Step{
		read,
		{Calls: []scripted.Call{{Tool: "orders_return", Args: `{"id":` + id +
			`,"item_ids":[{{with find "(?i)return (?:the )?([\\w' ]+) of" .User}}{{json (or (find (printf "(?i)\"%s\",\"product_id\":\"\\d+\",\"item_id\":\"(\\d+)\"" .) $.Last) .)}}{{end}}]` +
			`,"payment_method_id":{{json (path "payment_history.0.payment_method_id" .Last)}}}`}}},
		{Say: failed + `{{path "order_id" .Last}}: {{path "status" .Last}}.{{end}}`},
	}}

	pay = scripted.Rule{Words: []string{"pay"}, Steps: []scripted.Step{
		read,
		{Say: "I look which ways to pay there are.", Calls: []scripted.Call{{Tool: "users_detail", Args: `{"id":{{json (path "user_id" .Last)}}}`}}},
		{Calls: []scripted.Call{{Tool: "orders_set_payment", Args: `{"id":` + id +
			`{{with find "(?i) with (?:the |a |an )?(\\w+)" .User}},"payment_method_id":{{json (or (find (printf "(?i)\"(%s[a-z_]*\\d+)\"" .) $.Last) .)}}{{end}}}`}}},
		{Say: failed + `{{path "order_id" .Last}} is paid with that now.{{end}}`},
	}}

	read = scripted.Step{Say: "I will look.", Calls: []scripted.Call{{Tool: "orders_detail", Args: `{"id":` + id + `}`}}}
)
