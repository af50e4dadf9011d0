package postgres_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/server/store"
)

var started = []byte(`{"epoch":1,"attempt":1,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","by":"alice@example.org","via":"panel","reason":"as agreed with the customer on the telephone today"}`)

func claim() []audit.Draft {
	header := fmt.Appendf(nil, `{"turn":"turn_1","call":"%s","tool":"orders_refund","class":"write"}`, store.NewID("call"))
	return []audit.Draft{{Type: "call.started", Version: 1, Time: time.UnixMilli(1_780_000_000_000), Header: header, Payload: started}}
}

// BenchmarkAppend has callers on sessions of their own. Each waits until its
// claim, and the call's row, are on the server's disk.
func BenchmarkAppend(b *testing.B) {
	const records = 40
	for _, callers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			j := open(b, schema(b)).Journal("acme")
			b.ResetTimer()
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					stream := ""
					for i := range b.N {
						if i%records == 0 {
							stream = audit.SessionStream(store.NewID("session"))
						}
						if _, err := j.Append(b.Context(), stream, uint64(i%records), claim()); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N*callers)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
