package turn

import (
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// handle takes a result. That of a device counts also where the call is in doubt
// meanwhile: there is no better evidence, and it closes the question (SPEC S8).
func (in Finished) handle(s *Session, w *World) ([]Event, error) {
	in.Text, in.Err = clean(in.Text), clean(in.Err)
	c := s.Call(in.Call)
	if !in.due(s, c, w) {
		return in.late(s, c, w)
	}
	end := in.ended(c, w)
	var events []Event
	if c.State != Started {
		a := s.Approvals[c.Approval]
		closed := &ApprovalClosed{State: approval.Superseded, Via: viaDevice, Reason: "its device sent the result"}
		events = append(events, w.event(s.approvalRefs(a, approval.Superseded), closed))
	}
	events = append(events, s.result(c, w, end))
	if end.Doubtful {
		events = append(events, w.event(s.refs(c), &Noticed{Code: "effect_unknown", Params: map[string]string{"tool": c.Wire}}))
	}
	return events, nil
}

// viaDevice is how a question was closed that a device's result answered.
const viaDevice = "device"

// due says whether the call waits for this result: it comes from where the
// newest attempt was claimed, and nothing has ended or changed the call since.
func (in Finished) due(s *Session, c *Call, w *World) bool {
	switch {
	case c == nil || c.Attempt != in.Attempt || c.Device != in.Device || c.Attempt == 0:
		return false
	case c.State == Started:
		return in.Device != "" || w.runs(c)
	case in.Device == "" || c.State != Doubtful && c.State != Ready:
		return false
	}
	// Ready: a person said "run again" of it, and nobody has. It need not run.
	a := s.Approvals[c.Approval]
	return a != nil && a.Question == WhatBecame
}

// late says why a result changes nothing. One that was taken already is taken
// again, because a device that did not hear so sends it again. Any other one of
// a device is recorded as ignored (SPEC P5, S8).
func (in Finished) late(s *Session, c *Call, w *World) ([]Event, error) {
	err := fault.New(fault.Conflict, "call %s is no longer running here: its result is not used", in.Call)
	if c == nil || in.Device == "" {
		return nil, err
	}
	if c.State == Ended && c.Device == in.Device && c.Attempt == in.Attempt {
		if in.taken(c, w) {
			return nil, nil
		}
		err = fault.New(fault.AlreadyDecided, "call %s has a result already: this one came too late and is not used", in.Call)
	}
	if s.ignored >= maxIgnored {
		return nil, err
	}
	return []Event{w.event(s.refs(c), &AnswerIgnored{By: clean(in.Device), Via: viaDevice, Why: string(err.Code)})}, err
}

// taken says whether this is the result that the call has.
func (in Finished) taken(c *Call, w *World) bool {
	if c.Decided == nil {
		return false
	}
	end := in.ended(c, w)
	return end.Outcome == c.Ended.Outcome && end.Text == c.Ended.Text
}

// ended says what a run's return means. After a panic, a time-out or a
// cancellation nobody knows whether a call that is not read had its effect
// (SPEC T2); the model is told, and the call is not repeated.
func (in Finished) ended(c *Call, w *World) *CallEnded {
	doubt := in.Kind != Returned || in.Stopped
	end := &CallEnded{Outcome: OK, Text: in.Text, Structured: in.Structured, Undo: in.Undo, Doubtful: doubt && c.Decided.Class != policy.Read}
	if t := w.lookup(c.Wire); t != nil && in.Err == "" {
		end.Outside = t.Outside
	}
	switch {
	case in.Stopped:
		end.Outcome, end.Text = Cancelled, errorPrefix+in.Err
	case in.Err != "" || in.Kind != Returned:
		end.Outcome, end.Text = Failed, errorPrefix+in.Err
	}
	if in.Kind == Abandoned && end.Doubtful {
		end.Outcome = UnknownState
	}
	if end.Doubtful {
		end.Text += textDoubt
	}
	end.Shown = w.Limits.withDefaults().cut(end.Text)
	return end
}
