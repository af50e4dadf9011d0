package resource

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// Source gives the app's tools to an agent, for [assent.WithToolSource]. The
// agent does not start if [App.Check] finds problems.
func (a *App) Source() assent.ToolSource {
	return assent.ToolSourceFunc(func(context.Context, assent.SourceContext) ([]*assent.Tool, error) { return a.Tools() })
}

// Tools returns what was given agent options as governed tools, with the names
// and schemas of [App.AgentTools] (SPEC R8). Views and lookups are of class read
// and get the handle that only reads. Actions have the class that they declare;
// without one an administrator's contract may give it, and else they are unknown.
// The error is that of [App.Check].
//
// The result of a call has the whole [Result] as its structured part.
func (a *App) Tools() ([]*assent.Tool, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	for _, w := range a.warn {
		a.o.Log.Warn(w)
	}
	list := make([]*assent.Tool, len(a.list))
	for i, t := range a.list {
		list[i] = a.tool(t)
	}
	return list, nil
}

func (a *App) tool(at AgentTool) *assent.Tool {
	d := at.def
	b := &bridge{a, d, at.Name}
	t := &assent.Tool{
		Name: at.Name, Title: d.toolTitle(), Description: at.Description, Source: tool.Source{Kind: policy.Host},
		Class: d.Class(), Input: at.Input, Outside: d.agent.Outside,
		Accept: b.accept, Run: b.run,
	}
	if d.kind != ActionKind {
		return t
	}
	if d.action.preview != nil || d.hasLookups() {
		t.Preview = b.preview
	}
	if d.action.raise != nil {
		t.Raise = b.raise
	}
	if d.action.undo != nil {
		t.Undo = b.undo
	}
	return t
}

// bridge is one definition as a governed tool.
type bridge struct {
	app  *App
	def  *Definition
	name string
}

// call makes the call that canonical arguments mean, by whom the agent acts for.
func (b *bridge) call(ctx context.Context, args []byte) (*Context, Result) {
	call := tool.FromContext(ctx)
	c, _, res := b.app.toolCall(ctx, b.name, args, Caller{
		Principal: call.Principal, Groups: call.Groups, Door: Tool, Agent: true, CallID: call.ID,
	})
	return c, res
}

// do takes the path of every call.
func (b *bridge) do(ctx context.Context, args []byte, then step, previews bool) Result {
	c, res := b.call(ctx, args)
	if c == nil {
		return res
	}
	c.Preview = previews
	return b.app.do(c, then)
}

// accept looks whether address and payload can be read, before anybody is asked
// (SPEC A1).
func (b *bridge) accept(args []byte) error {
	c, res := b.call(context.Background(), args)
	if c != nil {
		c.app = b.app
		if err := b.def.check(c); err != nil {
			res = b.app.fail(c, err)
		} else {
			return nil
		}
	}
	return fault.New(fault.BadArguments, "Invalid arguments: %s", fault.TextOf(res.Err()))
}

func (b *bridge) run(ctx context.Context, args []byte) (tool.Result, error) {
	return b.result(b.do(ctx, args, b.def.step(), false))
}

func (b *bridge) undo(ctx context.Context, raw []byte) (tool.Result, error) {
	var k kept
	if err := json.Unmarshal(raw, &k); err != nil {
		return tool.Result{}, fault.Wrap(err, fault.CannotUndo, "What was kept to undo this call cannot be read.")
	}
	call := tool.FromContext(ctx)
	c := ActionCall{
		Resource: b.def.resource.name, Action: b.def.name, Params: k.Params, Payload: k.Payload,
		By: Caller{Principal: call.Principal, Groups: call.Groups, Door: Tool, Agent: true, CallID: call.ID},
	}.context(ctx)
	return b.result(b.app.do(c, takeBack(k)))
}

// result is what a model is told, and what programs get beside it.
func (b *bridge) result(r Result) (tool.Result, error) {
	if r.doubt != nil {
		panic(r.doubt) // whether it had its effect is not known (SPEC T2)
	}
	if err := r.Err(); err != nil {
		return tool.Result{}, withNext(err)
	}
	return tool.Result{Text: b.text(r), Structured: r.JSON(), Undo: r.undo}, nil
}

// withNext says in words which call an error suggests.
func withNext(err error) error {
	e, ok := err.(*Error)
	if !ok || e.Next == nil {
		return err
	}
	named := *e
	named.Text += " Next, call " + e.Next.Tool + " with " + string(orEmpty(e.Next.Input)) + "."
	return &named
}

func (b *bridge) raise(ctx context.Context, args []byte) (policy.Class, error) {
	r := b.do(ctx, args, raise, true)
	return r.raised, r.Err()
}

// preview says what would change, and what the ids among the arguments stand
// for, also of a call that would be refused.
func (b *bridge) preview(ctx context.Context, args []byte) (*tool.Preview, error) {
	r := b.do(ctx, args, preview, true)
	p := tool.Preview{}
	if r.preview != nil {
		p = *r.preview
	}
	if c, _ := b.call(ctx, args); c != nil {
		p.Names = append(p.Names, b.app.names(c, b.def)...)
	}
	return &p, r.Err()
}

// text is what a model reads of a success.
func (b *bridge) text(r Result) string {
	form := b.def.agent.Result
	switch {
	case form == ResultData && r.Data != nil:
		return dataText(r.Data)
	case form == ResultJSON && r.Node != nil:
		return string(NodeJSON(r.Node))
	case form == ResultJSON && r.found:
		return string(appendRecords(nil, r.Records))
	}
	var lines []string
	if r.Node != nil {
		lines = append(lines, nodeText(r.Node, b.app.toolAt))
	}
	if b.def.kind == LookupKind {
		lines = append(lines, recordsText(r.Records))
	}
	if r.Link != nil {
		lines = append(lines, nodeText(r.Link, b.app.toolAt))
	}
	if len(lines) == 0 {
		return "Done."
	}
	return strings.Join(lines, "\n")
}

// dataText is a value for a model: a string as it is, anything else as JSON
// (SPEC T2).
func dataText(raw json.RawMessage) string {
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// recordsText writes records for a model, a line each. The value is what other
// tools take.
func recordsText(records []Record) string {
	if len(records) == 0 {
		return "Nothing was found."
	}
	t := Table("value", "label", "description")
	for _, r := range records {
		t.Row(Text(r.Value), Text(r.Label), Text(r.Description))
	}
	return NodeText(t)
}
