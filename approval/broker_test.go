package approval_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
)

func ref(id string) approval.Ref { return approval.Ref{ID: id, Digest: "sha256:" + id} }

func yes(id string) approval.Response {
	return approval.Response{Ref: ref(id), Answer: approval.Approve()}
}

var rita = approval.Decided{By: "rita", Via: "panel"}

// proves: P5
func TestTheFirstAnswerWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused []approval.Refusal
		broker := approval.NewBroker(&approval.BrokerOptions{Refused: func(r approval.Refusal) { refused = append(refused, r) }})
		b := newBox()
		broker.Open(ask("ap_1"), b.reply)
		broker.Open(ask("ap_2"), b.reply)
		time.Sleep(24 * time.Hour)

		no := approval.Response{Ref: ref("ap_1"), Answer: approval.Deny("wrong order")}
		if err := broker.Answer(no, rita); err != nil {
			t.Fatal(err)
		}
		if g := <-b.ch; g.answer.Reason != "wrong order" || g.by.By != "rita" || !g.by.At.Equal(time.Now()) {
			t.Errorf("delivered %+v", g)
		}
		decided := time.Now()
		time.Sleep(time.Minute)
		err := broker.Answer(yes("ap_1"), approval.Decided{By: "bob", Via: "console"})
		if fault.CodeOf(err) != fault.AlreadyDecided {
			t.Fatalf("a second answer: %v", err)
		}
		for _, want := range []string{"ap_1", "denied", "rita", "panel", decided.UTC().Format("2006-01-02 15:04:05"), "changes nothing"} {
			if !strings.Contains(fault.TextOf(err), want) {
				t.Errorf("%q does not tell %q", fault.TextOf(err), want)
			}
		}
		if len(refused) != 1 || refused[0].By.By != "bob" || !refused[0].Answer.Approved || refused[0].ID != "ap_1" {
			t.Errorf("the audit hears %+v", refused)
		}
		if len(b.ch) != 0 {
			t.Error("a second answer was delivered")
		}
		if item, err := broker.Get("ap_2"); err != nil || !item.Open || item.State != approval.Asked {
			t.Errorf("P7 answering one touched another: %+v, %v", item, err)
		}
	})
}

// proves: P5 P6
func TestAnswersThatChangeNothing(t *testing.T) {
	expiring := ask("ap_5")
	expiring.ExpiresAt = noon // long ago
	for _, c := range []struct {
		name string
		resp approval.Response
		code fault.Code
	}{
		{"P5 an id that is unknown", yes("ap_9"), fault.NotFound},
		{"P6 other arguments were shown", approval.Response{Ref: approval.Ref{ID: "ap_1", Digest: "sha256:ap_2"}, Answer: approval.Approve()}, fault.Conflict},
		{"P6 no digest", approval.Response{Ref: approval.Ref{ID: "ap_1"}, Answer: approval.Approve()}, fault.Conflict},
		{"P11 junk", approval.Response{Ref: ref("ap_1"), Answer: approval.Answer{Approved: true, Scope: 9}}, fault.BadAnswer},
		{"P5 after the expiry", yes("ap_5"), fault.Expired},
		{"P5 after a close", yes("ap_3"), fault.AlreadyDecided},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused := 0
			broker, b := approval.NewBroker(&approval.BrokerOptions{Refused: func(approval.Refusal) { refused++ }}), newBox()
			broker.Open(ask("ap_1"), b.reply)
			broker.Open(ask("ap_3"), b.reply)
			broker.Open(expiring, b.reply)
			broker.Close("ap_3", approval.Superseded, "")
			if err := broker.Answer(c.resp, rita); fault.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
			if refused != 1 {
				t.Errorf("the audit heard %d refusals", refused)
			}
			if len(b.ch) != 0 || len(broker.List()) != 2 {
				t.Errorf("something changed: %d replies, %d open", len(b.ch), len(broker.List()))
			}
		})
	}
}

// proves: P5 G-A12
func TestTheBoundaryIsExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broker, b := approval.NewBroker(nil), newBox()
		for _, id := range []string{"ap_1", "ap_2"} {
			r := ask(id)
			r.ExpiresAt = time.Now().Add(10 * time.Minute)
			broker.Open(r, b.reply)
		}
		time.Sleep(10*time.Minute - time.Millisecond)
		if err := broker.Answer(yes("ap_1"), rita); err != nil {
			t.Errorf("just in time: %v", err)
		}
		time.Sleep(time.Millisecond)
		if err := broker.Answer(yes("ap_2"), rita); fault.CodeOf(err) != fault.Expired {
			t.Errorf("at the boundary: %v", err)
		}
		broker.Close("ap_2", approval.Expired, "nobody answered within 10 minutes")
		err := broker.Answer(yes("ap_2"), rita)
		if fault.CodeOf(err) != fault.AlreadyDecided || !strings.Contains(fault.TextOf(err), "expired") {
			t.Errorf("after it: %v", err)
		}
	})
}

// proves: P5
func TestFiftyAnswersAtOnceGiveOne(t *testing.T) {
	broker, b := approval.NewBroker(nil), newBox()
	broker.Open(ask("ap_1"), b.reply)
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			switch err := broker.Answer(yes("ap_1"), rita); fault.CodeOf(err) {
			case "":
				won.Add(1)
			case fault.AlreadyDecided:
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 49 || len(b.ch) != 1 {
		t.Errorf("%d won, %d lost, %d delivered", won.Load(), lost.Load(), len(b.ch))
	}
}

// proves: P13
func TestOnlyWhoMayAnswers(t *testing.T) {
	may := func(r *approval.Request, by approval.Decided) error {
		switch {
		case by.By == "erin": // another tenant
			return fault.New(fault.NotFound, "no approval is known here")
		case by.By == r.Principal: // four eyes
			return fault.New(fault.NotAllowed, "somebody else has to answer")
		}
		return nil
	}
	broker, b := approval.NewBroker(&approval.BrokerOptions{May: may}), newBox()
	r := ask("ap_1")
	r.Principal = "alice"
	broker.Open(r, b.reply)
	for who, code := range map[string]fault.Code{"alice": fault.NotAllowed, "erin": fault.NotFound} {
		if err := broker.Answer(yes("ap_1"), approval.Decided{By: who}); fault.CodeOf(err) != code {
			t.Errorf("P13 %s answers: %v", who, err)
		}
		if _, err := broker.AnswerAll(approval.Approve(), []approval.Ref{ref("ap_1")}, approval.Decided{By: who}); fault.CodeOf(err) != code {
			t.Errorf("P13 %s answers all: %v", who, err)
		}
	}
	if err := broker.Answer(yes("ap_1"), approval.Decided{By: "dave"}); err != nil {
		t.Errorf("P13 dave answers: %v", err)
	}
	// What was decided is no news for a stranger either.
	if err := broker.Answer(yes("ap_1"), approval.Decided{By: "erin"}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("G-A16 erin learns: %v", err)
	}
}

// proves: P5
func TestACardEndsWithItsRequest(t *testing.T) {
	broker, b := approval.NewBroker(nil), newBox()
	for _, id := range []string{"ap_1", "ap_2", "ap_3"} {
		broker.Open(ask(id), b.reply)
	}
	broker.Close("ap_2", approval.Cancelled, "the turn was stopped")
	if ids := openIDs(broker); !slices.Equal(ids, []string{"ap_1", "ap_3"}) {
		t.Errorf("open are %v", ids)
	}
	item, err := broker.Get("ap_2")
	if err != nil || item.Open || item.State != approval.Cancelled || item.Text != "the turn was stopped" || item.By.At.IsZero() {
		t.Errorf("got %+v, %v", item, err)
	}
	if item.Request.Args != nil {
		t.Error("a closed card keeps its arguments")
	}

	// An approval can be withdrawn before its call starts.
	if err := broker.Answer(yes("ap_1"), rita); err != nil {
		t.Fatal(err)
	}
	broker.Close("ap_1", approval.Approved, "")
	if item, _ := broker.Get("ap_1"); item.State != approval.Approved || item.By.By != "rita" {
		t.Errorf("closing what was answered changed it: %+v", item)
	}
	broker.Close("ap_1", approval.Stale, "the tool changed")
	item, _ = broker.Get("ap_1")
	if item.State != approval.Stale || item.By.By != "rita" || item.Answer.State() != approval.Approved {
		t.Errorf("got %+v", item)
	}
	if text := approval.EndLine(item).Text; strings.Contains(text, "rita") {
		t.Errorf("rita did not end it: %s", text)
	}
	broker.Close("ap_9", approval.Cancelled, "never opened")
}

func openIDs(broker *approval.Broker) []string {
	var ids []string
	for _, item := range broker.List() {
		ids = append(ids, item.Request.ID)
	}
	return ids
}

// proves: P5
func TestIdsAreNotUsedTwice(t *testing.T) {
	broker, b, again := approval.NewBroker(nil), newBox(), newBox()
	broker.Open(ask("ap_1"), b.reply)
	broker.Open(ask("ap_1"), again.reply)
	if err := broker.Answer(yes("ap_1"), rita); err != nil {
		t.Fatal(err)
	}
	broker.Open(ask("ap_1"), again.reply)
	for range 2 {
		if g := <-again.ch; fault.CodeOf(g.err) != fault.Conflict {
			t.Errorf("got %+v", g)
		}
	}
	if g := <-b.ch; g.err != nil || len(b.ch)+len(again.ch) != 0 {
		t.Errorf("the first got %+v", g)
	}

	// What was only taken away, as when a session is closed, may come back.
	broker.Open(ask("ap_2"), b.reply)
	broker.Close("ap_2", approval.Asked, "the session was closed")
	if err := broker.Answer(yes("ap_2"), rita); fault.CodeOf(err) != fault.AlreadyDecided {
		t.Errorf("answered what was taken away: %v", err)
	}
	broker.Open(ask("ap_2"), again.reply)
	if err := broker.Answer(yes("ap_2"), rita); err != nil {
		t.Error(err)
	}
	if g := <-again.ch; g.err != nil || len(b.ch) != 0 {
		t.Errorf("got %+v, and %d for who is gone", g, len(b.ch))
	}
}

// proves: P5
func TestTheMemoryOfClosedCardsIsBounded(t *testing.T) {
	broker, b := approval.NewBroker(&approval.BrokerOptions{Keep: 2}), newBox()
	for i := range 5 {
		id := fmt.Sprint("ap_", i)
		broker.Open(ask(id), b.reply)
		broker.Close(id, approval.Cancelled, "")
	}
	for i := range 5 {
		_, err := broker.Get(fmt.Sprint("ap_", i))
		if want := i >= 3; (err == nil) != want {
			t.Errorf("card %d: %v", i, err)
		}
	}
}

// proves: P5
func TestACardThatClosesWhileAnAnswerIsLookedAt(t *testing.T) {
	var broker *approval.Broker
	b := newBox()
	broker = approval.NewBroker(&approval.BrokerOptions{May: func(r *approval.Request, by approval.Decided) error {
		if by.By == "slow" {
			broker.Close(r.ID, approval.Cancelled, "the turn was stopped")
		}
		return nil
	}})
	broker.Open(ask("ap_1"), b.reply)
	err := broker.Answer(yes("ap_1"), approval.Decided{By: "slow"})
	if fault.CodeOf(err) != fault.AlreadyDecided || !strings.Contains(fault.TextOf(err), "stopped") || len(b.ch) != 0 {
		t.Errorf("got %v, %d delivered", err, len(b.ch))
	}

	// The same for one of several: none is answered.
	var closing bool
	broker = approval.NewBroker(&approval.BrokerOptions{May: func(r *approval.Request, _ approval.Decided) error {
		if r.ID == "ap_3" && closing {
			broker.Close("ap_2", approval.Cancelled, "")
		}
		closing = closing || r.ID == "ap_3" // the second look at ap_3
		return nil
	}})
	broker.Open(ask("ap_2"), b.reply)
	broker.Open(ask("ap_3"), b.reply)
	_, err = broker.AnswerAll(approval.Deny(""), []approval.Ref{ref("ap_2"), ref("ap_3")}, rita)
	if fault.CodeOf(err) != fault.AlreadyDecided || len(b.ch) != 0 || !slices.Equal(openIDs(broker), []string{"ap_3"}) {
		t.Errorf("got %v, %d delivered, open %v", err, len(b.ch), openIDs(broker))
	}
}

// proves: P5
func TestCallbacksMayCallTheBroker(t *testing.T) {
	var broker *approval.Broker
	look := func() { broker.List(); broker.Get("ap_1") } //nolint:errcheck // only whether it blocks matters
	broker = approval.NewBroker(&approval.BrokerOptions{
		May:     func(*approval.Request, approval.Decided) error { look(); return nil },
		Refused: func(approval.Refusal) { look() },
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		broker.Open(ask("ap_1"), func(approval.Answer, approval.Decided, error) {
			look()
			broker.Close("ap_1", approval.Approved, "")
			broker.Open(ask("ap_2"), func(approval.Answer, approval.Decided, error) {})
		})
		broker.Answer(yes("ap_1"), rita) //nolint:errcheck // only whether it blocks matters
		broker.Answer(yes("ap_1"), rita) //nolint:errcheck // as above
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a callback waits for a lock")
	}
	if ids := openIDs(broker); !slices.Equal(ids, []string{"ap_2"}) {
		t.Errorf("open are %v", ids)
	}
}
