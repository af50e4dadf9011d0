package turn

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// What can happen next where calls run on devices, and what must be true of it.

// advance lets a driver see the newest log, or write what follows by itself.
func (x *farExplorer) advance(n *far, i int) {
	d := &n.d[i]
	if d.epoch == 0 {
		return
	}
	if d.seq != n.seq {
		m := n.copy()
		m.d[i].s, m.d[i].seq = n.s, n.seq
		x.push(n, m, "driver %d reads the log", i)
		if x.fault != blindWrite {
			return
		}
	}
	s, events := follow(d.s, x.world(n, d.epoch), nil)
	m := n.copy()
	if len(events) > 0 {
		x.write(m, i, s, events)
		x.push(n, m, "driver %d goes on: %s", i, types(events))
		return
	}
	if x.rests(m, d.epoch); m.bad != "" && d.seq == n.seq {
		x.push(n, m, "driver %d has nothing to write", i)
	}
}

// takeOver gives the session to another owner, or to the same after a crash.
func (x *farExplorer) takeOver(n *far, i int) {
	m := n.copy()
	if n.down || !m.left.spend(&m.left.takeovers) {
		return
	}
	w := x.world(n, n.s.Epoch+1)
	w.NewID = ids(n.s)
	events, err := n.s.Handle(Own{Owner: strconv.Itoa(i)}, w)
	if err != nil {
		panic(err)
	}
	m.d[i] = driver{epoch: n.s.Epoch + 1, s: n.s, seq: n.seq}
	s, events := follow(n.s, w, events)
	x.write(m, i, s, events)
	x.push(n, m, "driver %d takes over: %s", i, types(events))
}

// write appends events and says whether it could. What they say is held against
// the world.
func (x *farExplorer) write(m *far, i int, s *Session, events []Event) bool {
	d := &m.d[i]
	if s == nil {
		m.bad = "an event does not fit the log"
	}
	if m.down {
		*d = driver{}
		return false
	}
	if s == nil || d.seq != m.seq {
		s = clone(m.s)
		for _, e := range events {
			_ = s.Apply(e)
		}
	}
	m.s = s
	m.seq++
	d.s, d.seq = m.s, m.seq
	for _, e := range events {
		switch b := e.Body.(type) {
		case *CallStarted:
			x.began(m, e.Refs.Call, b)
		case *CallUnknown:
			if device := s.Call(e.Refs.Call).Device; !m.gone[device[0]-'0'] {
				m.bad = e.Refs.Call + " is in doubt although its device is there"
			}
		}
	}
	x.rests(m, d.epoch)
	return true
}

// began holds a claim against the world of its moment.
func (x *farExplorer) began(m *far, call string, b *CallStarted) {
	c := m.s.Call(call)
	a := m.s.Approvals[c.Approval]
	attempt := fmt.Sprint(call, b.Attempt)
	switch {
	case m.started[attempt]:
		m.bad = "an attempt of " + call + " is claimed twice"
	case b.Device == "":
		m.bad = call + " starts at its owner"
	case m.gone[b.Device[0]-'0']:
		m.bad = call + " is claimed by a device that is gone"
	case m.denied:
		m.bad = "claimed although a rule denies"
	case c.Decided != nil && c.Decided.Pin != m.pin:
		m.bad = "claimed with another descriptor"
	case m.s.Turn.Stopping != nil:
		m.bad = "claimed while the turn is being stopped"
	case a != nil && a.State == approval.Approved && a.Expires != 0 && m.late && a.Expires <= afterwardsTime.UnixMilli():
		m.bad = "claimed after its approval had expired"
	}
	m.started[attempt] = true
}

// rests checks what must be true when the owner has written all that follows: a
// call that may run is offered or on its way, at one place.
func (x *farExplorer) rests(m *far, epoch uint64) {
	if epoch != m.s.Epoch || !m.s.Turn.Open() || x.fault != "" && x.fault != neverGone {
		return
	}
	want, may := m.s.Wants(x.world(m, epoch)), 0
	for _, c := range m.s.Turn.Calls {
		if c.State == Ready || c.State == Started {
			may++
		}
		if c.State == Started && c.Decided.Class != policy.Read && m.gone[c.Device[0]-'0'] {
			m.bad = c.ID + " waits for a device that is gone"
		}
	}
	if len(want.Run) > 0 || len(want.Offer)+len(want.Away) != may {
		m.bad = "a call that may run is nowhere, or at its owner"
	}
}

// claims lets a device claim every call, also one that is not offered, with the
// digest of now and with the first one.
func (x *farExplorer) claims(n *far, i, k int) {
	d := &n.d[i]
	if d.epoch == 0 || n.dead[k] || d.seq != n.seq && x.fault != blindWrite {
		return
	}
	for _, c := range n.s.Turn.Calls {
		digests := []string{c.Digest}
		if c.Digest != "dA" {
			digests = append(digests, "dA")
		}
		for _, digest := range digests {
			x.claim(n, i, k, c, digest)
		}
	}
}

func (x *farExplorer) claim(n *far, i, k int, c *Call, digest string) {
	d := &n.d[i]
	if slices.ContainsFunc(n.tasks[k], func(t task) bool { return t.call == c.ID && t.attempt == c.Attempt }) {
		return // it knows
	}
	in := Claim{Call: c.ID, Digest: digest, Device: strconv.Itoa(k)}
	w := x.world(n, d.epoch)
	w.NewID = ids(d.s)
	switch x.fault {
	case unboundClaim:
		in.Digest = c.Digest
	case oldLook:
		w.Policy, w.Now = x.policies[0], early
	case sharedName:
		in.Device = "0"
	}
	events, err := d.s.Handle(in, w)
	if err != nil && len(events) == 0 {
		if c.State == Started && c.Device == in.Device && digest == c.Digest && !n.gone[k] && d.epoch == n.s.Epoch {
			m := n.copy()
			m.bad = "a claim that counts is refused when it is sent again"
			x.push(n, m, "device %d claims %s again: %v", k, c.ID, err)
		}
		return
	}
	w.Policy = x.world(n, d.epoch).Policy
	s, events := follow(d.s, w, events)
	m := n.copy()
	written := len(events) == 0 || x.write(m, i, s, events)
	if err != nil || !written && x.fault != claimUnwritten {
		x.push(n, m, "device %d claims %s in vain: %s", k, c.ID, types(events))
		return
	}
	if lost := m.copy(); lost.left.spend(&lost.left.replies) {
		x.push(n, lost, "device %d claims %s and does not hear so: %s", k, c.ID, types(events))
	}
	now := m.s.Call(c.ID)
	m.tasks[k] = append(m.tasks[k], task{call: c.ID, digest: digest, pin: now.Decided.Pin, attempt: max(1, now.Attempt)})
	x.push(n, m, "device %d claims %s: %s", k, c.ID, types(events))
}

// forge sends a result for a call that another device has claimed.
func (x *farExplorer) forge(n *far, i, k int) {
	d, device := &n.d[i], strconv.Itoa(k)
	if d.epoch == 0 || d.seq != n.seq {
		return
	}
	for _, c := range n.s.Turn.Calls {
		if c.Device == "" || c.Device == device {
			continue
		}
		w := x.world(n, d.epoch)
		if _, err := d.s.Handle(Finished{Call: c.ID, Attempt: c.Attempt, Text: "forged", Device: device}, w); err == nil {
			m := n.copy()
			m.bad = c.ID + " takes the result of a device that did not claim it"
			x.push(n, m, "device %d sends a result of %s", k, c.ID)
		}
	}
}

// deliver brings a result to a driver.
func (x *farExplorer) deliver(n *far, i, k, j int) {
	d, t := &n.d[i], n.tasks[k][j]
	if !t.done || d.epoch == 0 || d.seq != n.seq {
		return
	}
	in := Finished{Call: t.call, Attempt: t.attempt, Text: t.result(k), Device: strconv.Itoa(k)}
	before := n.s.Call(t.call)
	if x.fault == foreignResult {
		in.Device, in.Attempt = before.Device, before.Attempt
	}
	w := x.world(n, d.epoch)
	w.NewID = ids(d.s)
	events, err := d.s.Handle(in, w)
	if x.fault == resultDiscarded && before.State == Doubtful {
		events, err = nil, errDiscarded
	}
	changes := slices.ContainsFunc(events, func(e Event) bool { return e.Body.Type() != (*AnswerIgnored)(nil).Type() })
	s, events := follow(d.s, w, events)
	m := n.copy()
	if len(events) > 0 && !x.write(m, i, s, events) {
		x.push(n, m, "device %d sends %s, and the journal fails", k, t.call)
		return
	}
	after := m.s.Call(t.call)
	mine := before.Device == strconv.Itoa(k) && before.Attempt == t.attempt
	switch {
	case err != nil && mine && (before.State == Started || before.State == Doubtful || before.State == Ready && before.Redone == 0):
		m.bad = "the result of " + t.call + " is lost"
	case err != nil && mine && before.State == Ended && before.Ended.Text == t.result(k):
		m.bad = "a result that counts is refused when it is sent again"
	case err != nil && changes:
		m.bad = "a refused result changes something"
	case err == nil && (after.Ended == nil || after.Ended.Text != t.result(k)):
		m.bad = t.call + " has another result than the one that its device sent"
	case err == nil && before.State != Ended && !mine:
		m.bad = t.call + " has the result of a device that did not claim it"
	}
	if lost := m.copy(); err == nil && lost.left.spend(&lost.left.replies) {
		x.push(n, lost, "device %d sends %s and does not hear so: %s", k, t.call, types(events))
	}
	m.tasks[k] = slices.Delete(m.tasks[k], j, j+1)
	x.push(n, m, "device %d sends %s (%v): %s", k, t.call, err, types(events))
}

var errDiscarded = fmt.Errorf("discarded")

// device lets a device run what it claimed, vanish, come back, or die. One that
// the drivers believe to be gone may run all the same.
func (x *farExplorer) device(n *far, k int) {
	for j, t := range n.tasks[k] {
		if !t.done {
			m := n.copy()
			m.tasks[k][j].done = true
			x.act(m, t)
			x.push(n, m, "device %d runs %s", k, t.call)
		}
	}
	if m := n.copy(); n.gone[k] && !n.dead[k] {
		m.gone[k] = false
		x.push(n, m, "device %d is back", k)
	}
	if m := n.copy(); !n.gone[k] && m.left.spend(&m.left.vanish) {
		m.gone[k] = true
		if x.fault == rerunGone {
			m.s = clone(m.s)
			for _, c := range m.s.Turn.Calls {
				if c.State == Started {
					c.State = Ready
				}
			}
			m.seq++
		}
		x.push(n, m, "device %d is gone", k)
		dead := m.copy()
		dead.dead[k], dead.tasks[k] = true, nil
		x.push(n, dead, "device %d dies", k)
	}
}

// act is the effect.
func (x *farExplorer) act(m *far, t task) {
	c := m.s.Call(t.call)
	if c.Wire == "look" {
		return
	}
	m.effects[t.call]++
	switch {
	case m.effects[t.call] > 1+m.again[t.call]:
		m.bad = "the effect of " + t.call + " happens twice"
	case !m.said[seen{t.call, t.digest, t.pin}]:
		m.bad = t.call + " runs with " + t.digest + ", which nobody approved"
	case !m.started[fmt.Sprint(t.call, t.attempt)]:
		m.bad = "an effect that the log does not know"
	}
}

// people answer every question there ever was, also those that are closed.
func (x *farExplorer) people(n *far) {
	if n.left.clicks == 0 || n.down {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(n.s.Approvals)) {
		a := n.s.Approvals[id]
		if a.Question == WhatBecame {
			for _, choice := range []Choice{Happened, RunAgain, GiveUp} {
				x.click(n, a, Answer{Approval: id, Digest: a.Digest, Choice: choice})
			}
			continue
		}
		x.click(n, a, Answer{Approval: id, Digest: a.Digest})
		x.click(n, a, Answer{Approval: id, Digest: a.Digest, Approved: true})
		if m := n.copy(); m.left.spend(&m.left.edits) {
			x.click(m, a, Answer{Approval: id, Digest: a.Digest, Edit: []byte("A2")})
		}
	}
}

func (x *farExplorer) click(n *far, shown *Approval, in Answer) {
	m := n.copy()
	m.left.clicks--
	w := x.world(n, 0)
	w.NewID = ids(n.s)
	events, err := n.s.Handle(in, w)
	if err != nil {
		return // the exploration of calls at their owner looks at these
	}
	said := seen{shown.Call, shown.Digest, shown.Pin}
	if in.Edit != nil {
		said.digest = "dA2"
	}
	if in.Approved || in.Edit != nil || in.Choice == RunAgain {
		m.said[said] = true
	}
	if in.Choice == RunAgain {
		m.again[shown.Call]++
	}
	m.s, _ = follow(n.s, w, events)
	m.seq++
	x.push(n, m, "a person answers %s %t %s %s", in.Approval, in.Approved, in.Edit, in.Choice)
}

// around is what happens in the world.
func (x *farExplorer) around(n *far) {
	troubles := []struct {
		what string
		kind func(b *farBounds) *int
		do   func(m *far)
	}{
		{"the descriptors change", func(b *farBounds) *int { return &b.changes }, func(m *far) { m.pin = "p1" }},
		{"an administrator denies", func(b *farBounds) *int { return &b.revokes }, func(m *far) { m.denied = true }},
		{"time passes", func(b *farBounds) *int { return &b.expiries }, func(m *far) { m.late = true }},
		{"the journal fails", func(b *farBounds) *int { return &b.outages }, func(m *far) { m.down = true }},
		{"the user stops the turn", func(b *farBounds) *int { return &b.stops }, x.stop},
	}
	for _, trouble := range troubles {
		if m := n.copy(); m.left.spend(trouble.kind(&m.left)) {
			trouble.do(m)
			x.push(n, m, "%s", trouble.what)
		}
	}
	if n.down {
		m := n.copy()
		m.down = false
		x.push(n, m, "the journal works again")
	}
}

func (x *farExplorer) stop(m *far) {
	w := x.world(m, 0)
	w.NewID = ids(m.s)
	events, _ := m.s.Handle(Stop{}, w)
	m.s, _ = follow(m.s, w, events)
	m.seq++
}
