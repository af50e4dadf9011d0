package turn

import (
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// claim starts a call that the second look lets start, here or, with a device,
// there. It is the only way to start a call. Without a device, a call of a remote
// tool rests: it is offered.
func (s *Session) claim(c *Call, w *World, device string) []Event {
	ok, events := s.look(c, w)
	if ok == nil || ok.remote != (device != "") {
		return events
	}
	return []Event{w.event(s.refs(c), &CallStarted{Epoch: w.Epoch, Attempt: c.Attempt + 1, Digest: c.Digest, By: ok.by, Via: ok.via, Device: device})}
}

// cleared is the yes of a second look: who let the call start, and how.
type cleared struct {
	by, via string
	remote  bool // it starts on a device
}

// look is the second look, right before the effect: everything is decided again
// on the facts of this moment, and only then the intent is written (SPEC C6, D3,
// P5). Nil says that the call does not start; what follows instead comes with it.
func (s *Session) look(c *Call, w *World) (*cleared, []Event) {
	if c.State == Started {
		return s.rerun(c, w)
	}
	a := s.Approvals[c.Approval]
	approved := a != nil && a.State == approval.Approved
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return nil, s.withdraw(c, a, w, "the tool is gone", policy.BySource)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	if dec.Refused() {
		return nil, s.withdraw(c, a, w, dec.Reason(), dec.Category)
	}
	if t.Pin != c.Decided.Pin || dec.Class > c.Decided.Class {
		return nil, s.again(c, a, t, w)
	}
	switch {
	case approved && a.Expires != 0 && w.Now.UnixMilli() >= a.Expires:
		return nil, s.lapse(c, a, w)
	case approved && a.Digest == c.Digest && a.Pin == t.Pin:
		return &cleared{a.By, a.Via, t.Remote}, nil
	case policy.AtClaim(c.Decided.Decision, dec).Verdict == policy.Run:
		return &cleared{s.grantedBy(dec, w), via(dec), t.Remote}, nil
	case s.undecidedBefore(c):
		return nil, nil // questions are posted in call order (SPEC P7)
	}
	return nil, s.ask(c, w, policy.Tighter(c.Decided.Decision, dec))
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

// reclaim deals with calls whose owner, or whose device, is gone: nobody knows
// whether they had their effect. Read calls run again, or are offered again; for
// all others a person is asked (SPEC S2, S8).
func (s *Session) reclaim(w *World) []Event {
	for _, c := range s.Turn.Calls {
		if c.State != Started || w.runs(c) {
			continue
		}
		if c.Decided.Class != policy.Read || s.Turn.Stopping != nil {
			return s.lost(c, w)
		}
		if events := s.claim(c, w, ""); events != nil {
			return events
		}
	}
	return nil
}

// lost asks a person what became of a call.
func (s *Session) lost(c *Call, w *World) []Event {
	refs := s.refs(c)
	events := []Event{w.event(refs, &CallUnknown{Attempt: c.Attempt})}
	refs.Approval, refs.State = w.NewID("approval"), approval.Asked.String()
	asked := &Asked{Question: WhatBecame, Digest: c.Digest, Pin: c.Decided.Pin, Class: c.Decided.Class}
	return append(events, w.event(refs, asked))
}

// rerun is the second look at a read call that was started and lost.
func (s *Session) rerun(c *Call, w *World) (*cleared, []Event) {
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return nil, s.refused(c, w, policy.BySource)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	if dec.Refused() || dec.Class != policy.Read || t.Pin != c.Decided.Pin {
		return nil, s.refused(c, w, dec.Category)
	}
	return &cleared{via: "recovery", remote: t.Remote}, nil
}
