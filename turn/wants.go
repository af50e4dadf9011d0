package turn

import "time"

// Wants is what should be happening outside, given a session's state. A driver
// compares it with what it is doing and does the difference; after a crash the
// same comparison starts again from nothing.
type Wants struct {
	Model   bool        // the model's next message
	Examine []*Call     // calls whose tools have something to say before the decision
	Run     []*Call     // claimed by the owner of this epoch
	Cancel  bool        // the turn is being stopped: what runs is cancelled
	Open    []*Approval // questions, in call order
	Until   time.Time   // when time alone changes something; zero: never
}

// Wants says what should be happening. It does not change the session.
func (s *Session) Wants(w *World) Wants {
	t := s.Turn
	if !t.Open() || w.Epoch != s.Epoch {
		return Wants{}
	}
	want := Wants{Model: s.wantsModel(), Cancel: t.Stopping != nil}
	for _, c := range t.Calls {
		switch c.State {
		case Proposed:
			want.Examine = append(want.Examine, c)
		case Started:
			want.Run = append(want.Run, c)
		case Waiting, Doubtful:
			if a := s.Approvals[c.Approval]; a != nil && a.Open() {
				want.Open = append(want.Open, a)
				want.Until = earliest(want.Until, a.Expires)
			}
		}
	}
	if l := w.Limits.Time; l > 0 && !s.onlyPeople() {
		left := l - s.Active(w.Now)
		want.Until = earliest(want.Until, w.Now.Add(left).UnixMilli())
	}
	return want
}

func earliest(t time.Time, ms int64) time.Time {
	if ms == 0 {
		return t
	}
	if u := time.UnixMilli(ms); t.IsZero() || u.Before(t) {
		return u
	}
	return t
}
