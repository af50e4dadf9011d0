package resource

import (
	"encoding/json"
	"net/http"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// action runs an action, or shows its form again, or asks once more.
func (e *exchange) action() answer {
	c, d, _ := e.call(ActionKind)
	if d == nil {
		return e.result(nil, e.app.do(c, run))
	}
	in := e.body(d)
	c.Payload = in.payload
	if !e.html {
		return e.result(d, e.app.do(c, in.then(in.orForm(run))))
	}
	if in.again {
		return e.again(d, c, &in)
	}
	if done, a := e.ahead(d, *c, &in); done {
		return a
	}
	r := e.app.do(c, in.then(run))
	return e.acted(d, c, &in, r)
}

// orForm is the form where a program pressed one of its buttons, and next
// otherwise.
func (in *sent) orForm(next step) step {
	if !in.again {
		return next
	}
	return func(a *App, d *Definition, c *Context) Result {
		r := addressed(a, d, c)
		if r.Kind == Success {
			r.Node = in.formNode(d, c)
		}
		return r
	}
}

// formNode is the form with what was filled in.
func (in *sent) formNode(d *Definition, c *Context) *FormNode {
	return &FormNode{To: Address{Resource: c.Resource, Action: c.Name, Params: c.Params}, Values: in.payload, def: d}
}

// filled is the form as a person left it.
func (in *sent) filled(d *Definition, c *Context) *filledForm {
	f := in.formNode(d, c)
	return &filledForm{FormNode: f, values: f.Values, blanks: in.blanks, typed: in.typed, queries: in.queries, focus: in.focus}
}

// again shows the form with a row more or less, with records that were found, or
// for second thoughts.
func (e *exchange) again(d *Definition, c *Context, in *sent) answer {
	refusal := in.refusal
	r := e.app.do(c, func(a *App, d *Definition, c *Context) Result {
		if refusal != nil {
			return a.fail(c, refusal)
		}
		return addressed(a, d, c)
	})
	if r.Kind != Success {
		return e.result(d, r)
	}
	return e.formPage(http.StatusOK, in.filled(d, c))
}

// ahead looks, before a person's form runs, whether it needs a second look, and
// shows that. A write that is no more than that runs at once.
func (e *exchange) ahead(d *Definition, c Context, in *sent) (done bool, a answer) {
	if d.Class() == policy.Write && d.action.raise == nil {
		return false, a
	}
	c.Preview = true
	r := e.app.do(&c, in.then(foresee))
	if r.Kind != Success {
		return true, e.acted(d, &c, in, r)
	}
	if r.raised == policy.Write || in.confirmed == digestOf(&c, r.preview) {
		return false, a
	}
	return true, e.confirmPage(d, &c, r)
}

// foresee is the step that says how strict a call is and what it would change.
func foresee(a *App, d *Definition, c *Context) Result {
	r := raise(a, d, c)
	if r.Kind != Success {
		return r
	}
	class := policy.Stricter(d.Class(), r.raised)
	if class == policy.Write {
		r.raised = class
		return r
	}
	r = preview(a, d, c)
	r.raised = class
	return r
}

// digestOf says what a person agreed to: this action with these values, in
// canonical form, and this preview. Where the data changed since, so that the
// preview is another one, the person is asked again.
func digestOf(c *Context, p *tool.Preview) string {
	raw, err := marshal(struct {
		Resource, Action string
		Params           map[string]string
		Payload          json.RawMessage
		Preview          *tool.Preview
	}{c.Resource, c.Name, c.Params, orEmpty(c.Payload), p})
	if err != nil {
		return ""
	}
	canonical, err := schema.Canonical(raw, nil)
	if err != nil {
		return ""
	}
	return schema.Digest(canonical)
}

// acted is the page of what came of an action: what is wrong stands on the form.
func (e *exchange) acted(d *Definition, c *Context, in *sent, r Result) answer {
	switch {
	case r.Kind == Rejected && r.Status == http.StatusUnprocessableEntity:
		f := in.filled(d, c)
		f.issues = r.Issues
		return e.formPage(r.Status, f)
	case r.Kind == Failure && (r.Status == http.StatusUnprocessableEntity || r.Status == http.StatusConflict) && r.Error != nil:
		f := in.filled(d, c)
		f.problem = r.Error.Text
		return e.formPage(r.Status, f)
	case r.Kind == Success && r.Link != nil:
		return e.result(d, Result{Kind: Redirect, Status: http.StatusSeeOther, Link: r.Link})
	case r.Kind == Success && r.Node == nil:
		return e.afterwards()
	}
	return e.result(d, r)
}

// afterwards leads home after an action that says nothing of where to go.
func (e *exchange) afterwards() answer {
	if e.home == nil {
		return e.result(nil, Result{Kind: Success, Status: http.StatusOK, Node: Callout("Done.").As(Good)})
	}
	return e.leadTo(e.home)
}
