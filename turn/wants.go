package turn

import (
	"time"

	"github.com/assentdev/assent/approval"
)

// Wants is what should be happening outside, given a session's state. A driver
// compares it with what it is doing and does the difference; after a crash the
// same comparison starts again from nothing.
type Wants struct {
	Model   bool        // the model's next message
	Examine []*Call     // calls whose tools have something to say before the decision
	Run     []*Call     // claimed by the owner of this epoch
	Offer   []*Call     // wait for a device to claim them (SPEC S8)
	Away    []*Call     // claimed by a device that is there: its result is waited for
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
		case Ready, Started:
			want.run(s, c, w)
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

// run says where a call that may run, runs. An approval that no device has
// consumed yet still expires.
func (want *Wants) run(s *Session, c *Call, w *World) {
	switch {
	case c.State == Started && w.runs(c) && c.Device != "":
		want.Away = append(want.Away, c)
	case c.State == Started && w.runs(c):
		want.Run = append(want.Run, c)
	case s.offered(c, w):
		want.Offer = append(want.Offer, c)
		if a := s.Approvals[c.Approval]; a != nil && a.State == approval.Approved {
			want.Until = earliest(want.Until, a.Expires)
		}
	}
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
