package assent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// Event is something that happens in a turn: one of the types below.
type Event interface{ event() }

type (
	// TextDelta is a piece of the model's text. Pieces of one message follow each
	// other; one with Reset voids the pieces of that message before it.
	TextDelta struct {
		Text    string
		Message int // the message's number in the turn, from 1
		Attempt int
		Offset  int // bytes of this attempt before this piece
		Reset   bool
	}
	// Message is a whole message of the model, committed to the log.
	Message struct {
		Text  string      // "" where the message has only calls
		Calls int         // how many it asks for
		Usage model.Usage // of this message
	}
	// CallDecided is a call whose arguments fit and that was decided: it runs, asks,
	// or is refused. A call is decided again when its arguments were edited. Texts
	// are foreign: show them by package safetext.
	CallDecided struct {
		Call, Tool, Title string // its id, the tool's name for the model, and a title that may be ""
		Args              []byte // canonical
		Class             Class
		Verdict           Verdict
		Category          policy.Category // of a refusal
		Basis             policy.Basis    // what decided
		Grant             string          // the grant that covers the call, if one does
		Reason            string          // for people
	}
	// ApprovalAsked is a question that is open at the desk or the handler. Unknown
	// says that it is what became of a started call whose outcome was lost: answer
	// it with approval.Became, or by [Session.Settle].
	ApprovalAsked struct {
		Approval, Call string
		Expires        time.Time // zero: never
		Unknown        bool
	}
	// ApprovalClosed is a question that is closed, and how.
	ApprovalClosed struct {
		Approval, Call  string
		State           string // approved, covered, denied, edited, expired, cancelled, superseded, stale or undecided
		By, Via, Reason string
	}
	// CallStarted is a call that runs from now on: the log has it already.
	CallStarted struct {
		Call, Tool string
		Attempt    int // 1 for the first run
	}
	// CallProgress is what a running tool says of itself.
	CallProgress struct{ Call, Text string }
	// CallEnded is a call that has its result, also one that did not run.
	CallEnded struct {
		Call, Tool string
		Outcome    turn.Outcome
		Category   policy.Category // of a refusal
		Text       string          // what the model is told, whole
		// Structured is the result for programs and user interfaces, as canonical
		// JSON. The model never sees it. Nil: none.
		Structured json.RawMessage
		CanUndo    bool // see [Session.Undo]
	}
	// Notice is something that the user should see and that is no model text. The
	// code has a text in English; other languages make their own from code and
	// parameters (SPEC V13).
	Notice struct {
		Code   string
		Params map[string]string
	}
	// TurnEnded is the end of the turn, and the last event.
	TurnEnded struct {
		End  turn.End
		Code string // of a limit, such as limit_steps, or of the model's failure; "" for none
		Text string // what may be shown of a failure
	}
)

func (TextDelta) event()      {}
func (Message) event()        {}
func (CallDecided) event()    {}
func (ApprovalAsked) event()  {}
func (ApprovalClosed) event() {}
func (CallStarted) event()    {}
func (CallProgress) event()   {}
func (CallEnded) event()      {}
func (Notice) event()         {}
func (TurnEnded) event()      {}

// Turn is a turn that was begun. Read its events, or wait for its result, once.
type Turn struct {
	session *Session
	ctx     context.Context
	id      string
	w       *engine.Watcher
	err     error
	unhook  func() bool
	tools   map[string]string // call → tool
	direct  bool              // a Call or an Undo: no model speaks
}

// ID returns the turn's id, "" if it could not be begun.
func (t *Turn) ID() string { return t.id }

// Stop ends the turn, as [Session.Stop] does, and does not wait. A turn that could
// not be begun gives the reason why.
func (t *Turn) Stop() error {
	if t.err != nil {
		return t.err
	}
	return t.session.agent.engine.Do(t.session.id, t.stop())
}

// stop stops this turn and no later one.
func (t *Turn) stop() turn.Input {
	return turn.Stop{Turn: t.id, By: t.session.agent.c.principal}
}

// Events yields the turn's events to its end. It ends with an error if the turn
// could not be begun, or if the log failed. Breaking out of the loop does not
// stop the turn; ending the context of Send does.
func (t *Turn) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if t.err != nil {
			yield(nil, t.err)
			return
		}
		defer t.w.Stop()
		for {
			// Not t.ctx: when it ends, the turn is stopped, and its end still comes.
			u, err := t.w.Next(context.WithoutCancel(t.ctx))
			if err != nil {
				yield(nil, err)
				return
			}
			ev := t.translate(u)
			if ev == nil {
				continue
			}
			_, end := ev.(TurnEnded)
			if end && t.unhook != nil {
				t.unhook()
			}
			if !yield(ev, nil) || end {
				return
			}
		}
	}
}

// Result is how a turn ended.
type Result struct {
	Text  string // the model's last message; of a Call or an Undo, its result
	End   turn.End
	Calls []CallEnded
	Usage model.Usage // of all messages
}

// Wait reads the events and returns the result. A turn that ended because the
// model failed is an error with code fault.ModelFailed.
func (t *Turn) Wait() (*Result, error) {
	r := &Result{}
	for ev, err := range t.Events() {
		if err != nil {
			return r, err
		}
		switch ev := ev.(type) {
		case Message:
			r.Text = ev.Text
			r.Usage.Input += ev.Usage.Input
			r.Usage.Output += ev.Usage.Output
			r.Usage.Cached += ev.Usage.Cached
		case CallEnded:
			r.Calls = append(r.Calls, ev)
			if t.direct {
				r.Text = ev.Text
			}
		case TurnEnded:
			r.End = ev.End
			if ev.End == turn.ByModelFailure {
				return r, fault.New(fault.ModelFailed, "%s", ev.Text)
			}
		}
	}
	return r, nil
}

func (t *Turn) translate(u engine.Update) Event {
	switch {
	case u.Delta != nil && u.Delta.Turn == t.id:
		d := u.Delta
		return TextDelta{Text: d.Text, Message: d.Step, Attempt: d.Attempt, Offset: d.Offset, Reset: d.Reset}
	case u.Progress != nil && u.Progress.Turn == t.id:
		return CallProgress{Call: u.Progress.Call, Text: u.Progress.Text}
	case u.Event == nil || u.Event.Refs.Turn != t.id:
		return nil
	}
	r := u.Event.Refs
	switch b := u.Event.Body.(type) {
	case *turn.ModelAnswered:
		for _, c := range b.Calls {
			t.name(c.ID, c.Wire)
		}
		return Message{Text: b.Text, Calls: len(b.Calls), Usage: b.Usage}
	case *turn.Decided:
		return CallDecided{Call: r.Call, Tool: b.Wire, Title: b.Title, Args: b.Args, Class: b.Class, Verdict: b.Verdict, Category: b.Category, Basis: b.Basis, Grant: b.Grant, Reason: b.Reason}
	case *turn.Asked:
		ev := ApprovalAsked{Approval: r.Approval, Call: r.Call, Unknown: b.Question == turn.WhatBecame}
		if b.Expires != 0 {
			ev.Expires = time.UnixMilli(b.Expires).UTC()
		}
		return ev
	case *turn.ApprovalClosed:
		return ApprovalClosed{Approval: r.Approval, Call: r.Call, State: b.State.String(), By: b.By, Via: b.Via, Reason: b.Reason}
	case *turn.CallStarted:
		return CallStarted{Call: r.Call, Tool: t.tools[r.Call], Attempt: b.Attempt}
	case *turn.CallEnded:
		return CallEnded{Call: r.Call, Tool: t.tools[r.Call], Outcome: b.Outcome, Category: b.Category, Text: b.Text, Structured: b.Structured, CanUndo: b.Undo != nil}
	case *turn.Noticed:
		return Notice{Code: b.Code, Params: b.Params}
	case *turn.TurnEnded:
		return TurnEnded{End: b.End, Code: b.Code, Text: b.Text}
	}
	return nil
}

func (t *Turn) name(call, tool string) {
	if t.tools == nil {
		t.tools = map[string]string{}
	}
	t.tools[call] = tool
}

// String says the notice in English.
func (n Notice) String() string {
	p := n.Params
	switch n.Code {
	case "tool_denied":
		return fmt.Sprintf("%s was not allowed (%s).", p["tool"], p["category"])
	case "effect_unknown":
		return fmt.Sprintf("Whether %s had its effect is not known.", p["tool"])
	case "no_decision":
		return fmt.Sprintf("No decision could be had on %s, so it did not run: %s", p["tool"], p["reason"])
	case "denied_often":
		return fmt.Sprintf("%s was denied again and again, so the turn was ended.", p["tool"])
	case "model_failed":
		return "The model gave no answer: " + p["text"]
	case "limit_steps", "limit_calls", "limit_tokens", "limit_time", "limit_repeats":
		return fmt.Sprintf("The turn was ended at its limit of %s (%s).", p["limit"], n.Code[len("limit_"):])
	case "schema_held":
		return fmt.Sprintf("%s is held back: %s", p["tool"], p["text"])
	case "schema_warning":
		return fmt.Sprintf("%s is checked in part: %s", p["tool"], p["text"])
	}
	return fmt.Sprint(n.Code, p)
}
