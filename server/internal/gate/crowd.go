package gate

import (
	"sync"
	"time"
)

// crowd counts who is being answered now. It holds as many entries as there are
// requests at most.
type crowd struct {
	most, mostOfKey int

	mu  sync.Mutex
	in  map[seat]int
	all int
}

// seat is what is counted apart.
type seat struct {
	id     string // "" for everybody who is not known: together they get a quarter
	stream bool
}

// enter counts a request until leave is called, once.
func (c *crowd) enter(s seat) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.all >= c.most:
		return nil, later(time.Second, Overloaded, "The server is busy. Try again in a moment.")
	case s.id == "" && c.in[s] >= max(c.most/4, 1):
		return nil, later(time.Second, Overloaded, "The server is busy. Try again in a moment.")
	case s.id != "" && c.in[s] >= c.mostOfKey:
		return nil, later(time.Second, TooManyAtOnce, "Too many requests of this key are open at the same time.")
	}
	c.all++
	c.in[s]++
	return func() { c.leave(s) }, nil
}

func (c *crowd) leave(s seat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.in[s]--; c.in[s] == 0 {
		delete(c.in, s)
	}
}
