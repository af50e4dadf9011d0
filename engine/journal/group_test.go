package journal_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

// Callers who wait for the disk at the same time share one fdatasync, and one
// that is alone pays for one.
func TestGroupCommit(t *testing.T) {
	path := logPath(t)
	synctest.Test(t, func(t *testing.T) {
		var syncs atomic.Int64
		disk := make(chan struct{})
		faults := &journal.Faults{}
		j, err := journal.OpenFaulty(path, nil, faults)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		faults.Sync = func() error { syncs.Add(1); <-disk; return nil }

		go func() { disk <- struct{}{} }()
		mustAppend(t, j, "first", 0, "1")
		if syncs.Load() != 1 {
			t.Errorf("a lone caller paid for %d syncs", syncs.Load())
		}

		var wg sync.WaitGroup
		results := make([]error, 64)
		gone, cancel := context.WithCancel(t.Context())
		append1 := func(ctx context.Context, i int, stream string) {
			wg.Go(func() { _, results[i] = j.Append(ctx, stream, 0, drafts("1", "2")) })
		}
		append1(t.Context(), 0, "slow")
		synctest.Wait() // the writer waits for the disk
		for i := 1; i < 62; i++ {
			append1(t.Context(), i, fmt.Sprint(i))
		}
		append1(gone, 62, "62")
		synctest.Wait()
		append1(t.Context(), 63, "1") // comes too late: stream 1 is in the same group
		synctest.Wait()
		cancel()
		if got := collect(t, j.Streams(t.Context())); len(got) != 1 {
			t.Errorf("streams are seen before they are durable: %v", got)
		}
		close(disk)
		wg.Wait()
		if syncs.Load() != 3 {
			t.Errorf("%d syncs, want 1 and 1 and one for all who waited", syncs.Load())
		}
		for i, err := range results {
			want := fault.Code("")
			switch i {
			case 62:
				want = fault.Cancelled
			case 63:
				want = fault.Conflict
			}
			wantCode(t, fmt.Sprintf("caller %d", i), err, want)
		}
	})
	checkAll(t, path, 63)
}

// proves: D8 (when the group's sync fails, every one who waited is told)
func TestGroupFails(t *testing.T) {
	path := logPath(t)
	synctest.Test(t, func(t *testing.T) {
		faults := &journal.Faults{}
		j, err := journal.OpenFaulty(path, nil, faults)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		disk := make(chan error)
		faults.Sync = func() error { return <-disk }
		var wg sync.WaitGroup
		results := make([]error, 9)
		ask := func(i int, stream string) {
			wg.Go(func() { _, results[i] = j.Append(t.Context(), stream, 0, drafts("1")) })
		}
		ask(0, "slow")
		synctest.Wait()
		for i := 1; i < 8; i++ {
			ask(i, fmt.Sprint(i))
		}
		synctest.Wait()
		ask(8, "1") // would be a conflict, had the group been stored
		synctest.Wait()
		disk <- nil
		disk <- fmt.Errorf("the disk is gone")
		wg.Wait()
		wantCode(t, "the first", results[0], "")
		for _, err := range results[1:] {
			wantCode(t, "one of the group", err, fault.Unwritable)
		}
	})
	checkAll(t, path, 1)
}

func checkAll(t *testing.T, path string, streams int) {
	t.Helper()
	j := mustOpen(t, path)
	names := collect(t, j.Streams(t.Context()))
	if len(names) != streams {
		t.Errorf("opened again it has %d streams, want %d", len(names), streams)
	}
	for _, name := range names {
		checkChain(t, name, collect(t, j.Read(t.Context(), name, 0)))
	}
}
