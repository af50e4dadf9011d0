package turn

import (
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// handle is a device's claim of a call that is offered: the same second look as
// any other start, and then the same event (SPEC S8, P5).
func (in Claim) handle(s *Session, w *World) ([]Event, error) {
	c := s.Call(in.Call)
	if err := in.refusal(s, c, w); err != nil {
		return nil, err
	}
	if in.holds(c, w) {
		return nil, nil
	}
	events := s.claim(c, w, in.Device)
	if len(events) > 0 && events[0].Body.Type() == (*CallStarted)(nil).Type() {
		return events, nil
	}
	return events, fault.New(fault.Conflict, "call %s is not offered any more: look at it again", in.Call)
}

// holds says whether the device has claimed the call already: a claim is
// committed once, however often it is sent.
func (in Claim) holds(c *Call, w *World) bool {
	return c.State == Started && c.Device == in.Device && w.runs(c)
}

// refusal says why a claim cannot even be looked at; nil where it can.
func (in Claim) refusal(s *Session, c *Call, w *World) error {
	switch {
	case in.Device == "" || !utf8.ValidString(in.Device): // replaced, two of them could become the same
		return fault.New(fault.BadConfig, "a claim needs the name of its device, in UTF-8")
	case w.Epoch != s.Epoch:
		return fault.New(fault.Fenced, "this session belongs to another owner: claim the call there")
	case c == nil || !s.Turn.Open():
		return fault.New(fault.NotFound, "no call %s is open in this session", in.Call)
	case w.gone(in.Device):
		return fault.New(fault.Conflict, "device %s counts as gone: connect again before it claims a call", in.Device)
	case c.Digest != in.Digest:
		return fault.New(fault.Conflict, "this claim is for other arguments than those of call %s: look at it again", in.Call)
	case in.holds(c, w):
		return nil
	case c.State == Ended || c.State == Started && w.runs(c):
		return fault.New(fault.AlreadyDecided, "call %s is not free: it runs elsewhere or has its result", in.Call)
	case s.Turn.Stopping != nil:
		return fault.New(fault.Cancelled, "the turn is being stopped: nothing more starts in it")
	case !s.free(c, w):
		return fault.New(fault.Conflict, "call %s is not offered: it is %s", in.Call, c.State)
	}
	return nil
}

// free says whether nobody has claimed a call that is decided; a read call also
// where whoever claimed it is gone.
func (s *Session) free(c *Call, w *World) bool {
	return c.State == Ready || c.State == Started && !w.runs(c) && c.Decided.Class == policy.Read
}

// offered says whether a call waits for a device: its tool runs on one, and on
// the facts of this moment it may start.
func (s *Session) offered(c *Call, w *World) bool {
	if s.Turn.Stopping != nil || !s.free(c, w) {
		return false
	}
	if t := w.lookup(c.Wire); t == nil || !t.Remote {
		return false
	}
	ok, _ := s.look(c, w)
	return ok != nil
}
