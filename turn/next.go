package turn

import (
	"slices"

	"github.com/assentdev/assent/model"
)

// maxRedone bounds how often a question begins again because its tool changed.
const maxRedone = 3

// Next returns the events that follow by themselves: call it, apply what it
// returns, and call it again until it returns none. Only the owner of the
// newest epoch gets any.
func (s *Session) Next(w *World) []Event {
	t := s.Turn
	if !t.Open() || w.Epoch != s.Epoch {
		return nil
	}
	if events := s.reclaim(w); events != nil {
		return events
	}
	if t.Stopping != nil {
		return s.windDown(w)
	}
	if stop := s.limit(w); stop != nil {
		return []Event{w.event(Refs{Turn: t.ID}, stop)}
	}
	for _, c := range t.Calls {
		if events := s.step(c, w); events != nil {
			return events
		}
	}
	return s.finish(w)
}

// step moves one call on.
func (s *Session) step(c *Call, w *World) []Event {
	switch c.State {
	case Proposed:
		return s.propose(c, w, nil)
	case Waiting:
		return s.review(c, w)
	case Ready:
		return s.claim(c, w, "")
	}
	return nil
}

// finish ends a turn that has nothing left to do.
func (s *Session) finish(w *World) []Event {
	t := s.Turn
	if t.Step == 0 || s.stepOpen(t.Step) {
		return nil
	}
	asked := false
	for _, c := range t.Calls {
		asked = asked || c.Step == t.Step
	}
	if asked && t.Kind != ByCall && t.Kind != ByUndo {
		return nil // the model is asked next
	}
	return []Event{w.event(Refs{Turn: t.ID, State: string(Done)}, &TurnEnded{End: Done})}
}

// wantsModel says whether the model is to be asked next.
func (s *Session) wantsModel() bool {
	t := s.Turn
	if !t.Open() || t.Stopping != nil || t.Kind == ByCall || t.Kind == ByUndo || s.stepOpen(t.Step) {
		return false
	}
	if t.Step == 0 {
		return true
	}
	for _, c := range t.Calls {
		if c.Step == t.Step {
			return true
		}
	}
	return false
}

// Request is the conversation to send to the model next. What is appended to it
// does not touch the session.
func (s *Session) Request(limits Limits) []model.Message {
	return limits.withDefaults().fit(slices.Clip(s.Messages))
}
