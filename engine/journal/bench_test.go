//go:build linux

package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
)

// The payload of a record of about 200 bytes, as a decision has.
var decision = []byte(`{"tool":"orders_refund","class":"write","verdict":"ask","basis":"table","mode":"ask","digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","trace":"mode ask, class write"}`)

func decisionDraft() []audit.Draft {
	return []audit.Draft{{Type: "call_decided", Version: 1, Time: time.UnixMilli(1_780_000_000_000), Header: []byte(`{"turn":"01J9Z3","call":"01J9Z4"}`), Payload: decision}}
}

// benchDir is a folder on a disk: set ASSENT_BENCH_DIR where the temporary
// folder is in memory.
func benchDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp(os.Getenv("ASSENT_BENCH_DIR"), "journal")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
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

// BenchmarkAppend has callers on streams of their own, each of which waits until
// its record is on the disk.
func BenchmarkAppend(b *testing.B) {
	for _, callers := range []int{1, 16, 64, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			j, err := journal.OpenFile(filepath.Join(benchDir(b), "log.jsonl"), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			cpu := cpuTime(b)
			b.ResetTimer()
			var wg sync.WaitGroup
			for c := range callers {
				wg.Go(func() {
					stream := fmt.Sprintf("session/%d", c)
					for i := range b.N {
						if _, err := j.Append(b.Context(), stream, uint64(i), decisionDraft()); err != nil {
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

// BenchmarkBareFile is what no log can beat: rows of as many bytes, appended and
// synced without anything else.
func BenchmarkBareFile(b *testing.B) {
	head := audit.Genesis(journal.DefaultTenant, "session/1")
	r, err := head.Seal(decisionDraft()[0], audit.NewSalt())
	if err != nil {
		b.Fatal(err)
	}
	row := r.AppendLine(nil, []byte(`{"more":0,"back":4711,"at":815}`))
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

// BenchmarkRead reads one stream of a hundred among others.
func BenchmarkRead(b *testing.B) {
	j, err := journal.OpenFile(filepath.Join(benchDir(b), "log.jsonl"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	for i := range 50 {
		for s := range 100 {
			if _, err := j.Append(b.Context(), fmt.Sprintf("session/%d", s), uint64(i), decisionDraft()); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range j.Read(b.Context(), "session/7", 0) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 50 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/50, "ns/record")
}

// BenchmarkStreams says what 100,000 streams cost in memory, and how fast a file
// of as many records is opened.
func BenchmarkStreams(b *testing.B) {
	const streams = 100_000
	path := filepath.Join(benchDir(b), "log.jsonl")
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range 100 {
		wg.Go(func() {
			for i := w; i < streams; i += 100 {
				if _, err := j.Append(b.Context(), fmt.Sprintf("session/01J9Z3K5M7N9P1Q3R5S7%06d", i), 0, decisionDraft()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	j.Close()
	for b.Loop() {
		before := heap()
		start := time.Now()
		j, err := journal.OpenFile(path, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds())/streams, "open-µs/record")
		b.ReportMetric(float64(heap()-before)/streams, "B/stream")
		j.Close()
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
