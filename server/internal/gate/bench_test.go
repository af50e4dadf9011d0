package gate_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assentdev/assent/server/internal/gate"
	"github.com/assentdev/assent/server/internal/gate/rate"
)

// What the gate adds to a request of a kilobyte.
func BenchmarkGate(b *testing.B) {
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	g := newGate(b, next, gate.Options{Keys: rate.Limit{PerSecond: 1e9, Burst: 1 << 30}})
	body := `{"message":"` + strings.Repeat("x", 900) + `","mode":"ask","context":{"a":1,"b":[1,2,3]}}`
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "http://localhost/", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer alice")
		r.Header.Set("Content-Type", "application/json")
		g.ServeHTTP(nothing{http.Header{}}, r)
	}
}
