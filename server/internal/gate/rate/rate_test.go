package rate_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/server/internal/gate/rate"
	"pgregory.net/rapid"
)

func take[K comparable](t testing.TB, l *rate.Limiter[K], key K, n int) (got int) {
	t.Helper()
	for range n {
		if ok, _ := l.Take(key); ok {
			got++
		}
	}
	return got
}

func TestABurstIsAllowedAndThenOneForEachTokenThatComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := rate.New[string](rate.Limit{PerSecond: 2, Burst: 5}, 0, nil)
		if got := take(t, l, "a", 20); got != 5 {
			t.Errorf("at once: %d, want 5", got)
		}
		ok, wait := l.Take("a")
		if ok || wait != 500*time.Millisecond {
			t.Errorf("then: %v, wait %v; want a wait of 500ms", ok, wait)
		}
		time.Sleep(wait)
		if got := take(t, l, "a", 20); got != 1 {
			t.Errorf("after the wait: %d, want 1", got)
		}
		if got := take(t, l, "b", 20); got != 5 {
			t.Errorf("another key: %d, want 5", got)
		}
		time.Sleep(time.Hour)
		if got := take(t, l, "a", 20); got != 5 {
			t.Errorf("an hour later: %d, want 5", got)
		}
	})
}

// Case G-R16: memory stays bounded and so does what is let through, whoever
// has however many addresses.
func TestManyKeysCannotGrowTheLimiterNorGetMoreThanItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 1000
		l := rate.New[string](rate.Limit{PerSecond: 1, Burst: 10}, most, nil)
		passed := 0
		for i := range 200_000 {
			// Twice, so that a bucket is not full again within the test's second.
			passed += take(t, l, fmt.Sprint(i), 2)
			if l.Len() > most {
				t.Fatalf("%d keys are remembered, want %d at most", l.Len(), most)
			}
		}
		if want := most*2 + 10; passed > want {
			t.Errorf("%d passed, want at most %d: two for each key that there is room for, and one shared burst", passed, want)
		}
		time.Sleep(time.Minute)
		take(t, l, "late", 1)
		if got := take(t, l, "later", 20); got != 10 {
			t.Errorf("a minute after the flood a new key gets %d, want 10", got)
		}
	})
}

func TestBucketsThatAreFullAgainAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := rate.New[int](rate.Limit{}, 0, nil)
		for i := range 10_000 {
			take(t, l, i, 1)
		}
		time.Sleep(time.Minute)
		for range 10_000 {
			take(t, l, -1, 1)
		}
		if l.Len() > 1 {
			t.Errorf("%d keys are remembered, want 1", l.Len())
		}
	})
}

func TestAMillionAddressesNeedLittleMemory(t *testing.T) {
	l := rate.New[[16]byte](rate.Limit{PerSecond: 0.001}, 0, nil)
	before := heap()
	for i := range 1_000_000 {
		l.Take([16]byte{byte(i), byte(i >> 8), byte(i >> 16)})
	}
	grown := heap() - before
	if l.Len() != rate.DefaultKeys || grown > 32<<20 {
		t.Errorf("%d keys in %d KiB, want %d in at most 32 MiB", l.Len(), grown>>10, rate.DefaultKeys)
	}
	t.Logf("%d keys in %d KiB", l.Len(), grown>>10)
	runtime.KeepAlive(l)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Law: within any span a key gets its burst and what came back, and no more than
// that a second time where it had to share a bucket for a while.
func TestNoKeyEverGetsMoreThanBurstAndRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := time.Unix(0, 0)
		burst, room := rapid.IntRange(1, 20).Draw(t, "burst"), rapid.IntRange(1, 4).Draw(t, "room")
		l := rate.New[int](rate.Limit{PerSecond: 4, Burst: burst}, room, func() time.Time { return clock })
		shares := 1
		if room < 4 {
			shares = 2
		}
		taken := map[int][]time.Time{}
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			clock = clock.Add(time.Duration(rapid.IntRange(0, 500).Draw(t, "ms")) * time.Millisecond)
			key := rapid.IntRange(0, 3).Draw(t, "key")
			if ok, wait := l.Take(key); ok {
				taken[key] = append(taken[key], clock)
			} else if wait <= 0 {
				t.Fatalf("refused without a wait")
			}
		}
		for key, times := range taken {
			for i, first := range times {
				for n, last := range times[i:] {
					span := last.Sub(first)
					if most := shares * (burst + int(span/(250*time.Millisecond))); n+1 > most {
						t.Fatalf("key %d got %d in %v, want at most %d", key, n+1, span, most)
					}
				}
			}
		}
	})
}

// Case G-R12: a clock that goes back gives nothing away and nobody has to wait
// for longer than it went back.
func TestAClockThatGoesBackGivesNothingAway(t *testing.T) {
	clock := time.Unix(0, 0).Add(time.Hour)
	l := rate.New[string](rate.Limit{PerSecond: 1, Burst: 3}, 0, func() time.Time { return clock })
	take(t, l, "a", 3)
	clock = clock.Add(-time.Minute)
	ok, wait := l.Take("a")
	if ok || wait != 61*time.Second {
		t.Errorf("got %v, wait %v; want a wait of 61s", ok, wait)
	}
}

func TestALimiterMayBeUsedByManyAtOnce(t *testing.T) {
	l := rate.New[int](rate.Limit{PerSecond: 0.001, Burst: 100}, 4, nil)
	var wg sync.WaitGroup
	got := make([]int, 8)
	for i := range got {
		wg.Go(func() { got[i] = take(t, l, 1, 50) })
	}
	wg.Wait()
	sum := 0
	for _, n := range got {
		sum += n
	}
	if sum != 100 {
		t.Errorf("%d passed, want 100", sum)
	}
}
