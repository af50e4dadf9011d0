package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
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
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
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
						if _, err := j.Append(b.Context(), stream, uint64(i%records), claim(store.NewID("call"))); err != nil {
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
