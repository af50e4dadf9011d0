package engine

import (
	"encoding/json"
	"slices"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// Offer is a call that waits for a device: all that it needs to compare the
// digest, decide by its own class and mode, and claim the call (SPEC S8).
type Offer struct {
	Session, Turn, Call string

	Wire     string // the name that the model calls the tool by
	Tool     string // the raw name
	Source   tool.Source
	Pin      string          // the descriptor that was decided on
	Args     json.RawMessage // canonical
	Digest   string          // of Args: a claim quotes it
	Class    policy.Class    // the effective one
	Mode     policy.Mode
	Decision policy.Decision
	Approved tool.Approval // empty where nobody was asked
	Undo     bool          // Args are undo arguments, and the call takes an earlier one back
}

// Offers are all calls of a turn that wait for a device.
type Offers struct {
	Turn  string
	Calls []Offer // in call order
}

// Claimed is a call that a device has claimed and has not sent the result of.
type Claimed struct {
	Offer
	Attempt int // the result quotes it
	// Cancel says that the turn is being stopped: a device that has not begun does
	// not begin, and sends a result whose Err says so. One that has begun cancels
	// what runs; with Stopped its result says that the effect is in doubt.
	Cancel bool
}

// Claim gives a call that is offered to a device, and returns what it needs to
// run it. The claim is durable then, and no other device gets the call. Sent
// again, it returns the same: a device that does not remember whether it has
// begun must not begin. The errors are those of turn.Claim.
func (e *Engine) Claim(session, call, digest, device string) (*Claimed, error) {
	l, err := e.hold(session)
	if err != nil {
		return nil, err
	}
	defer e.rest(l)
	defer l.drain()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.commit(turn.Claim{Call: call, Digest: digest, Device: device}); err != nil {
		return nil, err
	}
	return l.claimed(l.s.Call(call)), nil
}

// Return brings the result of a call that in.Device has claimed. The first one
// counts, and the same one again is no error. One that changes nothing is
// fault.AlreadyDecided where the call had got another result, and fault.Conflict
// where the call is not, or no longer, the device's: the device may forget it.
func (e *Engine) Return(session string, in turn.Finished) error {
	if in.Device == "" {
		return fault.New(fault.BadConfig, "a result needs the name of its device")
	}
	l, err := e.hold(session)
	if err != nil {
		return err
	}
	defer e.rest(l)
	call := &tool.Call{ID: in.Call}
	in.Structured = l.kept(call, in.Structured, structuredLimits, "the structured result of a device is not valid: it is left out")
	in.Undo = l.kept(call, in.Undo, nil, "undo arguments of a device are not valid: this call cannot be undone")
	return l.apply(in)
}

// Offers lists the calls of the session id that wait for a device. When they change
// during a turn, its watchers get all of them.
func (e *Engine) Offers(id string) (offers Offers, err error) {
	err = e.view(id, func(l *session) error {
		w, err := l.e.world(l)
		if err == nil {
			offers = l.offersOf(l.s.Wants(w))
		}
		return err
	})
	return offers, err
}

// Claimed lists the calls of the session id that a device has claimed and whose
// results are waited for: what a device that connects again still owes.
func (e *Engine) Claimed(id, device string) (list []Claimed, err error) {
	err = e.view(id, func(l *session) error {
		for _, c := range l.far() {
			if c.Device == device {
				list = append(list, *l.claimed(c))
			}
		}
		return nil
	})
	return list, err
}

// Devices lists the devices on which calls of this engine's sessions run. After
// a restart it says whose return is to be waited for, once Recover has read the
// sessions.
func (e *Engine) Devices() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []string
	for _, devices := range e.away {
		list = append(list, devices...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Reconsider looks again at the sessions with a call on a device, because
// Options.Gone says something else of it now. It does not wait for that.
func (e *Engine) Reconsider(device string) {
	e.mu.Lock()
	var sessions []string
	for id, devices := range e.away {
		if slices.Contains(devices, device) {
			sessions = append(sessions, id)
		}
	}
	e.mu.Unlock()
	for _, id := range sessions {
		if l, err := e.hold(id); err == nil {
			l.spawn(func() { l.report(l.apply(turn.Tick{})) })
			e.rest(l)
		}
	}
}
