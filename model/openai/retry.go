package openai

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// longestAsked is the longest wait that a server may ask for. A longer one ends
// the attempts: asking sooner is what it said not to do.
const longestAsked = 2 * time.Minute

// wait returns how long to wait before the next attempt, of which there is none
// if ok is false. attempt counts from 0, first is the wait after it.
func (f failure) wait(attempt int, first time.Duration) (d time.Duration, ok bool) {
	if !f.passes() {
		return 0, false
	}
	if f.server != nil {
		if d, given := retryAfter(f.server.header); given {
			return d, d <= longestAsked
		}
	}
	d = first << min(attempt, 4)
	// A random quarter keeps clients that failed together from coming back together.
	return d - rand.N(d/4+1), true
}

// retryAfter reads when a server wants to be asked again: Retry-After-Ms, or
// Retry-After in seconds or as a date. A date that has passed is no wait.
func retryAfter(h http.Header) (time.Duration, bool) {
	for _, form := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		v := h.Get(form.name)
		if n, err := strconv.ParseFloat(v, 64); err == nil && n >= 0 {
			// A number too large for a duration is longer than any wait allowed.
			return time.Duration(min(n, float64(longestAsked/form.unit)+1) * float64(form.unit)), true
		}
		if t, err := http.ParseTime(v); err == nil {
			return max(time.Until(t), 0), true
		}
	}
	return 0, false
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
