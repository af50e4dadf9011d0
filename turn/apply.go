package turn

import (
	"slices"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
)

// Apply adds one event. An event that cannot follow the ones before it is an
// error with code fault.BadJournal: the log was written by something else, or
// two owners wrote it.
func (s *Session) Apply(e Event) error {
	if _, first := e.Body.(*SessionStarted); first != (s.ID == "") {
		return s.misfit(e, "a log begins with session.started, once")
	}
	s.pass(e.At)
	switch b := e.Body.(type) {
	case *SessionStarted:
		s.ID, s.Agent, s.Principal, s.Groups, s.Mode = b.Session, b.Agent, b.Principal, b.Groups, b.Mode
	case *SessionOwned:
		if b.Epoch <= s.Epoch {
			return s.misfit(e, "an epoch that is not higher")
		}
		s.Epoch, s.Owner = b.Epoch, b.Owner
	case *ModeSet:
		s.Mode = b.Mode
	case *GrantRevoked:
		s.Grants = slices.DeleteFunc(s.Grants, func(g policy.Grant) bool { return g.ID == b.Grant })
	case *TurnStarted:
		return s.applyTurn(e, b)
	case *Noticed:
	default:
		if !s.Turn.Open() && !afterwards(b) {
			return s.misfit(e, "no turn is open")
		}
		return s.applyInTurn(e)
	}
	return nil
}

// afterwards says which events may follow the end of a turn.
func afterwards(b Body) bool {
	_, ok := b.(*AnswerIgnored)
	return ok
}

func (s *Session) applyTurn(e Event, b *TurnStarted) error {
	if s.Turn.Open() {
		return s.misfit(e, "a turn is still open")
	}
	s.Turn = &Turn{ID: e.Refs.Turn, Kind: b.Kind, Mode: b.Mode, Policy: b.Policy, Undoes: b.Undoes, Began: e.At, denials: map[toolKey]int{}, repeats: map[string]int{}}
	s.Approvals = map[string]*Approval{}
	s.ignored = 0
	if b.Kind == ByMessage {
		clear(s.denied)
		clear(s.similar)
		s.Messages = append(s.Messages, model.Message{Role: model.User, Text: b.Text})
	}
	return nil
}

func (s *Session) applyInTurn(e Event) error {
	t := s.Turn
	switch b := e.Body.(type) {
	case *ToolsOffered:
		s.Offered = make(map[string]Offer, len(b.Tools))
		for _, o := range b.Tools {
			s.Offered[o.Wire] = o
		}
	case *ModelAnswered:
		s.applyAnswer(b)
	case *StopAsked:
		if t.Stopping == nil {
			t.Stopping = b
		}
	case *TurnEnded:
		t.End = b
	case *AnswerIgnored:
		s.ignored++
	case *Decided, *CallStarted, *CallEnded, *CallUnknown, *Asked:
		c := s.Call(e.Refs.Call)
		if c == nil {
			return s.misfit(e, "no such call")
		}
		return s.applyCall(e, c)
	case *ApprovalClosed:
		a := s.Approvals[e.Refs.Approval]
		if a == nil {
			return s.misfit(e, "no such approval")
		}
		return s.applyClosed(e, a, b)
	default:
		return s.misfit(e, "not an event of a turn")
	}
	return nil
}

func (s *Session) applyAnswer(b *ModelAnswered) {
	t := s.Turn
	t.Step = b.Step
	t.Tokens += b.Usage.Input + b.Usage.Output
	msg := model.Message{Role: model.Assistant, Text: b.Text, Raw: b.Raw}
	for _, n := range b.Calls {
		t.Calls = append(t.Calls, &Call{ID: n.ID, Step: b.Step, Provider: n.Provider, Wire: n.Wire, Raw: n.Args, State: Proposed, Undoes: t.Undoes})
		msg.Calls = append(msg.Calls, model.Call{ID: n.Provider, Name: n.Wire, Args: string(n.Args)})
	}
	if t.Kind == ByMessage || t.Kind == ByRetry {
		distinct(msg.Calls)
		s.Messages = append(s.Messages, msg)
	}
}

// distinct renames a provider's id that one message uses twice, so that the
// results can be told apart in the next request.
func distinct(calls []model.Call) {
	for i := range calls {
		for j := range i {
			if calls[i].ID == calls[j].ID {
				calls[i].ID += "_" + string(rune('a'+i%26))
			}
		}
	}
}

func (s *Session) applyCall(e Event, c *Call) error {
	switch b := e.Body.(type) {
	case *Decided:
		if c.State != Proposed && c.State != Ready {
			return s.misfit(e, "the call is "+string(c.State))
		}
		c.Decided, c.Args, c.Digest, c.Filled, c.Extra = b, b.Args, b.Digest, b.Filled, b.Extra
		s.Turn.repeats[deniedKey(b)]++
		c.State = Ready
	case *Asked:
		if !c.mayAsk(b.Question) || b.Digest != c.Digest {
			return s.misfit(e, "the call is "+string(c.State))
		}
		if b.Question == MayRun {
			c.State = Waiting
		}
		c.Approval = e.Refs.Approval
		s.Approvals[e.Refs.Approval] = &Approval{ID: e.Refs.Approval, Call: c.ID, Asked: *b, At: e.At, State: approval.Asked}
	case *CallStarted:
		return s.applyStarted(e, c, b)
	case *CallUnknown:
		if c.State != Started || b.Attempt != c.Attempt {
			return s.misfit(e, "the call is "+string(c.State))
		}
		c.State = Doubtful
	case *CallEnded:
		if c.State == Ended {
			return s.misfit(e, "the call has its result")
		}
		s.applyEnded(e, c, b)
	}
	return nil
}

// mayAsk says whether a question can follow.
func (c *Call) mayAsk(q Question) bool {
	if q == WhatBecame {
		return c.State == Doubtful
	}
	return c.State == Ready
}

// applyStarted is the other half of the claim: of two claims of one attempt,
// the second does not fit.
func (s *Session) applyStarted(e Event, c *Call, b *CallStarted) error {
	again := c.State == Started && (c.Epoch < b.Epoch || c.Device != "") && c.Decided.Class == policy.Read
	if c.State != Ready && !again || b.Attempt != c.Attempt+1 || b.Epoch != s.Epoch || b.Digest != c.Digest {
		return s.misfit(e, "the call is "+string(c.State))
	}
	c.State, c.Epoch, c.Attempt, c.Device = Started, b.Epoch, b.Attempt, b.Device
	return nil
}

func (s *Session) applyEnded(e Event, c *Call, b *CallEnded) {
	c.State, c.Ended = Ended, b
	s.Tainted = s.Tainted || b.Outside
	if b.Undo != nil {
		s.Undo = append(s.Undo, Undoable{Call: c.ID, Wire: c.Wire, Title: c.Decided.Title, Args: b.Undo, At: e.At})
	}
	if c.Undoes != "" && b.Outcome == OK {
		s.Undo = slices.DeleteFunc(s.Undo, func(u Undoable) bool { return u.Call == c.Undoes })
	}
	if s.stepOpen(c.Step) {
		return
	}
	for _, o := range s.Turn.Calls {
		if o.Step == c.Step && s.Turn.Kind != ByCall && s.Turn.Kind != ByUndo {
			s.Messages = append(s.Messages, model.Message{Role: model.ToolRole, Name: o.Wire, Text: shown(o)})
		}
	}
	s.pairResults(c.Step)
}

// pairResults gives the newest results the ids under which their calls stand in
// the message that asked for them.
func (s *Session) pairResults(step int) {
	n := 0
	for _, o := range s.Turn.Calls {
		if o.Step == step {
			n++
		}
	}
	at := len(s.Messages) - n
	if at < 1 || len(s.Messages[at-1].Calls) != n {
		return
	}
	for i, call := range s.Messages[at-1].Calls {
		s.Messages[at+i].CallID = call.ID
	}
}

func (s *Session) stepOpen(step int) bool {
	return slices.ContainsFunc(s.Turn.Calls, func(c *Call) bool { return c.Step == step && c.State != Ended })
}

func (s *Session) applyClosed(e Event, a *Approval, b *ApprovalClosed) error {
	c := s.Call(a.Call)
	if !a.Open() && !(a.State == approval.Approved && c.State == Ready && b.withdraws()) {
		return s.misfit(e, "the approval is "+a.State.String())
	}
	a.State, a.By, a.Via, a.Reason, a.ClosedAt = b.State, b.By, b.Via, b.Reason, e.At
	switch b.State {
	case approval.Approved, approval.Covered:
		if a.Question == MayRun || b.Choice == RunAgain {
			c.State = Ready
		}
		if c.Edited != nil {
			c.Edited.Used = true
		}
	case approval.Edited:
		c.Edited = &Edit{By: b.By, Via: b.Via, Class: a.Class, Pin: a.Pin, From: c.Args}
		c.State, c.Args, c.Digest, c.Filled, c.Extra = Proposed, b.Args, b.Digest, b.Filled, b.Extra
	case approval.Stale:
		c.State, c.Redone = Proposed, c.Redone+1
		c.Decided = nil
	case approval.Denied:
		s.remember(c, b.Sticky)
	}
	if b.Grant != nil && b.State == approval.Approved {
		return s.addGrant(e, *b.Grant)
	}
	return nil
}

// withdraws says whether an approval that nothing has consumed can end so.
func (b *ApprovalClosed) withdraws() bool {
	switch b.State {
	case approval.Stale, approval.Expired, approval.Cancelled, approval.Superseded:
		return true
	}
	return false
}

func (s *Session) remember(c *Call, sticky bool) {
	key := c.Decided.key()
	s.Turn.denials[key]++
	s.denied[deniedKey(c.Decided)] = c.ID
	s.similar[key] = c.ID
	if sticky {
		s.sticky[key] = true
	}
}

func deniedKey(d *Decided) string {
	return string(d.Kind) + "\x00" + d.Source + "\x00" + d.Name + "\x00" + d.Digest
}

func (s *Session) addGrant(e Event, g policy.Grant) error {
	if len(g.Pattern) > 0 {
		if s.compile == nil {
			return s.misfit(e, "a grant with a pattern")
		}
		when, err := s.compile(g.Pattern)
		if err != nil {
			return fault.Wrap(err, fault.BadJournal, "the pattern of grant %s cannot be read", g.ID)
		}
		g.When = when
	}
	if g.Scope == policy.ScopeUser {
		s.Given = append(s.Given, g)
	} else {
		s.Grants = append(s.Grants, g)
	}
	return nil
}

func (s *Session) misfit(e Event, why string) error {
	return fault.New(fault.BadJournal, "event %s cannot follow: %s", e.Body.Type(), why)
}
