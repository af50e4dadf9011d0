package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/turn"
)

// A record of about 200 bytes of payload, as a claim has.
var started = []byte(`{"epoch":1,"attempt":1,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","by":"alice@example.org","via":"panel","reason":"as agreed with the customer on the telephone today"}`)

func claim(call string) []audit.Draft {
	header := fmt.Appendf(nil, `{"turn":"turn_1","call":"%s","tool":"orders_refund","class":"write"}`, call)
	return []audit.Draft{{Type: "call.started", Version: 1, Time: time.UnixMilli(1_780_000_000_000), Header: header, Payload: started}}
}

// benchDir is a folder on a disk: set ASSENT_BENCH_DIR where the temporary
// folder is in memory.
func benchDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp(os.Getenv("ASSENT_BENCH_DIR"), "store")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func openBench(b *testing.B) store.Store {
	b.Helper()
	s, err := sqlite.Open(context.Background(), benchDir(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func report(b *testing.B, rows int, cpu time.Duration) {
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(rows)/1000, "cpu-µs/record")
	b.ReportMetric(0, "ns/op")
}

// records is how long the sessions of BenchmarkAppend are.
const records = 40

// BenchmarkAppend has callers on sessions of their own. Each waits until its
// claim, and the call's row, are on the disk.
func BenchmarkAppend(b *testing.B) {
	for _, callers := range []int{1, 16, 64, 256} {
		appendBy(b, fmt.Sprintf("callers=%d", callers), callers, claim)
	}
	appendBy(b, "callers=64,without rows", 64, func(call string) []audit.Draft {
		d := claim(call)
		d[0].Type = "model.answered"
		return d
	})
}

func appendBy(b *testing.B, name string, callers int, drafts func(call string) []audit.Draft) {
	b.Run(name, func(b *testing.B) {
		j := openBench(b).Journal("acme")
		cpu := cpuTime(b)
		b.ResetTimer()
		var wg sync.WaitGroup
		for range callers {
			wg.Go(func() {
				stream := ""
				for i := range b.N {
					if i%records == 0 {
						stream = "session/" + store.NewID("session")
					}
					if _, err := j.Append(b.Context(), stream, uint64(i%records), drafts(store.NewID("call"))); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		report(b, b.N*callers, cpuTime(b)-cpu)
	})
}

// BenchmarkBareFile is what no store can beat: rows of as many bytes, appended
// and synced without anything else.
func BenchmarkBareFile(b *testing.B) {
	head := audit.Genesis("acme", "session/1")
	r, err := head.Seal(claim("call_1")[0], audit.NewSalt())
	if err != nil {
		b.Fatal(err)
	}
	row := r.AppendLine(nil, nil)
	for _, rows := range []int{1, 64} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			f, err := os.Create(filepath.Join(benchDir(b), "bare"))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			group := []byte(strings.Repeat(string(row), rows))
			cpu := cpuTime(b)
			b.ResetTimer()
			for range b.N {
				if _, err := f.Write(group); err != nil {
					b.Fatal(err)
				}
				if err := syscall.Fdatasync(int(f.Fd())); err != nil {
					b.Fatal(err)
				}
			}
			report(b, b.N*rows, cpuTime(b)-cpu)
		})
	}
}

// BenchmarkNewest lists the newest 50 of 100,000 open approvals, and says what
// they cost in memory and on the disk.
func BenchmarkNewest(b *testing.B) {
	const sessions = 100_000
	dir := benchDir(b)
	before := resident(b)
	s, err := sqlite.Open(context.Background(), dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	var wg sync.WaitGroup
	for w := range 64 {
		wg.Go(func() {
			for i := w; i < sessions; i += 64 {
				id := store.NewID("session")
				if _, err := s.Journal("acme").Append(b.Context(), audit.SessionStream(id), 0, question(id, i)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for name, q := range map[string]store.ApprovalQuery{"all": {}, "agent": {Agent: "agent7"}} {
		b.Run(name, func(b *testing.B) {
			cpu := cpuTime(b)
			for b.Loop() {
				list, err := s.Approvals(b.Context(), "acme", q)
				if err != nil || len(list) != 50 {
					b.Fatal(len(list), err)
				}
			}
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
	b.Run("orphans", func(b *testing.B) {
		if err := s.Join(b.Context(), "m1", time.Hour); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if list, err := s.Orphans(b.Context(), 50); err != nil || len(list) > 0 {
				b.Fatal(len(list), err)
			}
		}
	})
	info, err := os.Stat(filepath.Join(dir, "assent.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d open approvals: %.0f MB of memory more than before, a file of %.0f MB", sessions, float64(resident(b)-before)/1e6, float64(info.Size())/1e6)
}

func question(id string, i int) []audit.Draft {
	at := 1_780_000_000_000 + int64(i)
	refs := turn.Refs{Turn: store.NewID("turn"), Call: store.NewID("call"), Approval: store.NewID("approval"), Tool: "orders_refund", Class: "write"}
	return drafts(
		turn.Event{At: at, Body: &turn.SessionStarted{Session: id, Agent: fmt.Sprint("agent", i%20), Principal: "alice@example.org", Mode: policy.Ask}},
		turn.Event{At: at, Body: &turn.SessionOwned{Owner: "m1/owner_1", Epoch: 1}},
		turn.Event{At: at, Refs: turn.Refs{Turn: refs.Turn}, Body: &turn.TurnStarted{Kind: turn.ByMessage, Text: "refund my order", Mode: policy.Ask}},
		turn.Event{At: at, Refs: refs, Body: &turn.Asked{Question: turn.MayRun, Digest: "9f86d081884c7d65", Class: policy.Write, Expires: at + 600_000}},
	)
}

// resident is how much memory this process holds.
func resident(b *testing.B) int64 {
	b.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
