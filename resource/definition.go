package resource

import (
	"reflect"
	"strings"

	"github.com/assentdev/assent/policy"
)

// Kind says what a definition is.
type Kind string

// The kinds.
const (
	ViewKind   Kind = "view"
	LookupKind Kind = "lookup"
	ActionKind Kind = "action"
)

// None is the address of what needs none, and the payload of an action that
// takes none.
type None struct{}

// Definition is a view, a lookup or an action of a resource, without its types.
type Definition struct {
	resource *Resource
	kind     Kind
	name     string
	title    string
	address  *address
	agent    *AgentOptions

	check   func(c *Context) error // binds and validates, and does nothing
	view    func(c *Context) (Node, error)
	find    func(c *Context) ([]Record, error)
	resolve func(c *Context, value string) (*Record, error) // of a lookup: what one value is called
	action  *action
}

// Kind says whether it is a view, a lookup or an action.
func (d *Definition) Kind() Kind { return d.kind }

// Resource returns the resource that it belongs to.
func (d *Definition) Resource() *Resource { return d.resource }

// Name returns its name within the resource.
func (d *Definition) Name() string { return d.name }

// Title returns what people read: what SetTitle said, or the name in words.
func (d *Definition) Title() string {
	if d.title != "" {
		return d.title
	}
	return words(d.name)
}

// Params returns the names of its address parameters in order.
func (d *Definition) Params() []string { return d.address.names() }

// Class returns the class that an action declared; views and lookups are
// policy.Read (SPEC R8).
func (d *Definition) Class() policy.Class {
	if d.kind != ActionKind {
		return policy.Read
	}
	return d.action.class
}

// AgentOptions returns what SetAgentOptions was given; ok is false without it.
func (d *Definition) AgentOptions() (o AgentOptions, ok bool) {
	if d.agent == nil {
		return AgentOptions{}, false
	}
	return *d.agent, true
}

// where names the definition in errors: orders.detail.
func (d *Definition) where() string { return d.resource.name + "." + d.name }

// words turns a name into words: set_address, setAddress → Set address.
func words(name string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(name, "_", " ") {
		switch {
		case i == 0:
			b.WriteString(strings.ToUpper(string(r)))
		case r >= 'A' && r <= 'Z':
			b.WriteString(" " + strings.ToLower(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func checkAddress[A any](d *Definition) func(c *Context) error {
	return func(c *Context) error {
		_, err := bind[A](d, c)
		return err
	}
}

// ViewDef is a view whose address is an A.
type ViewDef[A any] struct{ *Definition }

// View defines a view: show builds what the view shows of the record at an
// address. A is a struct whose fields have the tag param, or [None].
func View[A any](r *Resource, name string, show func(c *Context, a A) (Node, error)) ViewDef[A] {
	d := r.add(&Definition{kind: ViewKind, name: name, address: addressOf(reflect.TypeFor[A]())})
	d.check = checkAddress[A](d)
	d.view = func(c *Context) (Node, error) {
		a, err := bind[A](d, c)
		if err != nil {
			return nil, err
		}
		return show(c, a)
	}
	return ViewDef[A]{d}
}

// SetTitle sets what people read instead of the name.
func (v ViewDef[A]) SetTitle(title string) ViewDef[A] { v.title = title; return v }

// SetAgentOptions makes the view an agent's tool (SPEC R2).
func (v ViewDef[A]) SetAgentOptions(o AgentOptions) ViewDef[A] { v.agent = &o; return v }

// Link links to the view of the record at a.
func (v ViewDef[A]) Link(a A, label string) *LinkNode {
	return &LinkNode{Label: label, To: Address{Resource: v.resource.name, View: v.name, Params: v.address.paramsOf(a)}}
}

// LookupDef is a lookup whose address is an A.
type LookupDef[A any] struct{ *Definition }

// Record is what a lookup finds: the value that a form or an argument takes, and
// what people call it.
type Record struct {
	Value, Label string
	Description  string // a second line; "" for none
	// Link leads to where the record is shown; its label is the record's. Nil: to
	// nowhere.
	Link *LinkNode
}

// name is the record's label, which leads to the record where it can.
func (r *Record) name() Node {
	if r.Link == nil {
		return Text(r.Label)
	}
	return &LinkNode{Label: r.Label, To: r.Link.To}
}

// Lookup defines a lookup: find returns the records that fit a query, best
// first, and some to choose from for an empty one.
func Lookup[A any](r *Resource, name string, find func(c *Context, a A, query string) ([]Record, error)) LookupDef[A] {
	d := r.add(&Definition{kind: LookupKind, name: name, address: addressOf(reflect.TypeFor[A]())})
	d.check = checkAddress[A](d)
	d.find = func(c *Context) ([]Record, error) {
		a, err := bind[A](d, c)
		if err != nil {
			return nil, err
		}
		return find(c, a, c.Query)
	}
	return LookupDef[A]{d}
}

// SetTitle sets what people read instead of the name.
func (l LookupDef[A]) SetTitle(title string) LookupDef[A] { l.title = title; return l }

// SetAgentOptions makes the lookup an agent's tool (SPEC R2).
func (l LookupDef[A]) SetAgentOptions(o AgentOptions) LookupDef[A] { l.agent = &o; return l }

// SetResolve sets how one value becomes its record, so that people see a label
// where an id stands (SPEC R8). A value that is not known is a nil record.
func (l LookupDef[A]) SetResolve(resolve func(c *Context, a A, value string) (*Record, error)) LookupDef[A] {
	l.resolve = func(c *Context, value string) (*Record, error) {
		a, err := bind[A](l.Definition, c)
		if err != nil {
			return nil, err
		}
		return resolve(c, a, value)
	}
	return l
}
