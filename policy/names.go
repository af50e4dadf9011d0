package policy

import (
	"slices"
	"strconv"
	"strings"
)

// compiler keeps equal lists of names once.
type compiler struct{ names map[string]*names }

// names is a set of agents, groups or pins. A nil one is a condition that
// everything meets.
type names struct {
	few  []string
	many map[string]struct{} // instead of few, where there are more than eight
}

func (c *compiler) list(list []string) *names {
	if len(list) == 0 {
		return nil
	}
	list = slices.Sorted(slices.Values(list))
	var key strings.Builder
	for _, s := range list {
		key.WriteString(strconv.Itoa(len(s)) + ":" + s)
	}
	if n, ok := c.names[key.String()]; ok {
		return n
	}
	n := &names{few: slices.Compact(list)}
	if len(n.few) > 8 {
		n.many = make(map[string]struct{}, len(n.few))
		for _, s := range n.few {
			n.many[s] = struct{}{}
		}
	}
	c.names[key.String()] = n
	return n
}

func (n *names) has(s string) bool {
	if n == nil {
		return true
	}
	if n.many != nil {
		_, ok := n.many[s]
		return ok
	}
	for _, name := range n.few {
		if name == s {
			return true
		}
	}
	return false
}

func (n *names) hasAny(list []string) bool {
	if n == nil {
		return true
	}
	for _, s := range list {
		if n.has(s) {
			return true
		}
	}
	return false
}
