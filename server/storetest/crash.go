//go:build unix

package storetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/server/store"
)

// ChildEnv is set for the child of [Crash]: it names the store to open.
const ChildEnv = "ASSENT_TEST_STORE"

// writers is how many sessions the child writes at the same time.
const writers = 8

// item is the payload of one record of a batch.
type item struct {
	Batch string `json:"batch"`
	I     int    `json:"i"`
	Of    int    `json:"of"`
	Fill  string `json:"fill"`
}

// CrashChild is the body of the test that Crash starts as a child: it appends
// batches to s, and says on its standard output what was acknowledged, until it
// is killed.
func CrashChild(t *testing.T, s store.Store) {
	var out sync.Mutex
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			j, stream := s.Journal("acme"), fmt.Sprintf("stream/%d", w)
			last := uint64(len(collect(t, j.Read(t.Context(), stream, 0))))
			for {
				of := 1 + rand.IntN(4)
				var batch []audit.Draft
				for i := range of {
					b, _ := json.Marshal(item{fmt.Sprint(last), i, of, strings.Repeat("x", rand.IntN(600))})
					batch = append(batch, note(string(b)))
				}
				if _, err := j.Append(t.Context(), stream, last, batch); err != nil {
					t.Error(err)
					return
				}
				last += uint64(of)
				out.Lock()
				fmt.Printf("ack %s %d\n", stream, last)
				out.Unlock()
			}
		})
	}
	wg.Wait()
}

// Crash starts the test named child in a process of its own, which has to call
// CrashChild on the store that env names, kills it at any moment, several times,
// and looks at what is left: everything that was acknowledged is there, and every
// batch whole or not at all.
func Crash(t *testing.T, child, env string, open func() store.Store) {
	acked := map[string]uint64{}
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		runChild(t, child, env, acked)
		afterCrash(t, open(), acked)
	}
	if len(acked) != writers {
		t.Errorf("only %d streams were written", len(acked))
	}
}

func runChild(t *testing.T, child, env string, acked map[string]uint64) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+child+"$")
	cmd.Env = append(os.Environ(), ChildEnv+"="+env)
	var stderr, rest bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	wantNone(t, "StdoutPipe", err)
	wantNone(t, "Start", cmd.Start())
	kill := 20 + rand.IntN(150)
	for s := bufio.NewScanner(out); s.Scan(); kill-- {
		var stream string
		var seq uint64
		if n, _ := fmt.Sscanf(s.Text(), "ack %s %d", &stream, &seq); n != 2 {
			rest.WriteString(s.Text() + "\n")
			continue
		}
		acked[stream] = seq
		if kill == 0 {
			_ = cmd.Process.Kill()
		}
	}
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the child was not killed: %v\n%s%s", err, rest.String(), stderr.String())
	}
}

func afterCrash(t *testing.T, s store.Store, acked map[string]uint64) {
	t.Helper()
	defer func() { wantNone(t, "Close", s.Close()) }()
	wantNone(t, "Check", s.Check(t.Context()))
	for stream, last := range acked {
		recs := collect(t, s.Journal("acme").Read(t.Context(), stream, 0))
		checkChain(t, "acme", stream, recs)
		if uint64(len(recs)) < last {
			t.Fatalf("%s ends with record %d, %d was acknowledged", stream, len(recs), last)
		}
		want := item{}
		for _, r := range recs {
			var is item
			wantNone(t, "payload", json.Unmarshal(r.Payload, &is))
			if is.I > 0 && (is.Batch != want.Batch || is.I != want.I+1) || is.I == 0 && want.I+1 < want.Of {
				t.Fatalf("%s: %s/%d follows %s/%d of %d", stream, is.Batch, is.I, want.Batch, want.I, want.Of)
			}
			want = is
		}
		if want.I+1 != want.Of {
			t.Fatalf("%s ends in the middle of a batch", stream)
		}
	}
}
