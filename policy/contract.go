package policy

import (
	"slices"
	"time"
)

// contract is a compiled Contract.
type contract struct {
	entries    map[string]entry // nil restricts nothing
	unreadable bool
}

type entry struct {
	class Class
	pins  []string
}

func newContract(c *Contract) contract {
	if c == nil || !c.Unreadable && len(c.Entries) == 0 {
		return contract{}
	}
	out := contract{unreadable: c.Unreadable, entries: make(map[string]entry, len(c.Entries))}
	for _, e := range c.Entries {
		out.entries[e.Tool] = entry{e.Class, slices.Clone(e.Pins)}
	}
	return out
}

// hold returns the class under which the contract lists a tool and why it holds
// it back: NotGiven and "" where it says nothing.
func (c *contract) hold(t *Tool) (Class, Hold) {
	switch {
	case !t.governed():
		return NotGiven, ""
	case c.unreadable:
		return NotGiven, HoldUnreadable
	case c.entries == nil:
		return NotGiven, ""
	}
	e, ok := c.entries[t.Name]
	switch {
	case !ok:
		return NotGiven, HoldContract
	case len(e.pins) > 0 && !slices.Contains(e.pins, t.Pin):
		return e.class, HoldPin
	}
	return e.class, ""
}

// lastGood is how long the last good copy of a contract stands in (SPEC D6).
const lastGood = 24 * time.Hour

// LastGood returns what stands in for a contract that cannot be read at now:
// the last copy that could, if it was read less than 24 hours ago, else an
// unreadable contract. A nil copy that was read is a contract too: none. A zero
// read time says that no copy was ever read.
func LastGood(copy *Contract, read, now time.Time) *Contract {
	if read.IsZero() || now.Before(read) || now.Sub(read) >= lastGood {
		return &Contract{Unreadable: true}
	}
	return copy
}
