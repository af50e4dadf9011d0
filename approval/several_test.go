package approval_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
)

// waiter is a handler that waits until its request is closed, and tells why.
func waiter(causes chan<- error) approval.Handler {
	return approval.Func(func(ctx context.Context, _ approval.Request) (approval.Answer, error) {
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return approval.Answer{}, ctx.Err()
	})
}

// proves: P13 P5
func TestTheFirstOfSeveralChannelsWins(t *testing.T) {
	b, causes := newBox(), make(chan error, 1)
	broker, terminal := approval.NewBroker(nil), approval.Blocking(waiter(causes), nil)
	desk := approval.Several(broker, terminal)
	desk.Open(ask("ap_1"), b.reply)
	if err := broker.Answer(yes("ap_1"), rita); err != nil {
		t.Fatal(err)
	}
	if g := <-b.ch; g.err != nil || !g.answer.Approved || g.by.Via != "panel" {
		t.Errorf("got %+v", g)
	}
	over, ok := errors.AsType[*approval.OverError](<-causes)
	if !ok || over.State != approval.Approved || !strings.Contains(over.Text, "another channel") {
		t.Errorf("the terminal hears %v", over)
	}
	// Its own card keeps who answered.
	if item, err := broker.Get("ap_1"); err != nil || item.By.By != "rita" || item.State != approval.Approved {
		t.Errorf("got %+v, %v", item, err)
	}
	desk.Close("ap_1", approval.Stale, "the tool changed")
	if item, _ := broker.Get("ap_1"); item.State != approval.Stale {
		t.Errorf("withdrawing does not reach the card: %+v", item)
	}
}

// proves: P11
func TestAChannelThatDecidesNothingLeavesItToTheRest(t *testing.T) {
	broken := func() *approval.Asker {
		return approval.Blocking(approval.Func(func(context.Context, approval.Request) (approval.Answer, error) {
			return approval.Answer{}, errors.New("no terminal")
		}), nil)
	}
	b, first := newBox(), broken()
	broker := approval.NewBroker(nil)
	approval.Several(first, broker).Open(ask("ap_1"), b.reply)
	if err := first.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := broker.Answer(yes("ap_1"), rita); err != nil {
		t.Fatal(err)
	}
	if g := <-b.ch; g.err != nil || !g.answer.Approved {
		t.Errorf("got %+v", g)
	}

	approval.Several(broken(), broken()).Open(ask("ap_2"), b.reply)
	if g := <-b.ch; fault.CodeOf(g.err) != fault.Undecided {
		t.Errorf("where none decides: %+v", g)
	}
	approval.Several().Open(ask("ap_3"), b.reply)
	if g := <-b.ch; fault.CodeOf(g.err) != fault.Undecided {
		t.Errorf("without channels: %+v", g)
	}
	if len(b.ch) != 0 {
		t.Error("more replies than requests")
	}
}

// proves: P5
func TestNoCardStaysBehind(t *testing.T) {
	b := newBox()
	broker := approval.NewBroker(nil)
	desk := approval.Several(approval.None(nil), broker) // answers before the broker is asked
	desk.Open(ask("ap_1"), b.reply)
	if item, err := broker.Get("ap_1"); err != nil || item.Open || item.State != approval.Denied {
		t.Errorf("got %+v, %v", item, err)
	}
	if err := broker.Answer(yes("ap_1"), rita); fault.CodeOf(err) != fault.AlreadyDecided {
		t.Errorf("got %v", err)
	}

	one, two := approval.NewBroker(nil), approval.NewBroker(nil)
	desk = approval.Several(one, two)
	desk.Open(ask("ap_2"), b.reply)
	desk.Open(ask("ap_2"), b.reply)
	<-b.ch // the denial of ap_1
	if g := <-b.ch; fault.CodeOf(g.err) != fault.Conflict {
		t.Errorf("opened twice: %+v", g)
	}
	desk.Close("ap_2", approval.Cancelled, "")
	if len(one.List())+len(two.List()) != 0 {
		t.Error("a closed card is still open")
	}
	if err := one.Answer(yes("ap_2"), rita); err == nil || len(b.ch) != 0 {
		t.Errorf("answered after the close: %v", err)
	}
}

// proves: P5
func TestChannelsRace(t *testing.T) {
	for range 40 {
		b, one, two := newBox(), approval.NewBroker(nil), approval.NewBroker(nil)
		desk := approval.Several(one, two)
		var wg sync.WaitGroup
		wg.Go(func() { desk.Open(ask("ap_1"), b.reply) })
		for _, broker := range []*approval.Broker{one, two, one, two} {
			wg.Go(func() {
				for fault.CodeOf(broker.Answer(yes("ap_1"), rita)) == fault.NotFound { //nolint:revive // until it is open or over
				}
			})
		}
		wg.Wait()
		if len(b.ch) != 1 || len(one.List())+len(two.List()) != 0 {
			t.Fatalf("%d replies, %d and %d open", len(b.ch), len(one.List()), len(two.List()))
		}
	}
}
