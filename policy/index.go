package policy

import (
	"slices"
	"strings"
)

// index finds the rules whose name pattern a tool's name meets, without looking
// at the others: exact names in a map, patterns in a radix tree by what stands
// before their first star. A list of rules is a chain of links, which takes a
// third of the memory that a slice for each name would.
type index struct {
	exact map[string]int32 // the first link of each name
	root  node
	links []link // links[0] is the end of every chain
	parts bool   // whether a pattern has more behind its first star
}

// link is one rule of a chain.
type link struct {
	rule int32 // its place in Policy.rules
	next int32
}

// node is a place in the radix tree.
type node struct {
	label string // what the walk must read to get here
	first []byte // the first byte of each child's label
	next  []*node
	stars []star // the patterns whose first star stands here
}

// star is what patterns say behind their first star.
type star struct {
	parts []string // what stands between and behind the further stars; nil for nothing
	need  letters  // of the parts
	first int32    // the first link
}

// letters are the bytes of a text, a few bytes to a bit. A name that lacks one
// of a pattern's letters cannot meet it. That is worth a look first: patterns
// such as *_delete all stand at one node.
type letters uint64

func lettersOf(s string) (l letters) {
	for i := range len(s) {
		l |= 1 << (s[i] & 63)
	}
	return l
}

// ends reports whether a name ends as the parts say. Each of them is looked for
// once, as early as possible: what an early find leaves is never less than what
// a later one would.
func (s *star) ends(name string) bool {
	if len(s.parts) == 0 {
		return true
	}
	last := len(s.parts) - 1
	for _, part := range s.parts[:last] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, s.parts[last])
}

// add enters rule number n under a pattern.
func (x *index) add(pattern string, n int32) {
	head, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		if x.exact == nil {
			x.exact = make(map[string]int32)
		}
		x.exact[pattern] = x.link(n, x.exact[pattern])
		return
	}
	at := x.root.at(head)
	var parts []string
	if rest != "" {
		parts = strings.Split(rest, "*")
	}
	i := slices.IndexFunc(at.stars, func(s star) bool { return slices.Equal(s.parts, parts) })
	if i < 0 {
		i = len(at.stars)
		at.stars = append(at.stars, star{parts: parts, need: lettersOf(strings.Join(parts, ""))})
		x.parts = x.parts || parts != nil
	}
	at.stars[i].first = x.link(n, at.stars[i].first)
}

// link puts a rule in front of a chain and returns the new first link.
func (x *index) link(n, next int32) int32 {
	if x.links == nil {
		x.links = make([]link, 1)
	}
	x.links = append(x.links, link{n, next})
	return int32(len(x.links) - 1)
}

// at returns the node that is reached by reading s, made if need be.
func (n *node) at(s string) *node {
	for s != "" {
		i := strings.IndexByte(string(n.first), s[0])
		if i < 0 {
			leaf := &node{label: s}
			n.first, n.next = append(n.first, s[0]), append(n.next, leaf)
			return leaf
		}
		child := n.next[i]
		k := common(child.label, s)
		if k < len(child.label) {
			child = child.split(k)
			n.next[i] = child
		}
		n, s = child, s[k:]
	}
	return n
}

// split returns a new node for the first k bytes of n's label, above n.
func (n *node) split(k int) *node {
	above := &node{label: n.label[:k], first: []byte{n.label[k]}, next: []*node{n}}
	n.label = n.label[k:]
	return above
}

// child returns the node that reading s leads to from n, nil for none.
func (n *node) child(s string) *node {
	if s == "" {
		return nil
	}
	for i, b := range n.first {
		if b == s[0] {
			if c := n.next[i]; strings.HasPrefix(s, c.label) {
				return c
			}
			return nil
		}
	}
	return nil
}

// common returns the length of the longest common beginning.
func common(a, b string) int {
	k := 0
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	return k
}
