//go:build unix

package journal_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
)

// A child process appends batches and says on its standard output what was
// acknowledged, until it is killed: by itself at a point of the write path, or
// by its parent at any moment. Then the file must hold all that was said, and
// every batch whole or not at all.

const (
	childFile  = "ASSENT_TEST_JOURNAL"
	childPoint = "ASSENT_TEST_POINT" // NAME:N, the Nth time it is passed
	writers    = 4
)

// item is the payload of one record of a batch.
type item struct {
	Batch string `json:"batch"`
	I     int    `json:"i"`
	Of    int    `json:"of"`
	Fill  string `json:"fill"`
}

// TestCrashChild is the child. It is no test of its own.
func TestCrashChild(t *testing.T) {
	path := os.Getenv(childFile)
	if path == "" {
		t.Skip("runs as the child of TestCrash")
	}
	j, err := journal.OpenFaulty(path, nil, killAt(os.Getenv(childPoint)))
	if err != nil {
		t.Fatal(err)
	}
	var out sync.Mutex
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			stream := fmt.Sprintf("session/%d", w)
			last := uint64(len(collect(t, j.Read(t.Context(), stream, 0))))
			for {
				var batch []audit.Draft
				name, of := fmt.Sprintf("%d/%d", w, last), 1+rand.IntN(4)
				for i := range of {
					b, _ := json.Marshal(item{name, i, of, strings.Repeat("x", rand.IntN(600))})
					batch = append(batch, draft(string(b)))
				}
				recs, err := j.Append(t.Context(), stream, last, batch)
				if err != nil {
					t.Error(err)
					return
				}
				last = recs[len(recs)-1].Seq
				out.Lock()
				fmt.Printf("ack %s %d\n", stream, last)
				out.Unlock()
				if rand.IntN(20) == 0 {
					seq := 1 + rand.Uint64N(last)
					if err := j.Erase(t.Context(), stream, seq); err != nil {
						t.Error(err)
						return
					}
					out.Lock()
					fmt.Printf("erased %s %d\n", stream, seq)
					out.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

// killAt returns faults that kill this process the nth time it passes a point.
func killAt(point string) *journal.Faults {
	name, count, _ := strings.Cut(point, ":")
	n, _ := strconv.ParseInt(count, 10, 64)
	var passed atomic.Int64
	here := func() error {
		if passed.Add(1) >= n {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the signal takes a moment
		}
		return nil
	}
	f := &journal.Faults{}
	switch name {
	case "before the write":
		f.Write = func(b []byte) (int, error) { return 0, here() }
	case "in the middle of the write":
		writes := 0
		f.Write = func(b []byte) (int, error) {
			if writes++; int64(writes) < n {
				return 0, nil
			}
			passed.Store(n)
			return rand.IntN(len(b)), syscall.ENOSPC // then it truncates
		}
		f.Cut = here
	case "before the sync":
		f.Sync = here
	case "after the sync":
		f.Synced = here
	case "before the rename":
		f.Rename = here
	case "after the rename":
		f.SyncDir = here
	}
	return f
}

// proves: S2, V6 (everything acknowledged is there, the chain verifies, nothing is half)
func TestCrash(t *testing.T) {
	var points []string
	for _, name := range []string{"before the write", "in the middle of the write", "before the sync", "after the sync"} {
		for _, n := range []int{2, 9} {
			points = append(points, fmt.Sprintf("%s:%d", name, n))
		}
	}
	for _, name := range []string{"before the rename", "after the rename"} {
		for _, n := range []int{1, 2} {
			points = append(points, fmt.Sprintf("%s:%d", name, n))
		}
	}
	for range 6 {
		points = append(points, "at random")
	}
	if testing.Short() {
		points = points[:8]
	}
	path := logPath(t)
	acked := map[string]uint64{}
	erased := map[string]map[uint64]bool{}
	for _, point := range points {
		runChild(t, path, point, acked, erased)
		afterCrash(t, path, point, acked, erased)
	}
	if len(acked) != writers {
		t.Errorf("only %d streams were written", len(acked))
	}
}

func runChild(t *testing.T, path, point string, acked map[string]uint64, erased map[string]map[uint64]bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCrashChild$")
	cmd.Env = append(os.Environ(), childFile+"="+path, childPoint+"="+point)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := -1
	if point == "at random" {
		kill = rand.IntN(120)
	}
	var rest strings.Builder
	for s := bufio.NewScanner(out); s.Scan(); kill-- {
		var what, stream string
		var seq uint64
		if n, _ := fmt.Sscan(s.Text(), &what, &stream, &seq); n != 3 {
			rest.WriteString(s.Text() + "\n")
			continue
		}
		if what == "ack" {
			acked[stream] = seq
		} else {
			if erased[stream] == nil {
				erased[stream] = map[uint64]bool{}
			}
			erased[stream][seq] = true
		}
		if kill == 0 {
			_ = cmd.Process.Kill()
		}
	}
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("%s: the child was not killed: %v\n%s%s", point, err, rest.String(), stderr.String())
	}
}

func afterCrash(t *testing.T, path, point string, acked map[string]uint64, erased map[string]map[uint64]bool) {
	t.Helper()
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatalf("%s: %v", point, err)
	}
	defer j.Close()
	for stream, last := range acked {
		recs := collect(t, j.Read(t.Context(), stream, 0))
		checkChain(t, stream, recs)
		if uint64(len(recs)) < last {
			t.Fatalf("%s: %s ends with record %d, %d was acknowledged", point, stream, len(recs), last)
		}
		for i, want := 0, (item{}); i < len(recs); i++ {
			if recs[i].State == audit.Erased {
				want = item{}
				continue
			}
			if erased[stream][recs[i].Seq] {
				t.Fatalf("%s: the payload of %s/%d is back", point, stream, recs[i].Seq)
			}
			var is item
			if err := json.Unmarshal(recs[i].Payload, &is); err != nil {
				t.Fatal(err)
			}
			if rest := len(recs) - i; is.Of-is.I > rest {
				t.Fatalf("%s: %s ends in the middle of a batch: %s", point, stream, recs[i].Payload[:40])
			}
			if want.Batch != "" && want.I+1 < want.Of && (is.Batch != want.Batch || is.I != want.I+1) {
				t.Fatalf("%s: %s: %s/%d follows %s/%d", point, stream, is.Batch, is.I, want.Batch, want.I)
			}
			want = is
		}
	}
	report, err := audit.Verify(audit.Records(journal.Records(t.Context(), j)), nil)
	if err != nil || report.Err() != nil {
		t.Fatalf("%s: %v, %v", point, err, report.Err())
	}
	if left, err := os.Stat(path + ".new"); err == nil {
		t.Errorf("%s: left behind: %s", point, left.Name())
	}
}
