package turn

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
)

// Handle turns an input into events. It does not change the session: append the
// events, then apply them. An error says that the input changes nothing; events
// may still come with it, and are recorded: an answer that came too late.
func (s *Session) Handle(in Input, w *World) ([]Event, error) {
	if _, first := in.(Begin); first != (s.ID == "") {
		return nil, fault.New(fault.NotFound, "this session does not exist")
	}
	return in.handle(s, w)
}

func (in Begin) handle(_ *Session, w *World) ([]Event, error) {
	if in.Mode > policy.Auto {
		return nil, fault.New(fault.BadMode, "mode %d is none of off, read_only, ask and auto", in.Mode)
	}
	for _, name := range append([]string{in.Session, in.Agent, in.Principal}, in.Groups...) {
		if !utf8.ValidString(name) { // replaced, two of them could become the same
			return nil, fault.New(fault.BadConfig, "the name %q is not UTF-8", name)
		}
	}
	return []Event{
		w.event(Refs{}, &SessionStarted{Session: in.Session, Agent: in.Agent, Principal: in.Principal, Groups: in.Groups, Mode: in.Mode}),
		w.event(Refs{}, &SessionOwned{Owner: in.Owner, Epoch: 1}),
	}, nil
}

func (in Own) handle(s *Session, w *World) ([]Event, error) {
	return []Event{w.event(Refs{}, &SessionOwned{Owner: in.Owner, Epoch: s.Epoch + 1})}, nil
}

func (Tick) handle(*Session, *World) ([]Event, error) { return nil, nil }

func (in SetMode) handle(s *Session, w *World) ([]Event, error) {
	if in.Mode > policy.Auto {
		return nil, fault.New(fault.BadMode, "mode %d is none of off, read_only, ask and auto", in.Mode)
	}
	if in.Mode == s.Mode {
		return nil, nil
	}
	return []Event{w.event(Refs{}, &ModeSet{Mode: in.Mode, By: clean(in.By)})}, nil
}

func (in Revoke) handle(s *Session, w *World) ([]Event, error) {
	if !slices.ContainsFunc(s.Grants, func(g policy.Grant) bool { return g.ID == in.Grant }) {
		return nil, fault.New(fault.NotFound, "this session has no grant %s", in.Grant)
	}
	return []Event{w.event(Refs{}, &GrantRevoked{Grant: in.Grant, By: clean(in.By)})}, nil
}

func (in Say) handle(s *Session, w *World) ([]Event, error) {
	return s.begin(w, &TurnStarted{Kind: ByMessage, Text: clean(in.Text)})
}

func (in Retry) handle(s *Session, w *World) ([]Event, error) {
	if len(s.Messages) == 0 {
		return nil, fault.New(fault.NotFound, "there is no message to answer")
	}
	return s.begin(w, &TurnStarted{Kind: ByRetry})
}

func (in Direct) handle(s *Session, w *World) ([]Event, error) {
	return s.beginCall(w, &TurnStarted{Kind: ByCall}, in.Wire, in.Args)
}

func (in TakeBack) handle(s *Session, w *World) ([]Event, error) {
	i := slices.IndexFunc(s.Undo, func(u Undoable) bool { return u.Call == in.Call })
	if i < 0 {
		return nil, fault.New(fault.CannotUndo, "call %s cannot be undone: it is not in this session, has no undo, or was undone already", in.Call)
	}
	u := s.Undo[i]
	return s.beginCall(w, &TurnStarted{Kind: ByUndo, Undoes: in.Call}, u.Wire, string(u.Args))
}

// begin starts a turn and offers the tools as they are now (SPEC C6, D3).
func (s *Session) begin(w *World, b *TurnStarted) ([]Event, error) {
	if s.Turn.Open() {
		return nil, fault.New(fault.Busy, "a turn is still open: answer its questions, or stop it first")
	}
	b.Mode, b.Policy = s.Mode, w.Version
	refs := Refs{Turn: w.NewID("turn")}
	events := []Event{w.event(refs, b)}
	if offers := s.offers(w); !sameOffers(offers, s.Offered) || s.Turn == nil {
		events = append(events, w.event(refs, &ToolsOffered{Tools: offers}))
	}
	return events, nil
}

func (s *Session) beginCall(w *World, b *TurnStarted, wire, args string) ([]Event, error) {
	events, err := s.begin(w, b)
	if err != nil {
		return nil, err
	}
	call := NewCall{ID: w.NewID("call"), Wire: clean(wire), Args: RawText(args)}
	return append(events, w.event(Refs{Turn: events[0].Refs.Turn}, &ModelAnswered{Step: 1, Calls: []NewCall{call}, Finish: model.FinishCalls})), nil
}

// offers is the list of tools whose decision is not hidden, held or deny for
// every possible argument.
func (s *Session) offers(w *World) []Offer {
	if w.Tools == nil {
		return nil
	}
	var list []Offer
	for _, t := range w.Tools.All() {
		d, offered := w.Policy.Offer(s.facts(t, w))
		if offered {
			list = append(list, Offer{Wire: t.Wire, Kind: t.Kind, Source: t.Source, Name: t.Name, Pin: t.Pin, Class: d.Class, Verdict: d.Verdict})
		}
	}
	return list
}

func sameOffers(list []Offer, have map[string]Offer) bool {
	if len(list) != len(have) {
		return false
	}
	for _, o := range list {
		if have[o.Wire] != o {
			return false
		}
	}
	return true
}

func (in Answered) handle(s *Session, w *World) ([]Event, error) {
	t := s.Turn
	if !t.Open() || t.ID != in.Turn || t.Step+1 != in.Step || t.Stopping != nil || s.stepOpen(t.Step) {
		return nil, fault.New(fault.Conflict, "this message answers a request that is no longer open")
	}
	a := in.Answer
	body := &ModelAnswered{Step: in.Step, Text: clean(a.Message.Text), Raw: compact(a.Message.Raw), Finish: a.Finish, Usage: a.Usage, Model: a.Model, Attempts: a.Attempts}
	for _, c := range a.Message.Calls {
		body.Calls = append(body.Calls, NewCall{ID: w.NewID("call"), Provider: clean(c.ID), Wire: clean(c.Name), Args: RawText(c.Args)})
	}
	refs := Refs{Turn: t.ID}
	events := []Event{w.event(refs, body)}
	if a.Finish != model.FinishLength {
		return events, nil
	}
	for _, c := range body.Calls { // a message that was cut off: its calls are not whole
		events = append(events, w.event(Refs{Turn: t.ID, Call: c.ID, State: string(Invalid)}, &CallEnded{Outcome: Invalid, Text: textCutCalls}))
	}
	return events, nil
}

func (in ModelFailed) handle(s *Session, w *World) ([]Event, error) {
	in.Text = clean(in.Text)
	t := s.Turn
	if !t.Open() || t.ID != in.Turn || t.Step+1 != in.Step {
		return nil, fault.New(fault.Conflict, "this failure answers a request that is no longer open")
	}
	if t.Stopping != nil {
		return nil, nil
	}
	refs := Refs{Turn: t.ID, State: string(ByModelFailure)}
	return []Event{
		w.event(refs, &Noticed{Code: "model_failed", Params: map[string]string{"text": in.Text}}),
		w.event(refs, &TurnEnded{End: ByModelFailure, Code: in.Code, Text: in.Text}),
	}, nil
}

func (in Examined) handle(s *Session, w *World) ([]Event, error) {
	c := s.Call(in.Call)
	if c == nil || c.State != Proposed || !s.Turn.Open() || s.Turn.Stopping != nil {
		return nil, fault.New(fault.Conflict, "call %s no longer waits for an examination", in.Call)
	}
	return s.propose(c, w, &in), nil
}

func (in Stop) handle(s *Session, w *World) ([]Event, error) {
	if !s.Turn.Open() || s.Turn.Stopping != nil || in.Turn != "" && in.Turn != s.Turn.ID {
		return nil, nil
	}
	end := in.End
	if end == "" {
		end = Stopped
	}
	return []Event{w.event(Refs{Turn: s.Turn.ID}, &StopAsked{End: end, By: clean(in.By)})}, nil
}

func (in Unanswered) handle(s *Session, w *World) ([]Event, error) {
	in.Reason, in.Via = clean(in.Reason), clean(in.Via)
	a, events, err := s.openApproval(in.Approval, "", w, Answer{Via: in.Via})
	if err != nil {
		return events, err
	}
	c := s.Call(a.Call)
	if a.Question == WhatBecame { // stays open for somebody else
		return nil, fault.New(fault.Undecided, "no decision could be had on call %s: it waits", c.ID)
	}
	return []Event{
		w.event(s.approvalRefs(a, approval.Undecided), &ApprovalClosed{State: approval.Undecided, Via: in.Via, Reason: in.Reason}),
		s.ended(c, w, &CallEnded{Outcome: Undecided, Text: textUndecided}),
		w.event(s.refs(c), &Noticed{Code: "no_decision", Params: map[string]string{"tool": c.Wire, "reason": in.Reason}}),
	}, nil
}

// maxIgnored bounds the answers that are recorded as ignored in one turn, so
// that they cannot fill a disk.
const maxIgnored = 20

// openApproval finds the approval that an answer is for. A late, second, foreign
// or replayed answer changes nothing and says so (SPEC P5).
func (s *Session) openApproval(id, digest string, w *World, in Answer) (*Approval, []Event, error) {
	a := s.Approvals[id]
	var err *fault.Error
	switch {
	case a == nil:
		err = fault.New(fault.NotFound, "no approval %s is open in this session", id)
	case !a.Open():
		err = fault.New(fault.AlreadyDecided, "this question is closed: %s", a.closed())
	case a.Expires != 0 && w.Now.UnixMilli() >= a.Expires:
		err = fault.New(fault.Expired, "this question expired at %s", time.UnixMilli(a.Expires).UTC().Format(time.RFC3339))
	case digest != "" && digest != a.Digest:
		err = fault.New(fault.Conflict, "this answer is for other arguments than those that wait: look at the question again")
	default:
		return a, nil, nil
	}
	if s.Turn == nil || s.ignored >= maxIgnored {
		return nil, nil, err
	}
	refs := Refs{Turn: s.Turn.ID, Approval: id}
	return nil, []Event{w.event(refs, &AnswerIgnored{By: in.By, Via: in.Via, Why: string(err.Code)})}, err
}

func (a *Approval) closed() string {
	text := a.State.String()
	if a.By != "" {
		text += " by " + a.By
	}
	return fmt.Sprintf("%s at %s", text, time.UnixMilli(a.ClosedAt).UTC().Format(time.RFC3339))
}

// refs are the references of a call's events.
func (s *Session) refs(c *Call) Refs {
	r := Refs{Turn: s.Turn.ID, Call: c.ID}
	if c.Decided != nil {
		r.Tool, r.Class = c.Decided.Name, c.Decided.Class.String()
	}
	return r
}

func (s *Session) approvalRefs(a *Approval, state approval.State) Refs {
	r := s.refs(s.Call(a.Call))
	r.Approval, r.State = a.ID, state.String()
	return r
}

// ended gives a call its result. Of one that was started before, and then not
// again, nobody knows what its first run did, whatever ends it now (SPEC S2).
func (s *Session) ended(c *Call, w *World, b *CallEnded) Event {
	if c.Attempt > 0 && (c.State == Proposed || c.State == Waiting || c.State == Ready) {
		b.Outcome, b.Text = UnknownState, textUnknown
	}
	return s.result(c, w, b)
}

// result gives a call its one result.
func (s *Session) result(c *Call, w *World, b *CallEnded) Event {
	r := s.refs(c)
	r.State = string(b.Outcome)
	return w.event(r, b)
}
