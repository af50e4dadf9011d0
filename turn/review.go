package turn

import (
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// review looks at an open question again: it may have expired, lost its tool,
// or been answered by a grant.
func (s *Session) review(c *Call, w *World) []Event {
	a := s.Approvals[c.Approval]
	if a.Expires != 0 && w.Now.UnixMilli() >= a.Expires {
		return s.lapse(c, a, w)
	}
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return append(s.stale(a, w, "the tool is gone"), s.refused(c, w, policy.BySource)...)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	switch {
	case dec.Refused():
		return append(s.stale(a, w, dec.Reason()), s.refused(c, w, dec.Category)...)
	case t.Pin != a.Pin || dec.Class > a.Class:
		return s.redo(c, a, w)
	case policy.AtClaim(c.Decided.Decision, dec).Verdict == policy.Run:
		by := s.grantedBy(dec, w)
		closed := &ApprovalClosed{State: approval.Covered, Via: "grant", By: by, Covers: dec.Grant}
		return []Event{w.event(s.approvalRefs(a, approval.Covered), closed)}
	}
	return nil
}

// lapse ends a call whose time is over: nobody answered, or the answer was not
// used in time.
func (s *Session) lapse(c *Call, a *Approval, w *World) []Event {
	reason, text := "nobody answered in time", textExpired
	if !a.Open() {
		reason, text = "the call did not start in time", textNotStarted
	}
	return []Event{
		w.event(s.approvalRefs(a, approval.Expired), &ApprovalClosed{State: approval.Expired, Reason: reason}),
		s.ended(c, w, &CallEnded{Outcome: Expired, Text: text}),
	}
}

func (s *Session) stale(a *Approval, w *World, why string) []Event {
	return []Event{w.event(s.approvalRefs(a, approval.Stale), &ApprovalClosed{State: approval.Stale, Reason: why})}
}

// redo closes a question whose tool or class changed; the call is checked and
// decided again, and asked again if need be.
func (s *Session) redo(c *Call, a *Approval, w *World) []Event {
	events := s.stale(a, w, "the tool changed while it was waiting")
	if c.Redone >= maxRedone {
		events = append(events, s.ended(c, w, &CallEnded{Outcome: NotAllowed, Category: policy.ByQuarantine, Text: textChanged}))
	}
	return events
}
