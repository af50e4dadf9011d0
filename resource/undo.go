package resource

import (
	"encoding/json"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// kept is what a run leaves to be undone with.
type kept struct {
	Params  map[string]string `json:"params,omitempty"`
	Payload json.RawMessage   `json:"payload,omitempty"` // of the call that was undone, to ask again what would restore
	Back    undoCall          `json:"back"`              // the call that takes it back
	After   string            `json:"after"`             // the digest of what would have restored the thing after the run
}

// restore asks what would put the thing back as it is now; nil where the action
// has no undo.
func (d *Definition) restore(c *Context) (*undoCall, error) {
	if d.action.undo == nil {
		return nil, nil
	}
	return d.action.undo.restore(c)
}

// kept makes what a run leaves, given what would have restored the thing before.
func (d *Definition) kept(c *Context, before *undoCall) (json.RawMessage, error) {
	after, err := d.restore(c)
	if err != nil {
		return nil, err
	}
	digest, err := after.digest()
	if err != nil {
		return nil, err
	}
	return marshal(kept{c.Params, c.Payload, *before, digest})
}

func (u *undoCall) digest() (string, error) {
	raw, err := marshal(u)
	if err != nil {
		return "", err
	}
	canonical, err := schema.Canonical(raw, nil)
	return schema.Digest(canonical), err
}

// takeBack is the step that takes a run back: inside the transaction it looks
// whether the thing is still as the run left it, then runs the partner.
func takeBack(k kept) step {
	return func(a *App, d *Definition, c *Context) Result {
		if d.action.undo == nil {
			return a.fail(c, fault.New(fault.CannotUndo, "This action cannot be undone."))
		}
		partner := d.action.undo.partner
		return a.transact(c, func(c *Context) Result {
			now, err := d.restore(c)
			if err != nil {
				return a.fail(c, err)
			}
			digest, err := now.digest()
			if err != nil {
				return a.fail(c, err)
			}
			if digest != k.After {
				return a.fail(c, fault.New(fault.CannotUndo, "It has changed since, so this cannot be undone."))
			}
			back := &Context{Context: c.Context, Caller: c.Caller, Kind: ActionKind, Resource: partner.resource.name, Name: partner.name, Params: k.Back.Params, Payload: k.Back.Payload, Log: c.Log, app: a, data: c.data}
			res := partner.guarded(back, func(c *Context) Result { return a.act(partner, c) })
			res.undo = nil // it would take back the partner's run, not this one
			return res
		})
	}
}
