package turn

import (
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
)

// remote is a session whose message calls tools that run on devices "0" and "1".
type remote struct {
	*testing.T
	x *farExplorer
	n *far
}

func newRemote(t *testing.T, calls ...string) *remote {
	t.Helper()
	x := &farExplorer{calls: calls}
	return &remote{t, x, x.begin(t, farBounds{})}
}

func (r *remote) world() *World {
	w := r.x.world(r.n, r.n.s.Epoch)
	w.NewID = ids(r.n.s)
	return w
}

// try gives the session an input, with all that follows.
func (r *remote) try(in Input) error {
	r.Helper()
	w := r.world()
	events, err := r.n.s.Handle(in, w)
	s, _ := follow(r.n.s, w, events)
	if s == nil {
		r.Fatal("an event does not fit")
	}
	r.n.s = s
	return err
}

func (r *remote) do(inputs ...Input) {
	r.Helper()
	for _, in := range inputs {
		if err := r.try(in); err != nil {
			r.Fatalf("%#v: %v", in, err)
		}
	}
}

// approve approves the question of a call that is open.
func (r *remote) approve(call string) {
	r.Helper()
	a := r.n.s.Approvals[r.n.s.Call(call).Approval]
	r.do(Answer{Approval: a.ID, Digest: a.Digest, Approved: true, By: "ada", Via: "panel"})
}

// away approves the first call and lets device "0" claim it.
func away(t *testing.T) *remote {
	t.Helper()
	r := newRemote(t, "put")
	r.approve("call1")
	r.do(Claim{Call: "call1", Digest: "dA", Device: "0"})
	return r
}

func (r *remote) is(call string, state CallState, outcome Outcome) {
	r.Helper()
	if c := r.n.s.Call(call); c.State != state || outcomeOf(c) != outcome {
		r.Errorf("%s is %s %q, want %s %q", call, c.State, outcomeOf(c), state, outcome)
	}
}

func TestS8AClaimThatIsRefusedSaysWhy(t *testing.T) {
	claim := Claim{Call: "call1", Digest: "dA", Device: "0"}
	approved := func(r *remote) { r.approve("call1") }
	taken := func(r *remote) {
		r.approve("call1")
		r.do(Claim{Call: "call1", Digest: "dA", Device: "1"})
	}
	cases := []struct {
		name   string
		before func(r *remote)
		in     Claim
		want   fault.Code
	}{
		{"S8 an approved call is claimed", approved, claim, ""},
		{"S8 a claim that is sent again is the same claim", func(r *remote) { approved(r); r.do(claim) }, claim, ""},
		{"P5 nobody has approved it yet", func(*remote) {}, claim, fault.Conflict},
		{"P6 other arguments were shown", approved, Claim{Call: "call1", Digest: "dB", Device: "0"}, fault.Conflict},
		{"S8 another device has it", taken, claim, fault.AlreadyDecided},
		{"S8 it has its result", func(r *remote) { taken(r); r.do(Finished{Call: "call1", Attempt: 1, Device: "1"}) }, claim, fault.AlreadyDecided},
		{"S2 its outcome is in question", func(r *remote) { taken(r); r.n.gone[1] = true; r.do(Tick{}) }, claim, fault.Conflict},
		{"S2 its device is gone and nobody has said so yet", func(r *remote) { taken(r); r.n.gone[1] = true }, claim, fault.Conflict},
		{"S8 the device counts as gone", func(r *remote) { approved(r); r.n.gone[0] = true }, claim, fault.Conflict},
		{"S8 no such call", approved, Claim{Call: "call9", Digest: "dA", Device: "0"}, fault.NotFound},
		{"S8 a device without a name", approved, Claim{Call: "call1", Digest: "dA"}, fault.BadConfig},
		{"S8 a device whose name is not UTF-8", approved, Claim{Call: "call1", Digest: "dA", Device: "\xff"}, fault.BadConfig},
		{"C6 a rule denies meanwhile", func(r *remote) { approved(r); r.n.denied = true }, claim, fault.Conflict},
		{"D7 the descriptor changed meanwhile", func(r *remote) { approved(r); r.n.pin = "p1" }, claim, fault.Conflict},
		{"P4 the approval has expired", func(r *remote) { approved(r); r.n.late = true }, claim, fault.Conflict},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRemote(t, "put")
			c.before(r)
			if err := r.try(c.in); fault.CodeOf(err) != c.want {
				t.Errorf("%v, want code %q", err, c.want)
			}
		})
	}
}

func TestC6AClaimThatComesTooLateMovesTheCallOn(t *testing.T) {
	r := newRemote(t, "put", "look")
	r.approve("call1")
	r.n.denied = true
	_ = r.try(Claim{Call: "call1", Digest: "dA", Device: "0"})
	r.is("call1", Ended, NotAllowed)
}

func TestS2OnlyTheOwnerTakesAClaim(t *testing.T) {
	r := newRemote(t, "put")
	r.approve("call1")
	w := r.x.world(r.n, r.n.s.Epoch+1)
	if _, err := r.n.s.Handle(Claim{Call: "call1", Digest: "dA", Device: "0"}, w); fault.CodeOf(err) != fault.Fenced {
		t.Errorf("a driver that is not the owner: %v", err)
	}
}

func TestS8WhatIsOfferedAndWhatIsAway(t *testing.T) {
	r := newRemote(t, "put", "look")
	look := func(offer, away string) {
		t.Helper()
		want := r.n.s.Wants(r.world())
		if got := callIDs(want.Offer) + "|" + callIDs(want.Away); got != offer+"|"+away || len(want.Run) > 0 {
			t.Errorf("offered and away are %s, want %s|%s; %d run", got, offer, away, len(want.Run))
		}
	}
	look("call2", "")
	r.approve("call1")
	look("call1 call2", "")
	r.do(Claim{Call: "call1", Digest: "dA", Device: "0"}, Claim{Call: "call2", Digest: "dA", Device: "0"})
	look("", "call1 call2")
	r.n.gone[0] = true
	r.do(Tick{})
	look("call2", "")
	r.is("call1", Doubtful, "")
	r.do(Claim{Call: "call2", Digest: "dA", Device: "1"})
	look("", "call2")
	if c := r.n.s.Call("call2"); c.Attempt != 2 || c.Device != "1" {
		t.Errorf("attempt %d on %q", c.Attempt, c.Device)
	}
	r.do(Stop{})
	look("", "call2")
}

func callIDs(calls []*Call) string {
	ids := make([]string, len(calls))
	for i, c := range calls {
		ids[i] = c.ID
	}
	return strings.Join(ids, " ")
}

func TestP5AnApprovedCallThatNoDeviceClaimsExpires(t *testing.T) {
	r := newRemote(t, "put")
	a := r.n.s.Approvals["approval0.0"]
	r.approve("call1")
	if until := r.n.s.Wants(r.world()).Until; until.UnixMilli() != a.Expires {
		t.Errorf("looked at again at %v, want %v", until, time.UnixMilli(a.Expires))
	}
	r.n.late = true
	r.do(Tick{})
	r.is("call1", Ended, Expired)
	if got := r.n.s.Call("call1").Ended.Text; got != textNotStarted {
		t.Errorf("the model is told %q", got)
	}
	if got := r.n.s.Approvals[a.ID]; got.State != approval.Expired {
		t.Errorf("the approval is %v", got.State)
	}
}

func TestS6WaitingForADeviceIsTimeOfTheTurn(t *testing.T) {
	r := newRemote(t, "put")
	later := early.Add(time.Minute)
	if d := r.n.s.Active(later); d != 0 {
		t.Errorf("a person was waited for, and %v count", d)
	}
	r.approve("call1")
	if d := r.n.s.Active(later); d != time.Minute {
		t.Errorf("%v of the wait for a device count", d)
	}
	r.do(Claim{Call: "call1", Digest: "dA", Device: "0"})
	if d := r.n.s.Active(later); d != time.Minute {
		t.Errorf("%v of the run on a device count", d)
	}
}

func TestS8ALateResultAnswersWhatBecameOfTheCall(t *testing.T) {
	r := away(t)
	r.n.gone[0] = true
	r.do(Tick{})
	question := r.n.s.Approvals[r.n.s.Call("call1").Approval]
	r.do(Finished{Call: "call1", Attempt: 1, Text: "put it there", Device: "0"})
	r.is("call1", Ended, OK)
	closed := r.n.s.Approvals[question.ID]
	if closed.State != approval.Superseded || closed.Via != "device" || closed.By != "" {
		t.Errorf("the question closed as %v, by %q via %q", closed.State, closed.By, closed.Via)
	}
	if got := r.n.s.Messages[len(r.n.s.Messages)-1].Text; got != "put it there" {
		t.Errorf("the model is told %q", got)
	}
}

func TestS8AResultThatComesBeforeTheCallRunsAgainSavesTheSecondRun(t *testing.T) {
	r := away(t)
	r.n.gone[0] = true
	r.do(Tick{})
	a := r.n.s.Approvals[r.n.s.Call("call1").Approval]
	r.do(Answer{Approval: a.ID, Digest: a.Digest, Choice: RunAgain, By: "ada"}, Finished{Call: "call1", Attempt: 1, Text: "it had worked", Device: "0"})
	r.is("call1", Ended, OK)
	if got := r.n.s.Approvals[a.ID].State; got != approval.Superseded {
		t.Errorf("the approval to run it again is %v", got)
	}
}

func TestP5AResultThatComesAfterAPersonSettledItChangesNothing(t *testing.T) {
	for _, choice := range []Choice{Happened, GiveUp} {
		t.Run(string(choice), func(t *testing.T) {
			r := away(t)
			r.n.gone[0] = true
			r.do(Tick{})
			a := r.n.s.Approvals[r.n.s.Call("call1").Approval]
			r.do(Answer{Approval: a.ID, Digest: a.Digest, Choice: choice, By: "ada"})
			before := *r.n.s.Call("call1").Ended
			late := Finished{Call: "call1", Attempt: 1, Text: "put it there", Device: "0"}
			w := r.world()
			events, err := r.n.s.Handle(late, w)
			if fault.CodeOf(err) != fault.AlreadyDecided || len(events) != 1 {
				t.Fatalf("%v, %s", err, types(events))
			}
			if b, ok := events[0].Body.(*AnswerIgnored); !ok || b.By != "0" || b.Via != "device" {
				t.Errorf("recorded as %#v", events[0].Body)
			}
			for range 2 * maxIgnored { // a device that does not stop sending fills no disk
				_ = r.try(late)
			}
			if r.n.s.ignored > maxIgnored || r.n.s.Call("call1").Ended.Text != before.Text {
				t.Errorf("%d ignored results recorded, the call ended as %+v", r.n.s.ignored, r.n.s.Call("call1").Ended)
			}
		})
	}
}

func TestP12StopWithCallsOnDevices(t *testing.T) {
	cases := []struct {
		name    string
		then    func(r *remote)
		outcome Outcome
	}{
		{"P12 one that is offered is cancelled", func(r *remote) { r.do(Stop{}) }, Cancelled},
		{"P12 one that runs gives its result", func(r *remote) {
			r.do(Claim{Call: "call1", Digest: "dA", Device: "0"}, Stop{}, Finished{Call: "call1", Attempt: 1, Text: "done", Device: "0"})
		}, OK},
		{"P12 one whose device is gone is in doubt", func(r *remote) {
			r.do(Claim{Call: "call1", Digest: "dA", Device: "0"}, Stop{})
			r.n.gone[0] = true
			r.do(Tick{})
		}, UnknownState},
		{"P12 one that does not come back within the grace is in doubt", func(r *remote) {
			r.do(Claim{Call: "call1", Digest: "dA", Device: "0"}, Stop{})
			r.do(Finished{Call: "call1", Attempt: 1, Kind: Abandoned, Stopped: true, Device: "0"})
		}, UnknownState},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRemote(t, "put")
			r.approve("call1")
			c.then(r)
			r.is("call1", Ended, c.outcome)
			if r.n.s.Turn.Open() {
				t.Error("the turn goes on")
			}
		})
	}
}

func TestS1ALogWithoutDevicesIsReadAndWrittenAsBefore(t *testing.T) {
	const payload = `{"epoch":1,"attempt":1,"digest":"d","by":"ada"}`
	e, err := Decode("call.started", 1, 0, []byte(`{}`), []byte(payload))
	if err != nil || e.Body.(*CallStarted).Device != "" {
		t.Fatalf("%+v, %v", e, err)
	}
	if _, again, err := e.Encode(); err != nil || string(again) != payload {
		t.Errorf("%s, %v", again, err)
	}
}
