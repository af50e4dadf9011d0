package approval

import (
	"iter"
	"strconv"
)

// all yields the node and everything in it, in the order in which it is written.
func (n *node) all() iter.Seq[*node] {
	return func(yield func(*node) bool) { n.walk(yield) }
}

func (n *node) walk(yield func(*node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, kid := range n.kids {
		if !kid.walk(yield) {
			return false
		}
	}
	return true
}

// find returns the node at a pointer, or nil.
func (n *node) find(pointer string) *node {
	for m := range n.all() {
		if m.pointer == pointer {
			return m
		}
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }

// countLine returns a line whose only parameter is a number.
func countLine(code string, n int) Line { return newLine(code, "n", itoa(n)) }
