package gate

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate/rate"
)

// noise logs a few lines a second at most, so that nobody can fill a disk by
// being refused. The next line says how many were left out.
type noise struct {
	log    *slog.Logger
	bucket *rate.Limiter[struct{}]

	mu      sync.Mutex
	skipped map[fault.Code]int
}

func newNoise(log *slog.Logger, now func() time.Time) *noise {
	return &noise{log: log, bucket: rate.New[struct{}](rate.Limit{PerSecond: 2, Burst: 50}, 1, now), skipped: map[fault.Code]int{}}
}

func (n *noise) say(ctx context.Context, level slog.Level, code fault.Code, text string, attrs ...any) {
	ok, _ := n.bucket.Take(struct{}{})
	n.mu.Lock()
	if !ok {
		n.skipped[code]++
		n.mu.Unlock()
		return
	}
	skipped := maps.Clone(n.skipped)
	clear(n.skipped)
	n.mu.Unlock()
	if len(skipped) > 0 {
		attrs = append(attrs, "left_out", skipped)
	}
	n.log.Log(ctx, level, text, attrs...)
}
