package policy

import (
	"slices"
	"strconv"
	"strings"
)

// compiler keeps equal lists of names once.
type compiler struct {
	single map[string]*names // the lists of one name, by that name
	names  map[string]*names // the others, by all their names
}

func newCompiler() *compiler {
	return &compiler{single: make(map[string]*names), names: make(map[string]*names)}
}

// names is a set of agents, groups or pins. A nil one is a condition that
// everything meets.
type names struct {
	few  []string
	many map[string]struct{} // instead of few, where there are more than eight
}

func (c *compiler) list(list []string) *names {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return keep(c.single, list[0], list)
	}
	list = slices.Clone(list)
	slices.Sort(list)
	var key strings.Builder
	for _, s := range list {
		key.WriteString(strconv.Itoa(len(s)) + ":" + s)
	}
	return keep(c.names, key.String(), slices.Compact(list))
}

// keep returns the set that is kept under a key, made from list if need be.
func keep(kept map[string]*names, key string, list []string) *names {
	n, ok := kept[key]
	if !ok {
		n = newNames(list)
		kept[key] = n
	}
	return n
}

func newNames(list []string) *names {
	if len(list) <= 8 {
		return &names{few: slices.Clone(list)}
	}
	n := &names{many: make(map[string]struct{}, len(list))}
	for _, s := range list {
		n.many[s] = struct{}{}
	}
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
