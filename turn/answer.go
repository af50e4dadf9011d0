package turn

import (
	"encoding/json"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// handle closes the approval that the answer is for. The answer carries no
// call: what runs is the stored one (SPEC P6).
func (in Answer) handle(s *Session, w *World) ([]Event, error) {
	in.By, in.Via, in.Reason = clean(in.By), clean(in.Via), clean(in.Reason)
	a, events, err := s.openApproval(in.Approval, in.Digest, w, in)
	if err != nil {
		return events, err
	}
	if s.Turn.Stopping != nil {
		return nil, fault.New(fault.Cancelled, "the turn is being stopped: nothing more is decided in it")
	}
	c := s.Call(a.Call)
	switch {
	case a.Question == WhatBecame:
		return in.settle(s, a, c, w)
	case in.Choice != "":
		return nil, fault.New(fault.BadAnswer, "the outcome of call %s is not in question: approve or deny it", c.ID)
	case in.Edit != nil:
		return in.edit(s, a, c, w)
	case in.Approved:
		return in.approve(s, a, c, w)
	}
	return in.deny(s, a, c, w)
}

func (in Answer) deny(s *Session, a *Approval, c *Call, w *World) ([]Event, error) {
	events := []Event{
		w.event(s.approvalRefs(a, approval.Denied), &ApprovalClosed{State: approval.Denied, By: in.By, Via: in.Via, Reason: in.Reason, Sticky: in.Sticky}),
		s.ended(c, w, &CallEnded{Outcome: Denied, Text: denialText(in.Reason)}),
	}
	if n := s.Turn.denials[c.Decided.key()] + 1; n >= w.Limits.withDefaults().Denials {
		stop := &StopAsked{End: ByDenials, Code: "denied_often", Params: map[string]string{"tool": c.Wire}}
		events = append(events, w.event(Refs{Turn: s.Turn.ID}, stop))
	}
	return events, nil
}

func (in Answer) approve(s *Session, a *Approval, c *Call, w *World) ([]Event, error) {
	if err := in.shown(a); err != nil {
		return nil, err
	}
	grant, err := in.grant(s, a, c, w)
	if err != nil {
		return nil, err
	}
	closed := &ApprovalClosed{State: approval.Approved, By: in.By, Via: in.Via, Reason: in.Reason, Grant: grant}
	return []Event{w.event(s.approvalRefs(a, approval.Approved), closed)}, nil
}

// shown demands that an approval quotes what the person saw.
func (in Answer) shown(a *Approval) error {
	if in.Digest != a.Digest {
		return fault.New(fault.BadAnswer, "an approval quotes the digest of the arguments that were shown")
	}
	return nil
}

// grant is what the approval leaves behind, bound to what was shown (SPEC P3).
func (in Answer) grant(s *Session, a *Approval, c *Call, w *World) (*policy.Grant, error) {
	if in.Scope == policy.ScopeOnce {
		return nil, nil
	}
	if in.Scope > a.Cap {
		return nil, fault.New(fault.BadAnswer, "this approval can be remembered as %q at most, not as %q", a.Cap, in.Scope)
	}
	d := c.Decided
	g := &policy.Grant{ID: w.NewID("grant"), Scope: in.Scope, Kind: d.Kind, Source: d.Source, Name: d.Name, Pin: d.Pin, Class: d.Class, By: in.By, Call: c.ID}
	switch in.Scope {
	case policy.ScopeExact:
		g.Digest = c.Digest
	case policy.ScopePattern:
		if len(in.Pattern) == 0 {
			return nil, fault.New(fault.BadAnswer, "an approval for a pattern carries the pattern")
		}
		if g.Pattern = compact(in.Pattern); !s.compiles(g.Pattern) {
			return nil, fault.New(fault.BadAnswer, "the pattern of this approval is no condition on arguments")
		}
	case policy.ScopeUser:
		if s.Principal == "" {
			return nil, fault.New(fault.BadAnswer, "an approval for a user needs a session that belongs to one")
		}
		if !in.Until.After(w.Now) {
			return nil, fault.New(fault.BadAnswer, "an approval for a user names a time in the future until which it holds")
		}
		g.Expires = in.Until
	}
	return g, nil
}

// edit checks what a person wrote instead. Arguments that do not fit leave the
// question open (SPEC P8).
func (in Answer) edit(s *Session, a *Approval, c *Call, w *World) ([]Event, error) {
	if err := in.shown(a); err != nil {
		return nil, err
	}
	if in.Scope != policy.ScopeOnce || c.Undoes != "" {
		return nil, fault.New(fault.BadAnswer, "changed arguments are approved for this one call, and an undo's are not changed")
	}
	t := w.lookup(c.Wire)
	if t == nil || t.Check == nil {
		return nil, fault.New(fault.NotAllowed, "the tool %s is gone", c.Wire)
	}
	args, err := t.Check(in.Edit)
	if err != nil {
		return nil, err
	}
	closed := &ApprovalClosed{State: approval.Edited, By: in.By, Via: in.Via, Reason: in.Reason, Args: args.Canonical, Digest: args.Digest, Filled: args.Filled, Extra: args.Extra}
	return []Event{w.event(s.approvalRefs(a, approval.Edited), closed)}, nil
}

// settle is a person's word on an outcome that nobody knows (SPEC S2).
func (in Answer) settle(s *Session, a *Approval, c *Call, w *World) ([]Event, error) {
	closed := w.event(s.approvalRefs(a, approval.Approved), &ApprovalClosed{State: approval.Approved, By: in.By, Via: in.Via, Reason: in.Reason, Choice: in.Choice})
	switch in.Choice {
	case Happened:
		return []Event{closed, s.ended(c, w, &CallEnded{Outcome: OK, Text: textHappened})}, nil
	case GiveUp:
		return []Event{closed, s.ended(c, w, &CallEnded{Outcome: UnknownState, Text: textGaveUp})}, nil
	case RunAgain:
		return []Event{closed}, nil
	}
	return nil, fault.New(fault.BadAnswer, "say %q, %q or %q of a call whose outcome is unknown", Happened, RunAgain, GiveUp)
}

func expires(w *World, wait time.Duration) int64 {
	if wait == 0 {
		wait = w.Wait
	}
	if wait == 0 {
		return 0
	}
	return w.Now.Add(wait).UnixMilli()
}

// compiles says whether a grant can have this pattern.
func (s *Session) compiles(pattern json.RawMessage) bool {
	if s.compile == nil || pattern == nil {
		return false
	}
	_, err := s.compile(pattern)
	return err == nil
}
