package turn

import (
	"crypto/md5"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
)

// This test explores calls that run on devices: two devices claim the calls of
// one message, claim them twice, claim them with a digest of yesterday, vanish
// with a claim, run it all the same, come back and send what came of it, to two
// drivers of which the newer one owns the session. Requests and their replies get
// lost. People, administrators, time and the journal do what they do in the
// exploration of calls that run at their owner.
//
// proves: S8, S2, P5, P12

const (
	foreignResult   planted = "a result counts whoever sends it"
	unboundClaim    planted = "claim not bound to the digest"
	blindWrite      planted = "append not atomic"
	claimUnwritten  planted = "a device runs before the claim is written"
	rerunGone       planted = "a gone device's call counts as not started"
	forgetfulOwner  planted = "a new owner forgets what runs on devices"
	neverGone       planted = "nobody notices that a device is gone"
	oldLook         planted = "a claim is looked at with yesterday's eyes"
	sharedName      planted = "two devices have one name"
	resultDiscarded planted = "a late result is thrown away"
)

// farBounds keep the exploration of devices finite.
type farBounds struct {
	clicks                                                                                  int
	takeovers, edits, changes, revokes, expiries, outages, vanish, replies, stops, troubles int
}

func (b *farBounds) spend(kind *int) bool {
	if *kind == 0 || b.troubles == 0 {
		return false
	}
	*kind--
	b.troubles--
	return true
}

// task is a claimed call on a device.
type task struct {
	call, digest, pin string
	attempt           int
	done              bool // the effect has happened; its result is not delivered
}

func (k task) result(device int) string { return fmt.Sprintf("%s/%d/%d", k.call, k.attempt, device) }

// far is one state of the log, the drivers, the devices and the world.
type far struct {
	s       *Session
	seq     int
	d       [2]driver // without work: it is done on the devices
	tasks   [2][]task
	gone    [2]bool // what the drivers are told
	dead    [2]bool // for good
	late    bool
	pin     string
	denied  bool
	down    bool
	left    farBounds
	effects map[string]int
	again   map[string]int
	said    map[seen]bool
	started map[string]bool
	bad     string
	path    *step
}

type farExplorer struct {
	fault    planted
	calls    []string // the tools that the message calls
	policies [2]*policy.Policy
	seen     map[[16]byte]struct{}
	edges    int
	open     []*far
	found    string
}

// farTools are two tools whose calls run on a device.
type farTools struct{ pin string }

func (t farTools) All() (list []*Tool) {
	for _, name := range []string{"put", "look"} {
		one, _ := t.Lookup(name)
		list = append(list, one)
	}
	return list
}

func (t farTools) Lookup(wire string) (*Tool, bool) {
	class := policy.Write
	if wire == "look" {
		class = policy.Read
	}
	f := policy.Tool{Kind: policy.Host, Name: wire, Pin: t.pin, Class: class}
	return &Tool{Tool: f, Wire: wire, Check: echo, Remote: true}, wire == "put" || wire == "look"
}

func (x *farExplorer) world(n *far, epoch uint64) *World {
	w := &World{Now: early, Epoch: epoch, Policy: x.policies[0], Tools: farTools{n.pin}, Wait: wait, Limits: Limits{Denials: 9}}
	if n.late {
		w.Now = afterwardsTime
	}
	if n.denied {
		w.Policy = x.policies[1]
	}
	gone := n.gone
	w.Gone = func(device string) bool { return gone[device[0]-'0'] }
	switch {
	case x.fault == neverGone:
		w.Gone = nil
	case x.fault == forgetfulOwner && epoch > 1:
		w.Gone = func(string) bool { return true }
	}
	return w
}

func (n *far) copy() *far {
	m := *n
	for i := range m.tasks {
		m.tasks[i] = slices.Clone(n.tasks[i])
	}
	m.effects, m.again, m.said, m.started = maps.Clone(n.effects), maps.Clone(n.again), maps.Clone(n.said), maps.Clone(n.started)
	return &m
}

func (n *far) key() string {
	var b strings.Builder
	sessionKey(&b, n.s)
	fmt.Fprint(&b, n.s.Turn.Stopping != nil)
	for i := range n.d {
		d := &n.d[i]
		fmt.Fprintf(&b, "|%d %t", d.epoch, d.seq == n.seq)
		if d.epoch != 0 && d.seq != n.seq {
			sessionKey(&b, d.s)
		}
		fmt.Fprint(&b, n.tasks[i])
	}
	fmt.Fprint(&b, n.gone, n.dead, n.late, n.pin, n.denied, n.down, n.left, n.effects, n.again, n.said)
	return b.String()
}

// begin is the state after the model's message.
func (x *farExplorer) begin(t *testing.T, left farBounds) *far {
	t.Helper()
	for i, rules := range [][]policy.Rule{nil, {{ID: "stop", Effect: policy.EffectDeny, Tools: []string{"put", "look"}}}} {
		p, err := policy.Compile(&policy.Document{Version: strconv.Itoa(i), Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		x.policies[i] = p
	}
	n := &far{s: New(nil), pin: "p0", left: left, effects: map[string]int{}, again: map[string]int{}, said: map[seen]bool{}, started: map[string]bool{}}
	var calls []model.Call
	for i, name := range x.calls {
		calls = append(calls, model.Call{ID: strconv.Itoa(i), Name: name, Args: "A"})
	}
	answer := &model.Answer{Message: model.Message{Role: model.Assistant, Calls: calls}, Finish: model.FinishCalls}
	k := 0
	for _, in := range []Input{Begin{Session: "s", Agent: "a", Mode: policy.Ask, Owner: "0"}, Say{Text: "go"}, Answered{Turn: "turn0.0", Step: 1, Answer: answer}} {
		w := x.world(n, 1)
		w.NewID = func(kind string) string {
			if kind == "call" {
				k++
				return "call" + strconv.Itoa(k)
			}
			return ids(n.s)(kind)
		}
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

func (x *farExplorer) push(from, m *far, what string, args ...any) {
	x.edges++
	m.path = &step{from.path, fmt.Sprintf(what, args...)}
	k := md5.Sum([]byte(m.key()))
	_, known := x.seen[k]
	if !known && m.bad == "" {
		m.bad = x.ends(m)
	}
	if m.bad != "" && x.found == "" {
		x.found = m.bad + "\n" + m.path.String()
	}
	if !known {
		x.seen[k] = struct{}{}
		x.open = append(x.open, m)
	}
}

// ends checks that a turn ends, with one result for each call, when it is
// stopped and the devices do not come back (SPEC P12).
func (x *farExplorer) ends(n *far) string {
	if x.fault != "" {
		return ""
	}
	m := n.copy()
	m.gone = [2]bool{true, true}
	w := x.world(m, m.s.Epoch)
	w.NewID = ids(m.s)
	s, _ := follow(m.s, w, nil)
	events, _ := s.Handle(Stop{}, w)
	if s, _ = follow(s, w, events); s == nil || s.Turn.Open() {
		return "a turn does not end"
	}
	results := 0
	for _, msg := range s.Messages {
		if msg.Role == model.ToolRole {
			results++
		}
	}
	if results != len(s.Turn.Calls) {
		return "a call has no result, or two"
	}
	return ""
}

func (x *farExplorer) expand(n *far) {
	for i := range n.d {
		x.advance(n, i)
		x.takeOver(n, i)
		for k := range n.tasks {
			x.claims(n, i, k)
			x.forge(n, i, k)
			for j := range n.tasks[k] {
				x.deliver(n, i, k, j)
			}
		}
	}
	for k := range n.tasks {
		x.device(n, k)
	}
	x.people(n)
	x.around(n)
}

func (x *farExplorer) run(t *testing.T, left farBounds) {
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

func TestExploreDevices(t *testing.T) {
	all := farBounds{clicks: 2, takeovers: 1, edits: 1, changes: 1, revokes: 1, expiries: 1, outages: 1, vanish: 2, replies: 1, stops: 1, troubles: 2}
	pair := farBounds{clicks: 2, takeovers: 1, vanish: 1, stops: 1, troubles: 1}
	if os.Getenv("ASSENT_NIGHTLY") != "" {
		all.clicks, all.troubles, pair.troubles = 3, 3, 2
	}
	cases := []struct {
		calls []string
		left  farBounds
	}{{[]string{"put"}, all}, {[]string{"look"}, all}, {[]string{"look", "put"}, pair}}
	for _, c := range cases {
		t.Run(strings.Join(c.calls, " and "), func(t *testing.T) {
			x := &farExplorer{calls: c.calls}
			start := time.Now()
			x.run(t, c.left)
			t.Logf("%d states, %d edges in %v", len(x.seen), x.edges, time.Since(start).Round(time.Millisecond))
			if x.found != "" {
				t.Fatal(x.found)
			}
		})
	}
}

func TestExploreDevicesFindsPlantedFaults(t *testing.T) {
	plants := []struct {
		fault planted
		call  string
		left  farBounds
	}{
		{foreignResult, "put", farBounds{clicks: 2, vanish: 1, troubles: 1}},
		{unboundClaim, "put", farBounds{clicks: 2, edits: 1, troubles: 1}},
		{blindWrite, "put", farBounds{clicks: 1, takeovers: 1, troubles: 1}},
		{claimUnwritten, "put", farBounds{clicks: 1, outages: 1, troubles: 1}},
		{rerunGone, "put", farBounds{clicks: 1, vanish: 1, troubles: 1}},
		{forgetfulOwner, "put", farBounds{clicks: 1, takeovers: 1, troubles: 1}},
		{neverGone, "put", farBounds{clicks: 1, vanish: 1, troubles: 1}},
		{oldLook, "put", farBounds{clicks: 1, revokes: 1, troubles: 1}},
		{sharedName, "put", farBounds{clicks: 1}},
		{resultDiscarded, "put", farBounds{clicks: 1, vanish: 1, troubles: 1}},
		{foreignResult, "look", farBounds{vanish: 1, troubles: 1}},
	}
	for _, p := range plants {
		t.Run(string(p.fault)+" "+p.call, func(t *testing.T) {
			sound := &farExplorer{calls: []string{p.call}}
			if sound.run(t, p.left); sound.found != "" {
				t.Fatalf("without the fault: %s", sound.found)
			}
			x := &farExplorer{fault: p.fault, calls: []string{p.call}}
			x.run(t, p.left)
			t.Logf("%d states, %d edges: %s", len(x.seen), x.edges, x.found)
			if x.found == "" {
				t.Fatal("the exploration does not notice this fault")
			}
		})
	}
}
