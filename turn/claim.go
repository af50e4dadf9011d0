package turn

import (
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// claim is the second look, right before the effect: everything is decided
// again on the facts of this moment, and only then the intent is written
// (SPEC C6, D3, P5). It is the only way to start a call.
func (s *Session) claim(c *Call, w *World) []Event {
	a := s.Approvals[c.Approval]
	approved := a != nil && a.State == approval.Approved
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return s.withdraw(c, a, w, "the tool is gone", policy.BySource)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	if dec.Refused() {
		return s.withdraw(c, a, w, dec.Reason(), dec.Category)
	}
	if t.Pin != c.Decided.Pin || dec.Class > c.Decided.Class {
		return s.again(c, a, t, w)
	}
	switch {
	case approved && a.Expires != 0 && w.Now.UnixMilli() >= a.Expires:
		return s.lapse(c, a, w)
	case approved && a.Digest == c.Digest && a.Pin == t.Pin:
		return s.start(c, w, a.By, a.Via)
	case policy.AtClaim(c.Decided.Decision, dec).Verdict == policy.Run:
		return s.start(c, w, s.grantedBy(dec, w), via(dec))
	case s.undecidedBefore(c):
		return nil // questions are posted in call order (SPEC P7)
	}
	return s.ask(c, w, policy.Tighter(c.Decided.Decision, dec))
}

// undecidedBefore says whether an earlier call of the message is not decided yet.
func (s *Session) undecidedBefore(c *Call) bool {
	for _, o := range s.Turn.Calls {
		if o == c {
			return false
		}
		if o.Step == c.Step && o.State == Proposed {
			return true
		}
	}
	return false
}

// grantedBy names the person whose grant decided; "" where none did.
func (s *Session) grantedBy(dec policy.Decision, w *World) string {
	for _, g := range s.grants(w) {
		if g.ID == dec.Grant {
			return g.By
		}
	}
	return ""
}

func via(dec policy.Decision) string {
	switch dec.Basis {
	case policy.BasisGrant:
		return "grant"
	case policy.BasisAllow:
		return "rule"
	}
	return "mode"
}

func (s *Session) start(c *Call, w *World, by, via string) []Event {
	return []Event{w.event(s.refs(c), &CallStarted{Epoch: w.Epoch, Attempt: c.Attempt + 1, Digest: c.Digest, By: by, Via: via})}
}

// withdraw takes back what was approved, covered or free to run (SPEC P5).
func (s *Session) withdraw(c *Call, a *Approval, w *World, why string, category policy.Category) []Event {
	var events []Event
	if a != nil && a.State == approval.Approved && c.State == Ready {
		events = s.stale(a, w, why)
	}
	return append(events, s.refused(c, w, category)...)
}

// again decides a call anew whose tool is no longer what it was.
func (s *Session) again(c *Call, a *Approval, t *Tool, w *World) []Event {
	if a != nil && a.State == approval.Approved {
		return s.redo(c, a, w)
	}
	if c.Redone >= maxRedone {
		return []Event{s.ended(c, w, &CallEnded{Outcome: NotAllowed, Category: policy.ByQuarantine, Text: textChanged})}
	}
	d, err := s.check(c, t)
	if err != nil {
		return []Event{s.ended(c, w, &CallEnded{Outcome: Invalid, Text: errorPrefix + fault.TextOf(err)})}
	}
	d.Raised, d.Confirm = c.Decided.Raised, c.Decided.Confirm
	if t.Hooks { // those of the new tool were not heard
		d.Raised, d.Confirm = policy.Unknown, true
	}
	return s.decided(c, t, w, d)
}

// reclaim deals with calls that an owner before this one started: nobody knows
// whether they had their effect. Read calls run again; for all others a person
// is asked (SPEC S2).
func (s *Session) reclaim(w *World) []Event {
	for _, c := range s.Turn.Calls {
		if c.State != Started || w.runs(c) {
			continue
		}
		if c.Decided.Class == policy.Read && s.Turn.Stopping == nil {
			return s.rerun(c, w)
		}
		refs := s.refs(c)
		events := []Event{w.event(refs, &CallUnknown{Attempt: c.Attempt})}
		refs.Approval, refs.State = w.NewID("approval"), approval.Asked.String()
		asked := &Asked{Question: WhatBecame, Digest: c.Digest, Pin: c.Decided.Pin, Class: c.Decided.Class}
		return append(events, w.event(refs, asked))
	}
	return nil
}

// rerun starts a read call again, if it still may run.
func (s *Session) rerun(c *Call, w *World) []Event {
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return s.refused(c, w, policy.BySource)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	if dec.Refused() || dec.Class != policy.Read || t.Pin != c.Decided.Pin {
		return s.refused(c, w, dec.Category)
	}
	return s.start(c, w, "", "recovery")
}
