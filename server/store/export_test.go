package store

import (
	"context"
	"time"
)

// HoldBy is Hold with clocks of the test's own.
func HoldBy(ctx context.Context, m Members, member string, opts *LeaseOptions, clock func() (mono, wall time.Duration)) (*Lease, error) {
	return hold(ctx, m, member, opts, clock)
}
