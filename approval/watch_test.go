package approval_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"pgregory.net/rapid"
)

// view is what a watcher knows: the states of the cards it was told of.
type view struct {
	cards  map[string]approval.State
	open   map[string]bool
	seq    uint64
	resets int
}

func (v *view) take(e approval.Event) {
	if e.Reset {
		v.cards, v.open = map[string]approval.State{}, map[string]bool{}
		v.seq = 0
		v.resets++
		return
	}
	v.seq = e.Seq
	v.cards[e.Item.Request.ID] = e.Item.State
	v.open[e.Item.Request.ID] = e.Item.Open
	if !e.Item.Open {
		delete(v.open, e.Item.Request.ID)
	}
}

// read watches until nothing is new.
func (v *view) read(ctx context.Context, broker *approval.Broker) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		synctest.Wait()
		cancel()
	}()
	for e := range broker.Watch(ctx, v.seq) {
		v.take(e)
	}
}

// proves: P5
func TestAWatcherSeesEachCardOpenAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broker, b := approval.NewBroker(nil), newBox()
		broker.Open(ask("ap_1"), b.reply)
		ctx, cancel := context.WithCancel(t.Context())
		var seen []string
		var wg sync.WaitGroup
		wg.Go(func() {
			for e := range broker.Watch(ctx, 0) {
				if e.Reset {
					seen = append(seen, "reset")
					continue
				}
				seen = append(seen, fmt.Sprint(e.Item.Request.ID, " ", e.Item.State))
			}
		})
		synctest.Wait()
		broker.Open(ask("ap_2"), b.reply)
		synctest.Wait()
		broker.Answer(yes("ap_1"), rita) //nolint:errcheck // seen below
		synctest.Wait()
		broker.Close("ap_2", approval.Cancelled, "")
		synctest.Wait()
		cancel()
		wg.Wait()
		want := []string{"reset", "ap_1 asked", "ap_2 asked", "ap_1 approved", "ap_2 cancelled"}
		if !slices.Equal(seen, want) {
			t.Errorf("saw %v, want %v", seen, want)
		}
	})
}

// A slow watcher holds nobody up, and afterwards knows what is open.
//
// proves: P5
func TestASlowWatcherLosesNothingThatMatters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broker, b := approval.NewBroker(&approval.BrokerOptions{Keep: 3}), newBox()
		broker.Open(ask("ap_0"), b.reply)
		stuck := make(chan struct{})
		var v view
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			for e := range broker.Watch(ctx, 0) {
				v.take(e)
				<-stuck
			}
		})
		synctest.Wait()
		for i := 1; i <= 20; i++ {
			id := fmt.Sprint("ap_", i)
			broker.Open(ask(id), b.reply)
			if i != 7 {
				broker.Close(id, approval.Cancelled, "")
			}
		}
		broker.Close("ap_0", approval.Expired, "")
		close(stuck)
		synctest.Wait()
		cancel()
		wg.Wait()
		if got := slices.Collect(maps.Keys(v.open)); !slices.Equal(got, []string{"ap_7"}) || v.resets != 2 {
			t.Errorf("believes %v are open, after %d resets", got, v.resets)
		}
	})
}

// proves: P5
func TestAWatcherThatResumesKnowsWhatIsOpen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			broker, b := approval.NewBroker(&approval.BrokerOptions{Keep: 2}), newBox()
			var v view
			var ids []string
			for range rapid.IntRange(1, 30).Draw(rt, "steps") {
				switch rapid.SampledFrom([]string{"open", "open", "close", "read", "park"}).Draw(rt, "step") {
				case "open":
					ids = append(ids, fmt.Sprint("ap_", len(ids)))
					broker.Open(ask(ids[len(ids)-1]), func(a approval.Answer, d approval.Decided, err error) {})
				case "close":
					if len(ids) > 0 {
						broker.Close(rapid.SampledFrom(ids).Draw(rt, "id"), approval.Cancelled, "")
					}
				case "park":
					if len(ids) > 0 {
						id := rapid.SampledFrom(ids).Draw(rt, "id")
						broker.Close(id, approval.Asked, "")
						broker.Open(ask(id), b.reply)
						for len(b.ch) > 0 {
							<-b.ch
						}
					}
				case "read":
					v.read(t.Context(), broker)
				}
			}
			v.read(t.Context(), broker)
			want := openIDs(broker)
			slices.Sort(want)
			if got := slices.Sorted(maps.Keys(v.open)); !slices.Equal(got, want) {
				rt.Fatalf("believes %v are open, but %v are", got, want)
			}
		})
	})
}

// proves: P5
func TestWatchersAndAnswersRace(t *testing.T) {
	broker := approval.NewBroker(&approval.BrokerOptions{Keep: 5})
	ctx, cancel := context.WithCancel(t.Context())
	var watchers, workers sync.WaitGroup
	for range 4 {
		watchers.Go(func() {
			last := uint64(0)
			for e := range broker.Watch(ctx, 0) {
				if !e.Reset && e.Seq <= last {
					t.Errorf("event %d after %d", e.Seq, last)
				}
				if last = e.Seq; e.Reset {
					last = 0
				}
			}
		})
	}
	for n := range 8 {
		workers.Go(func() {
			for i := range 200 {
				id := fmt.Sprint("ap_", n, "_", i)
				broker.Open(ask(id), func(approval.Answer, approval.Decided, error) {})
				if rand.IntN(2) == 0 {
					broker.Answer(yes(id), rita) //nolint:errcheck // whichever way it ends
				}
				broker.Close(id, approval.Cancelled, "")
			}
		})
	}
	workers.Wait()
	cancel()
	watchers.Wait()
	if n := len(broker.List()); n != 0 {
		t.Errorf("%d cards are left open", n)
	}
}

// proves: P4
func TestAHundredThousandOpenCardsAreCheap(t *testing.T) {
	const n = 100_000
	before, goroutines := heap(), runtime.NumGoroutine()
	broker := fill(n)
	each := (heap() - before) / n
	t.Logf("%d bytes for each open card", each)
	if each > 2048 {
		t.Errorf("an open card takes %d bytes", each)
	}
	if more := runtime.NumGoroutine() - goroutines; more > 0 {
		t.Errorf("%d goroutines wait", more)
	}
	if len(broker.List()) != n {
		t.Error("cards are missing")
	}
	start := time.Now()
	if err := broker.Answer(yes("ap_50000"), rita); err != nil {
		t.Error(err)
	}
	t.Logf("an answer among them took %v", time.Since(start))
}

func fill(n int) *approval.Broker {
	broker := approval.NewBroker(nil)
	common := ask("")
	for i := range n {
		r := common
		r.ID = fmt.Sprint("ap_", i)
		r.Digest = "sha256:" + r.ID
		r.Args = approval.Exact(fmt.Sprintf(`{"id":"A-%d","reason":"the customer asked for it"}`, i))
		broker.Open(r, func(approval.Answer, approval.Decided, error) {})
	}
	return broker
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkAnswer(b *testing.B) {
	broker := fill(10_000)
	i := 0
	for b.Loop() {
		id := fmt.Sprint("bench_", i)
		i++
		broker.Open(ask(id), func(approval.Answer, approval.Decided, error) {})
		if err := broker.Answer(yes(id), rita); err != nil {
			b.Fatal(err)
		}
	}
}
