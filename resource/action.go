package resource

import (
	"encoding/json"
	"reflect"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// ActionDef is an action whose address is an A and whose payload is a P.
type ActionDef[A, P any] struct{ *Definition }

// action is what only actions have. Its functions bind and validate by themselves.
type action struct {
	payload *payload
	class   policy.Class
	run     func(c *Context) (Node, error)
	preview func(c *Context) (*tool.Preview, error)
	raise   func(c *Context) (policy.Class, error)
	undo    *undo
	fill    func(c *Context) (json.RawMessage, error) // what the form holds at first; nil: defaults
}

// Action defines an action: run changes something of the record at an address
// and returns what to show then, usually a link to where to go. P is a struct
// whose tags say what its fields may hold (see package schema); a field with the
// tag lookup, such as lookup:"customers.find", is filled by that lookup.
//
// Everything that run changes through the app's [Data] is one transaction: it
// is kept if run returns no error, and none of it otherwise.
func Action[A, P any](r *Resource, name string, run func(c *Context, a A, p P) (Node, error)) ActionDef[A, P] {
	d := r.add(&Definition{kind: ActionKind, name: name, address: addressOf(reflect.TypeFor[A]())})
	d.action = &action{payload: payloadOf(reflect.TypeFor[P]())}
	d.action.run = bound(d, run)
	d.check = func(c *Context) error {
		_, err := bound(d, func(*Context, A, P) (None, error) { return None{}, nil })(c)
		return err
	}
	return ActionDef[A, P]{d}
}

// bound binds and validates a call's address and payload for f.
func bound[A, P, Out any](d *Definition, f func(*Context, A, P) (Out, error)) func(*Context) (Out, error) {
	return func(c *Context) (out Out, err error) {
		a, err := bind[A](d, c)
		if err != nil {
			return out, err
		}
		p, err := filled[P](d, c)
		if err != nil {
			return out, err
		}
		return f(c, a, p)
	}
}

// SetTitle sets what people read instead of the name: "Cancel order".
func (x ActionDef[A, P]) SetTitle(title string) ActionDef[A, P] { x.title = title; return x }

// SetClass says how much harm the action can do: policy.Write where it can be
// changed back, policy.Destructive where it cannot. Without it the action is
// unknown to those who govern, and [App.Check] warns (SPEC R8).
func (x ActionDef[A, P]) SetClass(class policy.Class) ActionDef[A, P] {
	x.action.class = class
	return x
}

// SetFill sets what the action's form holds at first, such as the address that is
// to be changed. It gets the handle that only reads. [FormNode.Fill] says the same
// of one form within a view.
func (x ActionDef[A, P]) SetFill(fill func(c *Context, a A) (P, error)) ActionDef[A, P] {
	x.action.fill = func(c *Context) (json.RawMessage, error) {
		a, err := bind[A](x.Definition, c)
		if err != nil {
			return nil, err
		}
		p, err := fill(c, a)
		if err != nil {
			return nil, err
		}
		return marshal(p)
	}
	return x
}

// SetPreview sets what says beforehand what the action would change. It gets the
// handle that only reads, and is shown on the approval card and before a person
// sends a destructive form. The same data gives the same preview: a person whose
// preview is another one by the time they agree is asked again.
func (x ActionDef[A, P]) SetPreview(preview func(c *Context, a A, p P) (*tool.Preview, error)) ActionDef[A, P] {
	x.action.preview = bound(x.Definition, preview)
	return x
}

// SetRaise sets what may make one call stricter than the action's class, never
// looser (SPEC C8). It gets the handle that only reads.
func (x ActionDef[A, P]) SetRaise(raise func(c *Context, a A, p P) policy.Class) ActionDef[A, P] {
	x.action.raise = bound(x.Definition, func(c *Context, a A, p P) (policy.Class, error) { return raise(c, a, p), nil })
	return x
}

// SetUndo says which action takes this one back; see [UndoBy].
func (x ActionDef[A, P]) SetUndo(u UndoFunc[A, P]) ActionDef[A, P] {
	x.action.undo = &undo{partner: u.partner, restore: bound(x.Definition, u.restore)}
	return x
}

// SetValidator sets what validates the payload instead of the schema of P. If it
// is a [JSONConverter] too, its schema describes the payload to agents and forms.
func (x ActionDef[A, P]) SetValidator(v Validator) ActionDef[A, P] {
	x.action.payload = ownPayload(reflect.TypeFor[P](), v)
	return x
}

// SetAgentOptions makes the action an agent's tool (SPEC R2).
func (x ActionDef[A, P]) SetAgentOptions(o AgentOptions) ActionDef[A, P] { x.agent = &o; return x }

// Validator validates a payload that the schema of its type cannot. It changes
// nothing: what a person approves is what runs (SPEC A5).
type Validator interface {
	// Validate says what is wrong with a payload, which is JSON; nothing if it will
	// do. It is called before anybody is asked, so it looks at the payload alone.
	Validate(payload json.RawMessage) []Issue
}

// JSONConverter describes what a [Validator] accepts as a JSON Schema whose root
// is a plain object.
type JSONConverter interface {
	JSONSchema() (json.RawMessage, error)
}

// UndoFunc is how an action is taken back. Make one with [UndoBy].
type UndoFunc[A, P any] struct {
	partner *Definition
	restore func(c *Context, a A, p P) (*undoCall, error)
}

// undoCall is the call that takes an action back.
type undoCall struct {
	Params  map[string]string `json:"params"`
	Payload json.RawMessage   `json:"payload"`
}

// undo belongs to an action that can be taken back.
type undo struct {
	partner *Definition
	restore func(c *Context) (*undoCall, error)
}

// UndoBy says that an action is taken back by a call of partner. now returns
// the call that would put the thing back as it is now. It is asked before the
// action runs, for the call that undoes it; after, to know what the thing looks
// like then; and before the undo, which is refused if the thing has changed since
// (SPEC T4). It gets the handle that the action has.
func UndoBy[A, P, A2, P2 any](partner ActionDef[A2, P2], now func(c *Context, a A, p P) (A2, P2, error)) UndoFunc[A, P] {
	return UndoFunc[A, P]{partner.Definition, func(c *Context, a A, p P) (*undoCall, error) {
		a2, p2, err := now(c, a, p)
		if err != nil {
			return nil, err
		}
		payload, err := marshal(p2)
		if err != nil {
			return nil, err
		}
		return &undoCall{Params: partner.address.paramsOf(a2), Payload: payload}, nil
	}}
}
