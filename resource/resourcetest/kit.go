// Package resourcetest tests an application's resources through the path that
// every call takes: middleware, binding, validation and handler, without a port.
//
//	kit := resourcetest.New(t, app).As("ann", "support")
//	resourcetest.View(kit, detail, Key{"7"}).WantText("Order 7")
//	kit.Tool("orders_refund", `{"id":"7","cents":0}`).WantIssue("cents")
//	kit.InMode(assent.Auto).Tool("orders_refund", `{"id":"7","cents":5}`).WantAsked()
//	kit.Modes("orders_refund", `{"id":"7","cents":5}`)
//	resourcetest.GoldenTools(t, app, "testdata/tools.json")
//
// A failure says what was there instead.
package resourcetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/resource"
)

// Kit calls an app as one caller. It does not change: its methods return another
// one, so that a kit may be shared.
type Kit struct {
	tb   testing.TB
	app  *resource.App
	by   resource.Caller
	mode *assent.Mode // of governed calls; nil: calls are made directly
}

// New makes a kit that calls as nobody. What [resource.App.Check] finds ends the test.
func New(tb testing.TB, app *resource.App) *Kit {
	tb.Helper()
	if err := app.Check(); err != nil {
		tb.Fatalf("the app has mistakes:\n%v", err)
	}
	return &Kit{tb: tb, app: app}
}

// As returns a kit that calls as a principal who belongs to groups.
func (k *Kit) As(principal string, groups ...string) *Kit {
	other := *k
	other.by.Principal, other.by.Groups = principal, groups
	return &other
}

// InMode returns a kit whose tools are called by an agent in a session of that
// mode, with a person who approves whatever is asked. There are no contract and
// no rules, so that classes and mode alone decide. Views, lookups and actions that
// are called directly stay as they are.
func (k *Kit) InMode(mode assent.Mode) *Kit {
	other := *k
	other.mode = &mode
	return &other
}

// View calls a view at an address.
func View[A any](k *Kit, v resource.ViewDef[A], a A) *Call {
	k.tb.Helper()
	return k.direct(v.Definition, k.app.RenderView(k.tb.Context(), resource.ViewCall{
		Resource: v.Resource().Name(), View: v.Name(), Params: params(a), By: k.by,
	}))
}

// Lookup asks a lookup at an address.
func Lookup[A any](k *Kit, l resource.LookupDef[A], a A, query string) *Call {
	k.tb.Helper()
	return k.direct(l.Definition, k.app.HandleLookup(k.tb.Context(), resource.LookupCall{
		Resource: l.Resource().Name(), Lookup: l.Name(), Params: params(a), Query: query, By: k.by,
	}))
}

// Action runs an action at an address.
func Action[A, P any](k *Kit, x resource.ActionDef[A, P], a A, p P) *Call {
	k.tb.Helper()
	return k.direct(x.Definition, k.app.HandleAction(k.tb.Context(), call(k, x.Definition, a, p)))
}

// Preview asks an action what it would change. The text of the call is the
// preview's: its summary, and a line "label: before → after" for each change.
func Preview[A, P any](k *Kit, x resource.ActionDef[A, P], a A, p P) *Call {
	k.tb.Helper()
	preview, res := k.app.PreviewAction(k.tb.Context(), call(k, x.Definition, a, p))
	c := k.direct(x.Definition, res)
	c.what = "the preview of " + c.what
	if preview != nil {
		c.text = preview.Summary
		for _, change := range preview.Changes {
			c.text += fmt.Sprintf("\n%s: %s → %s", change.Label, change.Before, change.After)
		}
	}
	return c
}

func call[A, P any](k *Kit, d *resource.Definition, a A, p P) resource.ActionCall {
	payload, err := json.Marshal(p)
	if err != nil {
		k.tb.Fatalf("the payload of %s.%s: %v", d.Resource().Name(), d.Name(), err)
	}
	return resource.ActionCall{Resource: d.Resource().Name(), Action: d.Name(), Params: params(a), Payload: payload, By: k.by}
}

// params writes an address as a link to it would.
func params[A any](a A) map[string]string {
	return resource.View[A](resource.New("any"), "any", nil).Link(a, "").To.Params
}

// Tool calls a tool by its name with arguments in JSON: through an agent after
// [Kit.InMode], and else directly, as an agent would whose every call may run.
func (k *Kit) Tool(name, args string) *Call {
	k.tb.Helper()
	what := strings.TrimSpace(name + " " + args)
	if k.mode != nil {
		return k.governed(what, name, args)
	}
	by := k.by
	by.Door, by.Agent = resource.Tool, true
	return &Call{tb: k.tb, what: what, res: k.app.Invoke(k.tb.Context(), name, json.RawMessage(args), by)}
}

func (k *Kit) direct(d *resource.Definition, res resource.Result) *Call {
	return &Call{tb: k.tb, what: d.Resource().Name() + "." + d.Name(), res: res}
}
