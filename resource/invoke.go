package resource

import (
	"context"
	"encoding/json"

	"github.com/assentdev/assent/schema"
)

// Invoke calls the tool of an agent by its name: it splits the arguments into
// query, address and payload, and takes the path of every call. args is JSON
// text; nil stands for {}. An unknown tool is an error result with status 404.
func (a *App) Invoke(ctx context.Context, tool string, args json.RawMessage, by Caller) Result {
	c, d, res := a.toolCall(ctx, tool, args, by)
	if d == nil {
		return res
	}
	return a.do(c, d.step())
}

// step is what a call of the definition is for.
func (d *Definition) step() step {
	switch d.kind {
	case ViewKind:
		return show
	case LookupKind:
		return find
	}
	return run
}

// toolCall makes the call that a tool's arguments mean. A nil definition says
// that the result is the answer already.
func (a *App) toolCall(ctx context.Context, tool string, args json.RawMessage, by Caller) (*Context, *Definition, Result) {
	a.index()
	d := a.tools[tool]
	c := &Context{Context: ctx, Caller: by}
	if d == nil {
		return nil, nil, a.fail(c, NotFound("There is no tool %q.", tool))
	}
	c.Kind, c.Resource, c.Name = d.kind, d.resource.name, d.name
	canonical, err := schema.Canonical(orEmpty(args), nil)
	if err == nil {
		err = d.split(c, canonical)
	}
	if err != nil {
		return nil, nil, a.fail(c, &badAddress{issuesOf(err)})
	}
	return c, d, Result{}
}

// split sets query, address and payload of a call from canonical arguments.
// What is wrong with the address is kept until the call is bound, because
// middleware has the first word.
func (d *Definition) split(c *Context, canonical []byte) error {
	c.Params = make(map[string]string, len(d.address.fields))
	payload, asked := []byte{'{'}, false
	err := members(canonical, func(name string, value json.RawMessage) error {
		switch {
		case d.address.has(name):
			d.text(c, name, value, func(text string) { c.Params[name] = text })
		case d.kind == LookupKind && name == "query":
			d.text(c, name, value, func(text string) { c.Query, asked = text, true })
		case d.kind != ActionKind:
			c.wrong = append(c.wrong, Issue{[]string{name}, "there is no such argument"})
		default:
			if len(payload) > 1 {
				payload = append(payload, ',')
			}
			payload = append(append(schema.AppendString(payload, name), ':'), value...)
		}
		return nil
	})
	switch d.kind {
	case ActionKind:
		c.Payload = append(payload, '}')
	case LookupKind:
		if !asked && err == nil && !names(c.wrong, "query") {
			c.wrong = append(c.wrong, Issue{[]string{"query"}, "is missing"})
		}
	}
	return err
}

// text reads an argument that is a string on the wire (SPEC R1).
func (d *Definition) text(c *Context, name string, value json.RawMessage, set func(string)) {
	if value[0] != '"' {
		c.wrong = append(c.wrong, Issue{[]string{name}, "must be a string"})
		return
	}
	set(textOf(value))
}

// issuesOf is an error as issues, whatever it was.
func issuesOf(err error) Issues {
	if l, ok := asIssues(err).(Issues); ok {
		return l
	}
	return Issues{{nil, "The arguments are no JSON object."}}
}
