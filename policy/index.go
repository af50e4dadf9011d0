package policy

import "strings"

// index finds the rules whose name pattern a tool's name meets, without looking
// at the others: exact names in a map, patterns in a radix tree by what stands
// before their first star. Rules are numbers in Policy.rules.
type index struct {
	exact map[string][]int32
	root  node
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
	rest  string
	rules []int32
}

// add enters rule number n under a pattern.
func (x *index) add(pattern string, n int32) {
	head, rest, ok := strings.Cut(pattern, "*")
	if !ok {
		if x.exact == nil {
			x.exact = make(map[string][]int32)
		}
		x.exact[pattern] = append(x.exact[pattern], n)
		return
	}
	at := x.root.at(head)
	for i := range at.stars {
		if at.stars[i].rest == rest {
			at.stars[i].rules = append(at.stars[i].rules, n)
			return
		}
	}
	at.stars = append(at.stars, star{rest, []int32{n}})
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
