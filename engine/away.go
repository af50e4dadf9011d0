package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// presence is Options.Gone with one answer for each device, for as long as one
// decision takes.
func (e *Engine) presence() func(device string) bool {
	if e.o.Gone == nil {
		return nil
	}
	known := map[string]bool{}
	return func(device string) bool {
		gone, ok := known[device]
		if !ok {
			gone = e.o.Gone(device)
			known[device] = gone
		}
		return gone
	}
}

// onDevices keeps up with the calls that run on devices or wait for one.
func (l *session) onDevices(want turn.Wants) {
	var devices []string
	for _, c := range l.far() {
		devices = append(devices, c.Device)
	}
	l.e.noteAway(l.id, devices)
	l.giveNotice(want)
	l.publishOffers(want)
}

// far are the calls that a device has claimed, also one that is gone.
func (l *session) far() (calls []*turn.Call) {
	if !l.s.Turn.Open() {
		return nil
	}
	for _, c := range l.s.Turn.Calls {
		if c.State == turn.Started && c.Device != "" {
			calls = append(calls, c)
		}
	}
	return calls
}

func (e *Engine) noteAway(session string, devices []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(devices) == 0 {
		delete(e.away, session)
	} else {
		e.away[session] = devices
	}
}

// giveNotice gives a device the grace time to send what came of a call once the turn
// is being stopped (SPEC P12).
func (l *session) giveNotice(want turn.Wants) {
	wanted := map[string]bool{}
	for _, c := range want.Away {
		wanted[c.ID] = want.Cancel
		if !want.Cancel || l.recalled[c.ID] != nil {
			continue
		}
		if l.recalled == nil {
			l.recalled = map[string]*time.Timer{}
		}
		in := turn.Finished{Call: c.ID, Attempt: c.Attempt, Kind: turn.Abandoned, Stopped: true, Device: c.Device}
		l.recalled[c.ID] = l.giveUpAfter(l.e.o.Grace, in)
	}
	for id, t := range l.recalled {
		if !wanted[id] {
			t.Stop()
			delete(l.recalled, id)
		}
	}
}

// publishOffers tells the watchers when what waits for a device has changed.
func (l *session) publishOffers(want turn.Wants) {
	key := ""
	for _, c := range want.Offer {
		key += fmt.Sprintf("%s %s %d\n", c.ID, c.Digest, c.Attempt)
	}
	if key == l.offers {
		return
	}
	l.offers = key
	offers := l.offersOf(want)
	for w := range l.watchers {
		w.push(Update{Offers: &offers})
	}
}

func (l *session) offersOf(want turn.Wants) Offers {
	offers := Offers{}
	if l.s.Turn.Open() {
		offers.Turn = l.s.Turn.ID
	}
	for _, c := range want.Offer {
		offers.Calls = append(offers.Calls, l.offer(c))
	}
	return offers
}

func (l *session) offer(c *turn.Call) Offer {
	d := c.Decided
	o := Offer{
		Session: l.id, Turn: l.s.Turn.ID, Call: c.ID,
		Wire: d.Wire, Tool: d.Name, Source: tool.Source{Kind: d.Kind, Name: d.Source}, Pin: d.Pin,
		Args: slices.Clone(c.Args), Digest: c.Digest, Class: d.Class, Mode: d.Mode, Decision: d.Decision, Undo: c.Undoes != "",
	}
	if a := l.s.Approvals[c.Approval]; a != nil {
		o.Approved = tool.Approval{ID: a.ID, By: a.By, Via: a.Via}
	}
	return o
}

func (l *session) claimed(c *turn.Call) *Claimed {
	return &Claimed{Offer: l.offer(c), Attempt: c.Attempt, Cancel: l.s.Turn.Stopping != nil}
}
