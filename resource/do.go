package resource

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/tool"
)

// ViewCall asks for a view.
type ViewCall struct {
	Resource, View string
	Params         map[string]string
	By             Caller
}

// LookupCall asks a lookup.
type LookupCall struct {
	Resource, Lookup string
	Params           map[string]string
	Query            string
	By               Caller
}

// ActionCall calls an action.
type ActionCall struct {
	Resource, Action string
	Params           map[string]string
	Payload          json.RawMessage // nil: {}
	By               Caller
}

// RenderView returns what a view shows.
func (a *App) RenderView(ctx context.Context, v ViewCall) Result {
	return a.do(&Context{Context: ctx, Caller: v.By, Kind: ViewKind, Resource: v.Resource, Name: v.View, Params: v.Params}, show)
}

// HandleLookup returns what a lookup finds.
func (a *App) HandleLookup(ctx context.Context, l LookupCall) Result {
	return a.do(&Context{Context: ctx, Caller: l.By, Kind: LookupKind, Resource: l.Resource, Name: l.Lookup, Params: l.Params, Query: l.Query}, find)
}

// HandleAction runs an action and returns what it shows.
func (a *App) HandleAction(ctx context.Context, x ActionCall) Result {
	return a.do(x.context(ctx), run)
}

// PreviewAction says what an action would change, without running it: the
// preview of the result, and whether the call would be let through. An action
// without a preview gives a success and nil.
func (a *App) PreviewAction(ctx context.Context, x ActionCall) (*tool.Preview, Result) {
	c := x.context(ctx)
	c.Preview = true
	r := a.do(c, preview)
	return r.preview, r
}

func (x ActionCall) context(ctx context.Context) *Context {
	return &Context{Context: ctx, Caller: x.By, Kind: ActionKind, Resource: x.Resource, Name: x.Action, Params: x.Params, Payload: x.Payload}
}

// step is what a call is for, once it has passed the middleware.
type step func(a *App, d *Definition, c *Context) Result

// do is the one path of every call: middleware, then binding, validation and
// handler in the step (SPEC R5).
func (a *App) do(c *Context, then step) (res Result) {
	a.index()
	d := a.defs[key(c.Kind, c.Resource, c.Name)]
	if d == nil {
		return a.fail(c, a.missing(c))
	}
	c.app, c.Log = a, a.o.Log.With("resource", c.Resource, "name", c.Name, "kind", string(c.Kind))
	defer func() {
		if v := recover(); v != nil {
			res = a.fail(c, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
			res.doubt = res.Error
		}
	}()
	if a.o.Data != nil {
		handle, done, err := a.o.Data.Reading(c)
		if err != nil {
			return a.fail(c, err)
		}
		defer done()
		c.data = handle
	}
	return a.settled(c, d.guarded(c, func(c *Context) Result { return then(a, d, c) }))
}

// settled completes what middleware answers by itself: an error gets the status
// of its code, and no answer at all is a failure.
func (a *App) settled(c *Context, r Result) Result {
	switch {
	case r.Kind == "":
		return a.fail(c, errors.New("middleware returned a result without a kind"))
	case r.Kind == Failure && r.Error != nil && r.Status == 0:
		return a.fail(c, r.Error)
	}
	return r
}

// missing says why there is no such definition: its resource did not load, or has
// none.
func (a *App) missing(c *Context) error {
	if _, err := a.Resource(c.Resource); fault.CodeOf(err) == Broken {
		return err
	}
	return NotFound("There is no %s %q.", c.Kind, c.Resource+"."+c.Name)
}

// guarded lets a call pass the middleware of the definition's resource.
func (d *Definition) guarded(c *Context, h Handler) Result {
	for i := len(d.resource.middleware) - 1; i >= 0; i-- {
		h = d.resource.middleware[i](h)
	}
	return h(c)
}

// show renders a view.
func show(a *App, d *Definition, c *Context) Result {
	n, err := d.view(c)
	if err != nil {
		return a.fail(c, err)
	}
	r := Result{Kind: Success, Status: http.StatusOK}
	if r.Data, err = dataOf(n); err != nil {
		return a.fail(c, err)
	}
	r.Node = &viewNode{d.resource.name, d.name, flat(nil, n)}
	return r
}

// find asks a lookup.
func find(a *App, d *Definition, c *Context) Result {
	records, err := d.find(c)
	if err != nil {
		return a.fail(c, err)
	}
	return Result{Kind: Success, Status: http.StatusOK, Records: records, found: true}
}

// run runs an action in its transaction.
func run(a *App, d *Definition, c *Context) Result {
	// Nobody waits for a lock because of a call that will not do.
	if r := check(a, d, c); r.Kind != Success {
		return r
	}
	return a.transact(c, func(c *Context) Result { return a.act(d, c) })
}

// transact lets f change data: all of it if it succeeds, nothing otherwise.
func (a *App) transact(c *Context, f Handler) (res Result) {
	if a.o.Data == nil {
		return f(c)
	}
	reading := c.data
	handle, end, err := a.o.Data.Writing(c)
	if err != nil {
		return a.fail(c, err)
	}
	c.data = handle
	keep := false
	defer func() { // also of a handler that panics
		c.data = reading
		if err := end(keep); err != nil && keep {
			res = a.fail(c, err)
			res.doubt = res.Error
		}
	}()
	res = f(c)
	keep = res.Kind == Success
	return res
}

// act runs an action, between what is asked for its undo.
func (a *App) act(d *Definition, c *Context) Result {
	before, err := d.restore(c)
	if err != nil {
		return a.fail(c, err)
	}
	n, err := d.action.run(c)
	if err != nil {
		return a.fail(c, err)
	}
	r := Result{Kind: Success, Status: http.StatusOK}
	if before != nil {
		if r.undo, err = d.kept(c, before); err != nil {
			return a.fail(c, err)
		}
	}
	if r.Data, err = dataOf(n); err != nil {
		return a.fail(c, err)
	}
	switch n := single(n).(type) {
	case nil:
	case *LinkNode:
		r.Link = n
	default:
		r.Node = n
	}
	return r
}

// single is the one node that content holds, or the content; nil for nothing.
func single(n Node) Node {
	switch nodes := flat(nil, n); len(nodes) {
	case 0:
		return nil
	case 1:
		return nodes[0]
	default:
		return Content(nodes...)
	}
}

// check binds and validates a call of an action, and does nothing.
func check(a *App, d *Definition, c *Context) Result {
	if err := d.check(c); err != nil {
		return a.fail(c, err)
	}
	return Result{Kind: Success, Status: http.StatusOK}
}

// preview says what an action would change.
func preview(a *App, d *Definition, c *Context) (r Result) {
	if r = check(a, d, c); r.Kind != Success || d.action.preview == nil {
		return r
	}
	p, err := d.action.preview(c)
	if err != nil {
		return a.fail(c, err)
	}
	r.preview = p
	return r
}

// raise says how strict one call of an action is.
func raise(a *App, d *Definition, c *Context) (r Result) {
	if r = check(a, d, c); r.Kind != Success || d.action.raise == nil {
		return r
	}
	class, err := d.action.raise(c)
	if err != nil {
		return a.fail(c, err)
	}
	r.raised = class
	return r
}

// dataOf writes the value that came with a node.
func dataOf(n Node) (json.RawMessage, error) {
	d, ok := n.(*dataNode)
	if !ok {
		return nil, nil
	}
	return marshal(d.value)
}

// fail is what an error looks like from outside. Only deliberate errors keep
// their text; any other gets a reference under which the log has it (SPEC R6).
func (a *App) fail(c *Context, err error) Result {
	var bad *badAddress
	var issues Issues
	var moved *redirected
	switch {
	case errors.As(err, &bad):
		return Result{Kind: Rejected, Status: http.StatusBadRequest, Issues: bad.Issues}
	case errors.As(err, &issues):
		return Result{Kind: Rejected, Status: http.StatusUnprocessableEntity, Issues: issues}
	case errors.As(err, &moved):
		return Result{Kind: Redirect, Status: http.StatusSeeOther, Link: moved.to}
	}
	if e := deliberate(err); e != nil {
		if e.Err != nil {
			a.log(c, "a resource refused a call", "err", err)
		}
		return Result{Kind: Failure, Status: e.Status, Error: e}
	}
	ref := rand.Text()[:10]
	a.log(c, "a resource failed", "reference", ref, "err", err)
	e := &Error{Code: Internal, Status: http.StatusInternalServerError, Text: "Something went wrong. The reference is " + ref + "."}
	return Result{Kind: Failure, Status: e.Status, Error: e}
}

func (a *App) log(c *Context, message string, args ...any) {
	log := c.Log
	if log == nil {
		log = a.o.Log
	}
	log.Error(message, args...)
}

// deliberate returns the error that was meant to be told, with its status; nil
// if it was not meant to be.
func deliberate(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		e := *own
		if e.Status < 400 || e.Status > 599 {
			e.Status = statusOf(e.Code)
		}
		return &e
	}
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code != fault.Internal {
		return &Error{Code: f.Code, Status: statusOf(f.Code), Text: f.Text, Err: f.Err}
	}
	return nil
}

// redirected is the error that [RedirectTo] makes.
type redirected struct{ to *LinkNode }

// RedirectTo is an error that leads elsewhere, such as to the view that shows a
// record under its new name.
func RedirectTo(to *LinkNode) error { return &redirected{to} }

// Error says where it leads.
func (r *redirected) Error() string { return "it is at " + r.to.To.Resource }
