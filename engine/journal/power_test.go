package journal_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/assentdev/assent/engine/journal"
)

// proves: S2, D8 (what was acknowledged survives a power failure, whichever
// sectors of the last write reached the disk; nothing is half; the file opens)
func TestPowerFailure(t *testing.T) {
	path, rounds := logPath(t), uint64(400)
	if testing.Short() {
		rounds = 50
	}
	for range rounds {
		failPower(t, path, rand.Uint64())
		if t.Failed() {
			break
		}
	}
}

func failPower(t *testing.T, path string, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	failAt := rnd.IntN(12)

	disk := &journal.PowerDisk{}
	j, err := journal.OpenPower(path, disk)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	acked, then := map[string]int{}, map[string]int{}
	var failed *journal.PowerDisk
	syncs := 0
	disk.Syncing = func() {
		mu.Lock()
		defer mu.Unlock()
		if syncs++; syncs == failAt+1 {
			likely := rnd.Float64()
			failed, then = disk.Fail(func() bool { return rnd.Float64() < likely }), maps.Clone(acked)
		}
	}
	var wg sync.WaitGroup
	for w := range 4 {
		sizes := rand.New(rand.NewPCG(seed, uint64(w)+2))
		wg.Go(func() {
			stream, last := fmt.Sprint(w), 0
			for range 12 {
				of := 1 + sizes.IntN(4)
				var batch []string
				for i := range of {
					batch = append(batch, fmt.Sprintf("%d of %d %s", i, of, strings.Repeat("x", sizes.IntN(900))))
				}
				if _, err := j.Append(t.Context(), stream, uint64(last), drafts(batch...)); err != nil {
					t.Error(err)
					return
				}
				last += of
				mu.Lock()
				acked[stream] = last
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if failed == nil {
		return // it held
	}
	again, err := journal.OpenPower(path, failed)
	if err != nil {
		t.Fatalf("seed %d: it does not open: %v", seed, err)
	}
	defer again.Close()
	for w := range 4 {
		stream := fmt.Sprint(w)
		n, rest := 0, 0
		for r, err := range again.Read(t.Context(), stream, 0) {
			if err != nil {
				t.Fatal(err)
			}
			var i, of int
			if _, err := fmt.Sscanf(string(r.Payload), "%d of %d", &i, &of); err != nil {
				t.Fatal(err)
			}
			n, rest = n+1, of-1-i
		}
		if rest != 0 {
			t.Fatalf("stream %s ends in the middle of a batch", stream)
		}
		if n < then[stream] {
			t.Fatalf("stream %s has %d records, %d were acknowledged", stream, n, then[stream])
		}
	}
}
