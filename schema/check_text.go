package schema

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// length checks minLength and maxLength, which count characters.
func (c *checker) length(r *textRule, n uint32, text []byte) bool {
	count := len(text)
	if c.nodes[n].flags&(wide|escaped) != 0 {
		count = utf8.RuneCount(text)
	}
	if count < r.min {
		return c.wrongLength(n, "minLength", "at least", r.min, count)
	}
	if r.max >= 0 && count > r.max {
		return c.wrongLength(n, "maxLength", "at most", r.max, count)
	}
	return true
}

func (c *checker) wrongLength(n uint32, keyword, bound string, want, has int) bool {
	if !c.collect {
		return false
	}
	return c.report(n, keyword, fmt.Sprintf("must have %s %s, has %d: %s", bound, plural(want, "character"), has, c.echo(n)))
}

func (c *checker) hasPattern(p *pattern, n uint32, text []byte) bool {
	if ok, _ := c.matches(p, text); ok {
		return true
	}
	if !c.collect {
		return false
	}
	return c.report(n, "pattern", "must match the pattern "+show(p.source, maxEcho)+", got "+c.echo(n))
}

// matches asks a pattern and charges for its time. A backtracking engine's is
// not to be foreseen, so it is measured; one that takes too long does not know.
func (c *checker) matches(p *pattern, text []byte) (ok, known bool) {
	c.steps -= len(text) / 16
	if p.slow == nil {
		return p.find(text)
	}
	start := time.Now()
	ok, known = p.find(text)
	c.steps -= int(time.Since(start) / time.Microsecond)
	return ok, known
}
