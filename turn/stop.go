package turn

import (
	"strconv"

	"github.com/assentdev/assent/approval"
)

// windDown ends a turn that is being stopped: questions close, calls that have
// not started get their result, and the turn ends when nothing runs any more
// (SPEC P12).
func (s *Session) windDown(w *World) []Event {
	t, stop := s.Turn, s.Turn.Stopping
	var events []Event
	running := false
	for _, c := range t.Calls {
		a := s.Approvals[c.Approval]
		if a != nil && (a.Open() || a.State == approval.Approved && c.State == Ready) {
			state := closedBy(stop.End)
			if !a.Open() {
				state = approval.Cancelled
			}
			events = append(events, w.event(s.approvalRefs(a, state), &ApprovalClosed{State: state, By: stop.By}))
		}
		switch c.State {
		case Proposed, Waiting, Ready:
			outcome, text := notRun(stop.End)
			events = append(events, s.ended(c, w, &CallEnded{Outcome: outcome, Text: text}))
		case Doubtful:
			events = append(events, s.ended(c, w, &CallEnded{Outcome: UnknownState, Text: textUnknown}))
		case Started:
			running = true
		}
	}
	if running || events != nil {
		return events
	}
	refs := Refs{Turn: t.ID, State: string(stop.End)}
	if stop.Code != "" {
		events = append(events, w.event(refs, &Noticed{Code: stop.Code, Params: stop.Params}))
	}
	return append(events, w.event(refs, &TurnEnded{End: stop.End, Code: stop.Code}))
}

// limit says which limit of the turn is reached, if one is (SPEC S6).
func (s *Session) limit(w *World) *StopAsked {
	t, l := s.Turn, w.Limits.withDefaults()
	reach := func(code string, n int64) *StopAsked {
		return &StopAsked{End: ByLimit, Code: code, Params: map[string]string{"limit": strconv.FormatInt(n, 10)}}
	}
	more := s.wantsModel()
	switch {
	case more && t.Step >= l.Steps:
		return reach("limit_steps", int64(l.Steps))
	case len(t.Calls) > l.Calls:
		return reach("limit_calls", int64(l.Calls))
	case more && l.Tokens > 0 && t.Tokens >= l.Tokens:
		return reach("limit_tokens", l.Tokens)
	case l.Time > 0 && s.Active(w.Now) >= l.Time:
		return reach("limit_time", l.Time.Milliseconds())
	}
	for _, n := range t.repeats {
		if n > l.Repeats {
			return reach("limit_repeats", int64(l.Repeats))
		}
	}
	return nil
}
