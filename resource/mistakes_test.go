package resource_test

import (
	"encoding/json"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// view, lookup and action declare something that does nothing.
func view[A any](r *resource.Resource, name string) resource.ViewDef[A] {
	return resource.View(r, name, func(*resource.Context, A) (resource.Node, error) { return nil, nil })
}

func lookup[A any](r *resource.Resource, name string) resource.LookupDef[A] {
	return resource.Lookup(r, name, func(*resource.Context, A, string) ([]resource.Record, error) { return nil, nil })
}

func action[A, P any](r *resource.Resource, name string) resource.ActionDef[A, P] {
	return resource.Action(r, name, func(*resource.Context, A, P) (resource.Node, error) { return nil, nil })
}

// validator accepts everything, and converter has a JSON Schema besides.
type validator struct{}

func (validator) Validate(json.RawMessage) []resource.Issue { return nil }

type converter struct {
	validator
	schema string
}

func (c converter) JSONSchema() (json.RawMessage, error) { return json.RawMessage(c.schema), nil }

type (
	twoFields struct {
		A string `param:"a"`
		B string `param:"a"`
	}
	untagged   struct{ ID string }
	unexported struct {
		_ string `param:"id"`
	}
	badName struct {
		ID string `param:"the id"`
	}
	fraction struct {
		F float64 `param:"f"`
	}
	queried struct {
		Query string `param:"query"`
	}
	keyed struct {
		ID string `json:"id"`
	}
	looked struct {
		Customer string `json:"customer" lookup:"customers.find"`
	}
	recursive struct {
		Next *recursive `json:"next"`
	}
	opaque struct {
		F func() `json:"f"`
	}
)

// mistakes are definitions of a resource called orders, each with what the check
// of the app says: the code, the place, and what helps.
var mistakes = []struct {
	name  string
	code  fault.Code
	place string
	words string
	make  func(r *resource.Resource)
}{
	{"R4 a payload of raw JSON", resource.SchemaWithoutJSON, "orders.pay", "JSONConverter", func(r *resource.Resource) {
		action[none, json.RawMessage](r, "pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a payload that is a map", resource.SchemaWithoutJSON, "orders.pay", "use a struct", func(r *resource.Resource) {
		action[none, map[string]string](r, "pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a payload that contains itself", resource.SchemaWithoutJSON, "orders.pay", "recursive", func(r *resource.Resource) {
		action[none, recursive](r, "pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a payload with a function", resource.SchemaWithoutJSON, "orders.pay", "func", func(r *resource.Resource) {
		action[none, opaque](r, "pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a validator without a converter", resource.SchemaWithoutJSON, "orders.pay", "JSONSchema", func(r *resource.Resource) {
		action[none, none](r, "pay").SetValidator(validator{}).SetAgentOptions(about("Pays."))
	}},
	{"R4 a parameter named like a payload property", resource.ParamCollision, "orders.pay", `"id" is both`, func(r *resource.Resource) {
		action[key, keyed](r, "pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a lookup with a parameter query", resource.ParamCollision, "orders.find", `"query" is both`, func(r *resource.Resource) {
		lookup[queried](r, "find").SetAgentOptions(about("Finds."))
	}},
	{"R4 two definitions that make one tool name", resource.NameCollision, "orders.pay", "orders_pay", func(r *resource.Resource) {
		view[none](r, "pay").SetAgentOptions(about("Shows."))
		action[none, none](r, "pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a name in capitals", resource.NameInvalid, "orders.Pay", "lower-case", func(r *resource.Resource) {
		view[none](r, "Pay").SetAgentOptions(about("Pays."))
	}},
	{"R4 a name with a hyphen", resource.NameInvalid, "orders.pay-now", "lower-case", func(r *resource.Resource) {
		view[none](r, "pay-now").SetAgentOptions(about("Pays."))
	}},
	{"R4 a name that is too long for models", resource.NameInvalid, "orders.p", "at most 64", func(r *resource.Resource) {
		view[none](r, "p"+strings.Repeat("a", 60)).SetAgentOptions(about("Pays."))
	}},
	{"R1 a name that is none, for people", resource.BadDefinition, "orders.pay now", "lower-case", func(r *resource.Resource) {
		view[none](r, "pay now")
	}},
	{"R1 two views of one name", resource.BadDefinition, "orders.detail", "two views", func(r *resource.Resource) {
		view[none](r, "detail")
		view[none](r, "detail")
	}},
	{"R2 options without a description", resource.BadDefinition, "orders.detail", "description", func(r *resource.Resource) {
		view[none](r, "detail").SetAgentOptions(resource.AgentOptions{Search: true})
	}},
	{"R1 an address that is no struct", resource.BadDefinition, "orders.detail", "no struct", func(r *resource.Resource) {
		view[string](r, "detail")
	}},
	{"R1 an address field without a tag", resource.BadDefinition, "orders.detail", "add `param:", func(r *resource.Resource) {
		view[untagged](r, "detail")
	}},
	{"R1 an address field that cannot be set", resource.BadDefinition, "orders.detail", "not exported", func(r *resource.Resource) {
		view[unexported](r, "detail")
	}},
	{"R1 a parameter with a space", resource.BadDefinition, "orders.detail", "letters, digits and _ only", func(r *resource.Resource) {
		view[badName](r, "detail")
	}},
	{"R1 two parameters of one name", resource.BadDefinition, "orders.detail", "taken", func(r *resource.Resource) {
		view[twoFields](r, "detail")
	}},
	{"R1 a parameter of a type that is no text", resource.BadDefinition, "orders.detail", "use a string", func(r *resource.Resource) {
		view[fraction](r, "detail")
	}},
	{"R8 an action of class read", resource.BadDefinition, "orders.pay", "declare write or destructive", func(r *resource.Resource) {
		action[none, none](r, "pay").SetClass(policy.Read)
	}},
	{"R8 a field with a lookup that is not there", resource.BadDefinition, "orders.pay", `"customers.find"`, func(r *resource.Resource) {
		action[none, looked](r, "pay")
	}},
	{"R8 an undo that is no action of the app", resource.BadDefinition, "orders.pay", "others.back", func(r *resource.Resource) {
		back := action[none, none](resource.New("others"), "back")
		action[none, none](r, "pay").SetUndo(resource.UndoBy(back, func(*resource.Context, none, none) (n none, m none, err error) { return }))
	}},
}
