package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// Result returns the whole text that a call of a session gave, also where the
// model was shown only its beginning (SPEC S10). A call that has no result is
// fault.NotFound.
func (e *Engine) Result(ctx context.Context, session, call string) (string, error) {
	for r, err := range e.o.Journal.Read(ctx, audit.SessionStream(session), 0) {
		if err != nil {
			return "", err
		}
		if r.Type != string((*turn.CallEnded)(nil).Type()) || r.State != audit.Whole {
			continue
		}
		ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err != nil {
			return "", err
		}
		if ev.Refs.Call == call {
			return ev.Body.(*turn.CallEnded).Text, nil
		}
	}
	return "", fault.New(fault.NotFound, "call %q has no result in this session", call)
}

// fill says what a return means.
func (l *session) fill(ctx context.Context, in *turn.Finished, res tool.Result, err error, call *tool.Call) {
	if err == nil {
		in.Text = res.Text
		in.Structured = l.kept(call, res.Structured, structuredLimits, "the structured result is not valid: it is left out")
		in.Undo = l.kept(call, res.Undo, nil, "undo arguments are not valid: this call cannot be undone")
		return
	}
	var p *panicked
	switch {
	case errors.As(err, &p):
		in.Kind, in.Err = turn.Panicked, textFailed
		l.e.log.Error("a tool panicked", "call", call.ID, "tool", call.Tool, "panic", p.value, "stack", string(p.stack))
	case errors.Is(err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded):
		in.Kind, in.Err = turn.TimedOut, "the tool took too long."
	case context.Cause(ctx) == errStopped && errors.Is(err, ctx.Err()):
		in.Stopped, in.Err = true, "the turn was stopped while the tool was running."
	default:
		in.Err = toolError(err)
	}
}

// structuredLimits bound what a result may hold for programs. Its records have
// more keys than arguments do.
var structuredLimits = &schema.Limits{Bytes: 1 << 20, Levels: 128, Keys: 100_000}

// kept returns JSON that a tool gave as the log keeps it: in canonical form. What
// cannot be kept is nil, and the log of the application says what follows.
func (l *session) kept(call *tool.Call, raw json.RawMessage, lim *schema.Limits, lost string) json.RawMessage {
	if raw == nil {
		return nil
	}
	canonical, err := schema.Canonical(raw, lim)
	if lim != nil && len(canonical) > lim.Bytes { // 1e300 grows
		canonical, err = nil, fault.New(fault.BadArguments, "the canonical form has %d bytes", len(canonical))
	}
	if err != nil {
		l.e.log.Error(lost, "call", call.ID, "tool", call.Tool, "err", err)
	}
	return canonical
}

// toolError is what a model is told of a tool's own error: its text (SPEC T2).
func toolError(err error) string {
	if p := (*panicked)(nil); errors.As(err, &p) {
		return textFailed
	}
	if fault.CodeOf(err) != fault.Internal {
		return fault.TextOf(err)
	}
	if text := err.Error(); text != "" {
		return text
	}
	return "the tool failed."
}
