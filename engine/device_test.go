package engine_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// presence says which devices are gone.
type presence struct{ gone sync.Map }

func (p *presence) is(device string) bool { _, ok := p.gone.Load(device); return ok }

// onDevice is a fixture whose tools get and put run on devices.
func onDevice(t *testing.T, mode policy.Mode, p *presence, change func(o *engine.Options)) *fixture {
	t.Helper()
	return setUpWith(t, mode, func(f *fixture, o *engine.Options) {
		o.Tools = box(t, far(f, "get", policy.Read), far(f, "put", policy.Write), f.tool("drop", policy.Destructive))
		o.Gone = p.is
		if change != nil {
			change(o)
		}
	}, says("", call("a", "put", `{"id":"A"}`)))
}

// far is a tool as a server knows it: by its descriptor.
func far(f *fixture, name string, class policy.Class) *tool.Tool {
	return f.tool(name, class).Descriptor().Remote()
}

// offer waits until a watcher hears of calls that wait for a device.
func offer(t *testing.T, w *engine.Watcher) engine.Offer {
	t.Helper()
	for {
		u, err := w.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if u.Offers != nil && len(u.Offers.Calls) > 0 {
			return u.Offers.Calls[0]
		}
	}
}

// claim claims a call that must be free.
func (f *fixture) claim(t *testing.T, o engine.Offer, device string) *engine.Claimed {
	t.Helper()
	c, err := f.e.Claim(f.session, o.Call, o.Digest, device)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *claimedCall) result(text string) turn.Finished {
	return turn.Finished{Call: c.Call, Attempt: c.Attempt, Text: text, Device: c.device}
}

type claimedCall struct {
	*engine.Claimed
	device string
}

// away approves the call of the fixture's message and lets a device claim it.
func away(t *testing.T, f *fixture, device string) (*engine.Watcher, *claimedCall) {
	t.Helper()
	w := f.send(t, "go")
	f.desk.answer(f.desk.next(t), approval.Approve())
	return w, &claimedCall{f.claim(t, offer(t, w), device), device}
}

func (f *fixture) returns(t *testing.T, in turn.Finished, want fault.Code) {
	t.Helper()
	if err := f.e.Return(f.session, in); fault.CodeOf(err) != want {
		t.Errorf("the result: %v, want code %q", err, want)
	}
}

func TestS8ACallRunsOnTheDeviceThatClaimedIt(t *testing.T) {
	f := onDevice(t, policy.Ask, &presence{}, nil)
	w, c := away(t, f, "laptop")
	if string(c.Args) != `{"id":"A"}` || c.Class != policy.Write || c.Mode != policy.Ask || c.Attempt != 1 || c.Approved.By != "alice" || c.Wire != "put" {
		t.Errorf("claimed as %+v", c.Claimed)
	}
	again := f.claim(t, c.Offer, "laptop")
	owed, err := f.e.Claimed(f.session, "laptop")
	if err != nil || len(owed) != 1 || owed[0].Call != c.Call || again.Attempt != 1 {
		t.Errorf("sent again as attempt %d, owed %+v, %v", again.Attempt, owed, err)
	}
	if _, err := f.e.Claim(f.session, c.Call, c.Digest, "phone"); fault.CodeOf(err) != fault.AlreadyDecided {
		t.Errorf("a second device: %v", err)
	}
	foreign := c.result("forged")
	foreign.Device = "phone"
	f.returns(t, foreign, fault.Conflict)
	f.returns(t, turn.Finished{Call: c.Call, Attempt: 1}, fault.BadConfig)
	f.returns(t, c.result("put there"), "")
	finish(t, w)
	f.returns(t, c.result("put there"), "")
	want(t, "told", f.told(), []string{"a: put there"})
	if f.list() != "" {
		t.Errorf("the server ran %s", f.list())
	}
}

func TestS8OfTwoDevicesThatClaimAtOnceOneGetsTheCall(t *testing.T) {
	f := onDevice(t, policy.Auto, &presence{}, nil)
	o := offer(t, f.send(t, "go"))
	var got atomic.Int32
	var wg sync.WaitGroup
	for _, device := range []string{"a", "b", "c", "d", "e", "f"} {
		wg.Go(func() {
			if _, err := f.e.Claim(f.session, o.Call, o.Digest, device); err == nil {
				got.Add(1)
			}
		})
	}
	wg.Wait()
	if got.Load() != 1 {
		t.Errorf("%d devices got the call", got.Load())
	}
	if offers, err := f.e.Offers(f.session); err != nil || len(offers.Calls) != 0 {
		t.Errorf("still offered: %+v, %v", offers, err)
	}
}

func TestS8ADeviceThatVanishesWithAClaimLeavesUnknown(t *testing.T) {
	p := &presence{}
	f := onDevice(t, policy.Ask, p, nil)
	w, c := away(t, f, "laptop")
	if d := f.e.Devices(); len(d) != 1 || d[0] != "laptop" {
		t.Errorf("calls run on %v", d)
	}
	p.gone.Store("laptop", true)
	f.e.Reconsider("laptop")
	lost := f.desk.next(t)
	if !lost.Lost {
		t.Fatal("nobody is asked what became of the call")
	}
	f.returns(t, c.result("put there"), "") // it was only cut off
	finish(t, w)
	if s := f.desk.state(lost.ID); s != approval.Superseded {
		t.Errorf("the question closed as %v", s)
	}
	want(t, "told", f.told(), []string{"a: put there"})
}

func TestS8AReadCallOfAGoneDeviceIsOfferedAgain(t *testing.T) {
	p := &presence{}
	f := onDevice(t, policy.Ask, p, nil)
	f.model.list = append(f.model.list[:0], says("", call("a", "get", `{"id":"A"}`)))
	w := f.send(t, "go")
	o := offer(t, w)
	first := &claimedCall{f.claim(t, o, "laptop"), "laptop"}
	p.gone.Store("laptop", true)
	f.e.Reconsider("laptop")
	second := &claimedCall{f.claim(t, offer(t, w), "phone"), "phone"}
	if second.Attempt != 2 {
		t.Errorf("attempt %d", second.Attempt)
	}
	f.returns(t, first.result("old"), fault.Conflict)
	f.returns(t, second.result("new"), "")
	finish(t, w)
	want(t, "told", f.told(), []string{"a: new"})
}

func TestS2ACallOnADeviceOutlivesItsServer(t *testing.T) {
	p := &presence{}
	f := onDevice(t, policy.Ask, p, nil)
	_, c := away(t, f, "laptop")
	f.restart(t)
	if d := f.e.Devices(); len(d) != 1 || d[0] != "laptop" {
		t.Errorf("calls run on %v", d)
	}
	_, w, err := f.e.Follow(f.session)
	if err != nil {
		t.Fatal(err)
	}
	f.returns(t, c.result("put there"), "")
	finish(t, w)
	want(t, "told", f.told(), []string{"a: put there"})
	if f.desk.asked() != 0 {
		t.Error("somebody was asked what became of a call that ran all the time")
	}
}

func TestS8ASleepingSessionHearsThatItsDeviceIsGone(t *testing.T) {
	p := &presence{}
	f := onDevice(t, policy.Ask, p, func(o *engine.Options) { o.Keep = 1 })
	w, _ := away(t, f, "laptop")
	w.Stop()
	for range 3 { // others push it out of memory
		if _, err := f.e.Create(engine.Who{}, policy.Ask); err != nil {
			t.Fatal(err)
		}
	}
	p.gone.Store("laptop", true)
	f.e.Reconsider("laptop")
	if !f.desk.next(t).Lost {
		t.Error("nobody is asked what became of the call")
	}
}

func TestP12ADeviceHasTheGraceTimeToSendItsResult(t *testing.T) {
	cases := []struct {
		name  string
		after time.Duration
		want  turn.Outcome
		code  fault.Code
	}{
		{"P12 within it the result counts", 4 * time.Second, turn.OK, ""},
		{"P12 after it the outcome is unknown", 6 * time.Second, turn.UnknownState, fault.AlreadyDecided},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := onDevice(t, policy.Ask, &presence{}, nil)
				_, run := away(t, f, "laptop")
				f.do(t, turn.Stop{})
				if again := f.claim(t, run.Offer, "laptop"); !again.Cancel {
					t.Error("the device is not told to stop")
				}
				time.Sleep(c.after)
				synctest.Wait()
				f.returns(t, run.result("put there"), c.code)
				_ = f.e.View(f.session, func(s *turn.Session) {
					if end := s.Call(run.Call).Ended; end == nil || end.Outcome != c.want || s.Turn.Open() {
						t.Errorf("ended as %+v", end)
					}
				})
				f.e.Close()
			})
		})
	}
}

func TestT3bTwoSessionsOfOneEngineHaveDifferentTools(t *testing.T) {
	var f *fixture
	var broken atomic.Bool
	boxes := map[string]*engine.Toolbox{}
	f = setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) {
		o.ToolsOf = func(session string) (*engine.Toolbox, error) {
			if broken.Load() {
				return nil, errors.New("the store is down")
			}
			return boxes[session], nil
		}
	}, putA)
	second, err := f.e.Create(engine.Who{}, policy.Auto)
	if err != nil {
		t.Fatal(err)
	}
	boxes[second] = box(t, far(f, "put", policy.Write))
	finish(t, f.send(t, "go")) // with the tools of the engine
	want(t, "did", []string{f.list()}, []string{`put{"id":"A"}`})
	f.model.list = append(f.model.list[:0], putA)
	_, w, err := f.e.Begin(second, turn.Say{Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	o := offer(t, w)
	broken.Store(true) // it keeps the tools that it had
	c, err := f.e.Claim(second, o.Call, o.Digest, "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.e.Return(second, turn.Finished{Call: c.Call, Attempt: c.Attempt, Device: "laptop"}); err != nil {
		t.Fatal(err)
	}
	finish(t, w)
	if _, err := f.e.Create(engine.Who{}, policy.Ask); err == nil {
		t.Error("a session begins although its tools cannot be read")
	}
	broken.Store(false)
	if err := f.e.Do(second, turn.Tick{}); err != nil {
		t.Error(err)
	}
}

func TestS8WhatADeviceSendsIsKeptInCanonicalForm(t *testing.T) {
	cases := []struct{ name, structured, kept string }{
		{"A5 keys are sorted", `{"b": 1, "a": 2.0}`, `{"a":2,"b":1}`},
		{"A5 what is no strict JSON is left out", `{"a":1,"a":2}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := onDevice(t, policy.Ask, &presence{}, nil)
			_, run := away(t, f, "laptop")
			in := run.result("ok")
			in.Structured = []byte(c.structured)
			f.returns(t, in, "")
			_ = f.e.View(f.session, func(s *turn.Session) {
				if got := string(s.Call(run.Call).Ended.Structured); got != c.kept {
					t.Errorf("kept as %s, want %s", got, c.kept)
				}
			})
		})
	}
}
