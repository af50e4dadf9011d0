package engine

import (
	"context"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
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
