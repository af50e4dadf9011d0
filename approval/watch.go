package approval

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// Event tells a watcher of one card as it is now, or to begin again.
type Event struct {
	// Seq is what Watch takes to go on after this event. It is 0 for Reset.
	Seq uint64
	// Reset says that everything seen so far is void: all open cards follow.
	Reset bool
	Item  Item // empty for Reset
}

// Watch yields the open cards, and then every card that changes, until ctx ends
// or the loop is left. after is the Seq of the last event that was seen, and 0
// for a watcher that has seen nothing; it counts for this Broker only.
//
// A watcher is told of a card's newest state and not of each step on the way
// there, so that a slow one never holds up anybody and misses nothing that still
// matters. One that was away for so long that closed cards were forgotten
// meanwhile gets a Reset; so does one that begins.
func (b *Broker) Watch(ctx context.Context, after uint64) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		seen, fresh := after, after == 0
		for ctx.Err() == nil {
			news := b.news(seen, fresh)
			if news.reset && !yield(Event{Reset: true}) {
				return
			}
			for _, item := range news.items {
				if ctx.Err() != nil || !yield(Event{Seq: item.Rev, Item: item}) {
					return
				}
			}
			seen, fresh = news.rev, false
			if news.wake != nil {
				select {
				case <-ctx.Done():
				case <-news.wake:
				}
			}
		}
	}
}

// news is what a watcher has not seen yet.
type news struct {
	reset bool
	items []Item
	rev   uint64
	wake  chan struct{} // to wait for if there are no news; else nil
}

func (b *Broker) news(seen uint64, fresh bool) news {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := news{rev: b.rev, reset: fresh || seen < b.forgotten || seen > b.rev}
	if n.reset {
		n.items = b.open.since(0, nil)
	} else {
		n.items = b.closed.since(seen, b.open.since(seen, nil))
	}
	slices.SortFunc(n.items, func(x, y Item) int { return cmp.Compare(x.Rev, y.Rev) })
	if len(n.items) == 0 && !n.reset {
		if b.wake == nil {
			b.wake = make(chan struct{})
		}
		n.wake = b.wake
	}
	return n
}
