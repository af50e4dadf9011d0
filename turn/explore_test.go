package turn

import (
	"crypto/md5"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// This test explores every state of the machine for one message with two calls:
// two drivers race on one log, each may crash, freeze and lose its lease; people
// answer, answer again, answer late, edit; a tool's descriptor changes, an
// administrator denies, time passes, the journal fails. The machine is the real
// one; the world around it is small and finite.
//
// proves: P5, P6, P7, D8, S2, C6

// fault is something wrong with the world around the machine, planted to see
// that the exploration finds it.
type planted string

const (
	unboundAnswer   planted = "answer not bound to the digest"
	blindClaim      planted = "claim not atomic"
	rerunStarted    planted = "started calls run again after a crash"
	recordAfter     planted = "record after effect"
	blindDescriptor planted = "descriptor not compared"
	noSecondLook    planted = "no second look at the claim"
	frozenOwner     planted = "a frozen owner acts after its lease"
	otherArguments  planted = "a covered sibling runs with other arguments"
)

// bounds keep the exploration finite: how often each thing may happen, and how
// many troubles of all kinds together.
type bounds struct{ clicks, crashes, takeovers, edits, changes, revokes, expiries, outages, troubles int }

// spend takes one trouble of a kind out of the bounds.
func (b *bounds) spend(kind *int) bool {
	if *kind == 0 || b.troubles == 0 {
		return false
	}
	*kind--
	b.troubles--
	return true
}

// dispatch is a claimed call that its driver has not brought to an end.
type dispatch struct {
	call, digest, pin string
	attempt           int
	epoch             uint64 // under which it was claimed
	done              bool   // the effect has happened; its result is not recorded
}

// driver is one of the two processes.
type driver struct {
	epoch uint64   // 0: it owns nothing
	s     *Session // what it knows of the log
	seq   int
	work  []dispatch
}

// seen is what a person was shown and approved.
type seen struct{ call, digest, pin string }

// node is one state of the whole: the log, the drivers, the world.
type node struct {
	s       *Session
	seq     int
	d       [2]driver
	lease   int
	late    bool // time has passed every expiry
	pin     string
	denied  bool
	down    bool // the journal cannot be written
	left    bounds
	effects map[string]int // of each call
	again   map[string]int // how often a person said "run again"
	said    map[seen]bool
	bad     string
	path    *step // how it came about
}

// step is one thing that happened. Only it is kept of a state that was left.
type step struct {
	from *step
	what string
}

type explorer struct {
	fault    planted
	seen     map[[16]byte]struct{}
	edges    int
	open     []*node
	policies [2]*policy.Policy
	found    string
}

var early, afterwardsTime = time.UnixMilli(1_000_000), time.UnixMilli(9_000_000)

const wait = 10 * time.Second

// putTool is the one tool there is, as it is now or as a driver believes it is.
type putTool struct{ pin string }

func (t putTool) All() []*Tool {
	one, _ := t.Lookup("put")
	return []*Tool{one}
}

func (t putTool) Lookup(wire string) (*Tool, bool) {
	f := policy.Tool{Kind: policy.Host, Name: "put", Pin: t.pin, Class: policy.Write}
	return &Tool{Tool: f, Wire: "put", Check: echo}, wire == "put"
}

func echo(raw []byte) (schema.Args, error) {
	return schema.Args{Canonical: slices.Clone(raw), Digest: "d" + string(raw)}, nil
}

func (x *explorer) world(n *node, epoch uint64) *World {
	w := &World{Now: early, Epoch: epoch, Policy: x.policies[0], Tools: putTool{n.pin}, Wait: wait, Limits: Limits{Denials: 9}}
	if n.late {
		w.Now = afterwardsTime
	}
	if n.denied {
		w.Policy = x.policies[1]
	}
	return w
}

// believed is the world as a driver sees it when it looks a second time.
func (x *explorer) believed(n *node, epoch uint64) *World {
	w := x.world(n, epoch)
	switch x.fault {
	case noSecondLook:
		w.Now, w.Policy, w.Tools = early, x.policies[0], putTool{"p0"}
	case blindDescriptor:
		w.Tools = putTool{"p0"}
	}
	return w
}

// ids are made of what they follow, so that equal states have equal ids.
func ids(s *Session) func(string) string {
	return func(kind string) string { return fmt.Sprintf("%s%d.%d", kind, len(s.Approvals), len(s.Grants)) }
}

// clone copies a session so that events can be applied to the copy.
func clone(s *Session) *Session {
	c := *s
	c.Approvals = make(map[string]*Approval, len(s.Approvals))
	for id, a := range s.Approvals {
		b := *a
		c.Approvals[id] = &b
	}
	c.Grants, c.Given = slices.Clone(s.Grants), slices.Clone(s.Given)
	c.Messages = slices.Clone(s.Messages)
	c.Undo = slices.Clone(s.Undo)
	c.denied, c.similar, c.sticky = maps.Clone(s.denied), maps.Clone(s.similar), maps.Clone(s.sticky)
	if s.Turn != nil {
		t := *s.Turn
		t.denials, t.repeats = maps.Clone(s.Turn.denials), maps.Clone(s.Turn.repeats)
		t.Calls = make([]*Call, len(s.Turn.Calls))
		for i, call := range s.Turn.Calls {
			d := *call
			if call.Edited != nil {
				e := *call.Edited
				d.Edited = &e
			}
			t.Calls[i] = &d
		}
		c.Turn = &t
	}
	return &c
}

func (n *node) copy() *node {
	m := *n
	for i := range m.d {
		m.d[i].work = slices.Clone(n.d[i].work)
	}
	m.effects, m.again, m.said = maps.Clone(n.effects), maps.Clone(n.again), maps.Clone(n.said)
	return &m
}

// key names a state. What can have no influence any more is left out.
func (n *node) key() string {
	var b strings.Builder
	sessionKey(&b, n.s)
	for i := range n.d {
		d := &n.d[i]
		fmt.Fprintf(&b, "|%d %t", d.epoch, d.seq == n.seq)
		if d.epoch != 0 && d.seq != n.seq {
			sessionKey(&b, d.s)
		}
		for _, w := range d.work {
			fmt.Fprintf(&b, " %s %s %s %d %d %t", w.call, w.digest, w.pin, w.attempt, w.epoch, w.done)
		}
	}
	fmt.Fprintf(&b, "|%d %t %s %t %t %v %v %v", n.lease, n.late, n.pin, n.denied, n.down, n.left, n.effects, n.again)
	keys := make([]string, 0, len(n.said))
	for k := range n.said {
		keys = append(keys, k.call+k.digest+k.pin)
	}
	slices.Sort(keys)
	fmt.Fprint(&b, keys)
	return b.String()
}

func sessionKey(b *strings.Builder, s *Session) {
	fmt.Fprintf(b, "%d %d", s.Epoch, len(s.Grants))
	for _, g := range s.Grants {
		b.WriteString(g.Pin)
	}
	for _, c := range s.Turn.Calls {
		fmt.Fprintf(b, ";%s %s %s %d %s %d %s %d", c.State, c.Digest, c.Approval, c.Epoch, c.Device, c.Attempt, outcomeOf(c), c.Redone)
		if c.Decided != nil {
			b.WriteString(c.Decided.Pin)
		}
		if c.Edited != nil {
			fmt.Fprint(b, c.Edited.Used)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Approvals)) {
		a := s.Approvals[id]
		fmt.Fprintf(b, ";%s %s %s %s %s %s %d", id, a.Call, a.Question, a.State, a.Digest, a.Pin, a.Expires)
	}
	fmt.Fprint(b, s.Turn.Open())
}

func outcomeOf(c *Call) Outcome {
	if c.Ended == nil {
		return ""
	}
	return c.Ended.Outcome
}

// begin is the state after the model's message: two calls that ask.
func (x *explorer) begin(t *testing.T, left bounds) *node {
	t.Helper()
	for i, rules := range [][]policy.Rule{nil, {{ID: "stop", Effect: policy.EffectDeny, Tools: []string{"put"}}}} {
		p, err := policy.Compile(&policy.Document{Version: fmt.Sprint(i), Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		x.policies[i] = p
	}
	n := &node{s: New(nil), pin: "p0", left: left, effects: map[string]int{}, again: map[string]int{}, said: map[seen]bool{}}
	calls := []model.Call{{ID: "1", Name: "put", Args: "A"}, {ID: "2", Name: "put", Args: "B"}}
	answer := &model.Answer{Message: model.Message{Role: model.Assistant, Calls: calls}, Finish: model.FinishCalls}
	for _, in := range []Input{
		Begin{Session: "s", Agent: "a", Mode: policy.Ask, Owner: "0"}, Say{Text: "go"},
		Answered{Turn: "turn0.0", Step: 1, Answer: answer},
	} {
		w := x.world(n, 0)
		w.Epoch, w.NewID = 1, counter(n)
		events, err := n.s.Handle(in, w)
		if err != nil {
			t.Fatal(err)
		}
		n.s, _ = follow(n.s, w, events)
		n.seq++
	}
	n.d[0] = driver{epoch: 1, s: n.s, seq: n.seq}
	return n
}

func counter(n *node) func(string) string {
	k := 0
	return func(kind string) string {
		if kind == "call" {
			k++
			return fmt.Sprint("call", k)
		}
		return ids(n.s)(kind)
	}
}

// follow applies events to a copy and adds what follows by itself. nil says that
// an event did not fit.
func follow(s *Session, w *World, events []Event) (*Session, []Event) {
	s = clone(s)
	w.NewID = ids(s)
	for done := 0; ; {
		for ; done < len(events); done++ {
			if s.Apply(events[done]) != nil {
				return nil, events
			}
		}
		more := s.Next(w)
		if len(more) == 0 {
			return s, events
		}
		events = append(events, more...)
	}
}

// expand does everything that can happen next.
func (x *explorer) expand(n *node) {
	for i := range n.d {
		x.advance(n, i)
		x.takeOver(n, i)
		x.crash(n, i)
		for k := range n.d[i].work {
			x.effect(n, i, k)
			x.record(n, i, k)
		}
	}
	x.people(n)
	x.around(n)
}

func (x *explorer) push(from, m *node, what string, args ...any) {
	x.edges++
	m.path = &step{from.path, fmt.Sprintf(what, args...)}
	if m.bad != "" && x.found == "" {
		x.found = m.bad + "\n" + m.path.String()
	}
	k := md5.Sum([]byte(m.key()))
	if _, ok := x.seen[k]; ok {
		return
	}
	x.seen[k] = struct{}{}
	x.open = append(x.open, m)
}

func (s *step) String() string {
	if s == nil {
		return ""
	}
	return s.from.String() + "  " + s.what + "\n"
}

// advance lets a driver see the newest log, or write what follows by itself.
func (x *explorer) advance(n *node, i int) {
	d := &n.d[i]
	if d.epoch == 0 {
		return
	}
	stale := d.seq != n.seq
	if stale {
		m := n.copy()
		m.d[i].s, m.d[i].seq = n.s, n.seq
		x.push(n, m, "driver %d reads the log", i)
		if x.fault != blindClaim {
			return
		}
	}
	w := x.believed(n, d.epoch)
	s, events := follow(d.s, w, nil)
	if len(events) > 0 {
		x.write(n, i, s, events, "goes on")
	}
}

// write appends events, or finds that it cannot.
func (x *explorer) write(n *node, i int, s *Session, events []Event, what string) {
	m := n.copy()
	d := &m.d[i]
	if s == nil {
		m.bad = "an event does not fit the log"
	}
	for _, e := range events {
		if b, ok := e.Body.(*CallStarted); ok && x.fault == recordAfter {
			x.act(m, dispatch{call: e.Refs.Call, digest: b.Digest, pin: n.pin, attempt: b.Attempt}, !m.down)
		}
	}
	if m.down { // nothing is written: what is in memory is forgotten
		m.d[i] = driver{}
		x.push(n, m, "driver %d %s, and the journal fails", i, what)
		return
	}
	before := m.s
	if s != nil && d.seq == n.seq {
		m.s = s
	} else {
		m.s = clone(m.s)
		for _, e := range events {
			_ = m.s.Apply(e)
		}
	}
	m.seq++
	d.s, d.seq = m.s, m.seq
	for _, e := range events {
		if b, ok := e.Body.(*CallStarted); ok {
			x.claimed(m, before, s, i, e.Refs.Call, b)
		}
	}
	x.push(n, m, "driver %d %s: %s", i, what, types(events))
}

func types(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s %s; ", e.Body.Type(), e.Refs.Call, e.Refs.State)
	}
	return b.String()
}

// claimed checks that nothing spoke against a claim when it was written.
func (x *explorer) claimed(m *node, _, s *Session, i int, call string, b *CallStarted) {
	if s == nil {
		s = m.s
	}
	c := s.Call(call)
	a := s.Approvals[c.Approval]
	switch {
	case m.denied:
		m.bad = "claimed although a rule denies"
	case c.Decided.Pin != m.pin:
		m.bad = "claimed with another descriptor"
	case a != nil && a.State == approval.Approved && a.Expires != 0 && m.late && a.Expires <= afterwardsTime.UnixMilli():
		m.bad = "claimed after its approval had expired"
	}
	if x.fault == recordAfter {
		return
	}
	w := dispatch{call: call, digest: c.Digest, pin: c.Decided.Pin, attempt: b.Attempt, epoch: b.Epoch}
	if x.fault == otherArguments && a != nil && a.State == approval.Covered {
		w.digest = "dA"
	}
	m.d[i].work = append(m.d[i].work, w)
}

// act is the effect. Everything that must be true of one is checked here.
func (x *explorer) act(m *node, w dispatch, logged bool) {
	m.effects[w.call]++
	own := map[string][]string{"call1": {"dA", "dA2"}, "call2": {"dB"}}
	switch {
	case m.effects[w.call] > 1+m.again[w.call]:
		m.bad = "the effect of " + w.call + " happens twice"
	case !slices.Contains(own[w.call], w.digest):
		m.bad = w.call + " runs with another call's arguments"
	case !m.said[seen{w.call, w.digest, w.pin}] && !m.said[seen{"any", "", w.pin}]:
		m.bad = w.call + " runs with " + w.digest + ", which nobody approved"
	case !logged:
		m.bad = "an effect that the log does not know"
	}
}

func (x *explorer) effect(n *node, i, k int) {
	w := n.d[i].work[k]
	if w.done {
		return
	}
	m := n.copy()
	// The check and the dispatch are one step.
	if (n.lease != i || w.epoch != n.d[i].epoch) && x.fault != frozenOwner {
		m.d[i].work = slices.Delete(m.d[i].work, k, k+1)
		x.push(n, m, "driver %d finds its lease lost", i)
		return
	}
	m.d[i].work[k].done = true
	c := m.s.Call(w.call)
	if c.State != Started || c.Attempt != w.attempt {
		m.bad = w.call + " runs after its claim was taken away"
	}
	x.act(m, w, c.Attempt >= w.attempt)
	x.push(n, m, "driver %d runs %s", i, w.call)
}

// record brings a result into the log.
func (x *explorer) record(n *node, i, k int) {
	d, w := &n.d[i], n.d[i].work[k]
	if !w.done || d.seq != n.seq {
		return
	}
	m := n.copy()
	m.d[i].work = slices.Delete(m.d[i].work, k, k+1)
	world := x.believed(n, d.epoch)
	world.NewID = ids(d.s)
	events, err := d.s.Handle(Finished{Call: w.call, Attempt: w.attempt, Text: "ok"}, world)
	if err != nil {
		x.push(n, m, "driver %d has a result that nobody waits for", i)
		return
	}
	s, events := follow(d.s, world, events)
	x.write(m, i, s, events, "records "+w.call)
}

// takeOver is a restart, or another driver whose turn it is when a lease ends.
func (x *explorer) takeOver(n *node, i int) {
	if n.d[i].epoch != 0 && n.lease == i || n.down {
		return
	}
	m := n.copy()
	if n.lease != i {
		if !m.left.spend(&m.left.takeovers) {
			return
		}
		m.lease = i
	}
	w := x.believed(n, n.s.Epoch+1)
	w.NewID = ids(n.s)
	events, err := n.s.Handle(Own{Owner: fmt.Sprint(i)}, w)
	if err != nil {
		panic(err)
	}
	m.d[i].epoch, m.d[i].s, m.d[i].seq = n.s.Epoch+1, n.s, n.seq
	if x.fault == rerunStarted {
		for _, c := range n.s.Turn.Calls {
			if c.State == Started {
				m.d[i].work = append(m.d[i].work, dispatch{call: c.ID, digest: c.Digest, pin: c.Decided.Pin, attempt: c.Attempt, epoch: m.d[i].epoch})
			}
		}
	}
	s, events := follow(n.s, w, events)
	x.write(m, i, s, events, "takes over")
}

func (x *explorer) crash(n *node, i int) {
	m := n.copy()
	if n.d[i].epoch == 0 && len(n.d[i].work) == 0 || !m.left.spend(&m.left.crashes) {
		return
	}
	m.d[i] = driver{}
	x.push(n, m, "driver %d is killed", i)
}

// people answer every question there ever was, also those that are closed.
func (x *explorer) people(n *node) {
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
		x.click(n, a, Answer{Approval: id, Digest: a.Digest, Approved: true, Scope: policy.ScopeSession})
		if a.Call == "call1" && n.left.edits > 0 {
			x.click(n, a, Answer{Approval: id, Digest: a.Digest, Edit: []byte("A2")})
		}
	}
}

func (x *explorer) click(n *node, shown *Approval, in Answer) {
	m := n.copy()
	m.left.clicks--
	said := seen{shown.Call, shown.Digest, shown.Pin}
	if in.Edit != nil {
		m.left.edits--
		said.digest = "dA2"
	}
	c := n.s.Call(shown.Call)
	if now := n.s.Approvals[c.Approval]; x.fault == unboundAnswer && now.Open() && now.Question == shown.Question {
		in.Approval, in.Digest = now.ID, now.Digest
	}
	w := x.world(n, 0)
	w.NewID = ids(n.s)
	events, err := n.s.Handle(in, w)
	s, _ := follow(n.s, w, events)
	if err != nil {
		if s == nil || fingerprint(s) != fingerprint(n.s) {
			m.bad = "a refused answer changes something"
			x.push(n, m, "%+v is refused", in)
		}
		return
	}
	if in.Approved || in.Edit != nil || in.Choice == RunAgain {
		m.said[said] = true
	}
	if in.Scope == policy.ScopeSession {
		m.said[seen{"any", "", shown.Pin}] = true
	}
	if in.Choice == RunAgain {
		m.again[shown.Call]++
	}
	m.s = s
	m.seq++
	x.push(n, m, "a person answers %+v", in)
}

func fingerprint(s *Session) string {
	var b strings.Builder
	sessionKey(&b, s)
	return b.String()
}

// around is what happens in the world; a message that arrives twice changes nothing.
func (x *explorer) around(n *node) {
	m := n.copy()
	if n.pin == "p0" && m.left.spend(&m.left.changes) {
		m.pin = "p1"
		x.push(n, m, "the descriptor changes")
	}
	if m = n.copy(); !n.denied && m.left.spend(&m.left.revokes) {
		m.denied = true
		x.push(n, m, "an administrator denies")
	}
	if m = n.copy(); !n.late && m.left.spend(&m.left.expiries) {
		m.late = true
		x.push(n, m, "time passes")
	}
	if m = n.copy(); n.down {
		m.down = false
		x.push(n, m, "the journal works again")
	} else if m.left.spend(&m.left.outages) {
		m.down = true
		x.push(n, m, "the journal fails")
	}
	w := x.world(n, n.s.Epoch)
	w.NewID = ids(n.s)
	if _, err := n.s.Handle(Answered{Turn: "turn0.0", Step: 1, Answer: &model.Answer{}}, w); err == nil {
		m := n.copy()
		m.bad = "a message that arrives twice is taken twice"
		x.push(n, m, "the message arrives again")
	}
}

func (x *explorer) run(t *testing.T, left bounds) {
	t.Helper()
	x.seen = map[[16]byte]struct{}{}
	x.open = append(x.open, x.begin(t, left))
	for len(x.open) > 0 && x.found == "" {
		n := x.open[0]
		x.open[0] = nil
		x.open = x.open[1:]
		x.expand(n)
	}
}

func TestExplore(t *testing.T) {
	left := bounds{clicks: 2, crashes: 1, takeovers: 1, edits: 1, changes: 1, revokes: 1, expiries: 1, outages: 1, troubles: 2}
	if os.Getenv("ASSENT_NIGHTLY") != "" {
		left.clicks, left.takeovers = 3, 2
	}
	x := &explorer{}
	start := time.Now()
	x.run(t, left)
	t.Logf("%d states, %d edges in %v", len(x.seen), x.edges, time.Since(start).Round(time.Millisecond))
	if x.found != "" {
		t.Fatal(x.found)
	}
}

func TestExploreFindsPlantedFaults(t *testing.T) {
	plants := []struct {
		fault planted
		left  bounds // as much trouble as the fault needs to show
	}{
		{unboundAnswer, bounds{clicks: 2, changes: 1, takeovers: 1, troubles: 2}},
		{blindClaim, bounds{clicks: 2, takeovers: 1, troubles: 1}},
		{rerunStarted, bounds{clicks: 1, takeovers: 1, crashes: 1, troubles: 2}},
		{recordAfter, bounds{clicks: 1, outages: 1, troubles: 1}},
		{blindDescriptor, bounds{clicks: 1, changes: 1, troubles: 1}},
		{noSecondLook, bounds{clicks: 1, revokes: 1, expiries: 1, troubles: 1}},
		{frozenOwner, bounds{clicks: 2, takeovers: 1, troubles: 1}},
		{otherArguments, bounds{clicks: 1}},
	}
	for _, p := range plants {
		t.Run(string(p.fault), func(t *testing.T) {
			sound := &explorer{}
			if sound.run(t, p.left); sound.found != "" {
				t.Fatalf("without the fault: %s", sound.found)
			}
			x := &explorer{fault: p.fault}
			x.run(t, p.left)
			t.Logf("%d states, %d edges: %s", len(x.seen), x.edges, x.found)
			if x.found == "" {
				t.Fatal("the exploration does not notice this fault")
			}
		})
	}
}
