package schema

import "bytes"

// kind is the JSON type of a node.
type kind uint8

const (
	kNull kind = iota
	kFalse
	kTrue
	kNumber
	kString
	kObject
	kArray
)

// What the parser learnt about a node.
const (
	escaped uint8 = 1 << iota // a string with a backslash: its text must be decoded
	wide                      // a string with a byte above 7F: count its characters
	whole                     // a number whose value is an integer
	plain                     // a number whose text is canonical as it stands
)

// node is one value or one key. A container's children follow it, a key right
// before its value; next is the node after the whole subtree.
type node struct {
	kind       kind
	flags      uint8
	start, end uint32 // its text; for a string, what is between the quotes
	next       uint32
	size       uint32 // members or items
}

// tape is a strictly parsed text: its nodes in the order of the text. The
// value at the root is node 0.
type tape struct {
	src   []byte
	nodes []node
}

func (t *tape) raw(n uint32) []byte {
	return t.src[t.nodes[n].start:t.nodes[n].end]
}

// text returns a string node's decoded bytes; buf is room for decoding.
func (t *tape) text(n uint32, buf []byte) []byte {
	if t.nodes[n].flags&escaped == 0 {
		return t.raw(n)
	}
	return unescape(buf, t.raw(n))
}

// str returns a string node's decoded text.
func (t *tape) str(n uint32) string { return string(t.text(n, nil)) }

// members calls yield for each key and value of object n.
func (t *tape) members(n uint32) func(yield func(key, value uint32) bool) {
	return func(yield func(key, value uint32) bool) {
		for k := n + 1; k < t.nodes[n].next; k = t.nodes[k+1].next {
			if !yield(k, k+1) {
				return
			}
		}
	}
}

// items calls yield for each item of array n.
func (t *tape) items(n uint32) func(yield func(item uint32) bool) {
	return func(yield func(item uint32) bool) {
		for i := n + 1; i < t.nodes[n].next; i = t.nodes[i].next {
			if !yield(i) {
				return
			}
		}
	}
}

// member returns the value of a key of object n.
func (t *tape) member(n uint32, key string) (value uint32, ok bool) {
	if t.nodes[n].kind != kObject {
		return 0, false
	}
	for k, v := range t.members(n) {
		if t.keyIs(k, key) {
			return v, true
		}
	}
	return 0, false
}

func (t *tape) keyIs(k uint32, name string) bool {
	if t.nodes[k].flags&escaped == 0 {
		return string(t.raw(k)) == name
	}
	return t.str(k) == name
}

// compareText orders two string nodes by their decoded bytes.
func (t *tape) compareText(a, b uint32) int {
	if (t.nodes[a].flags|t.nodes[b].flags)&escaped == 0 {
		return bytes.Compare(t.raw(a), t.raw(b))
	}
	return bytes.Compare(t.text(a, nil), t.text(b, nil))
}

// equal says whether two values are the same JSON value: numbers by value,
// objects without regard to the order of keys.
func equal(t *tape, a uint32, u *tape, b uint32) bool {
	x, y := t.nodes[a], u.nodes[b]
	if x.kind != y.kind || x.size != y.size {
		return false
	}
	switch x.kind {
	case kString:
		if (x.flags|y.flags)&escaped == 0 {
			return bytes.Equal(t.raw(a), u.raw(b))
		}
		return bytes.Equal(t.text(a, nil), u.text(b, nil))
	case kNumber:
		return compareNumbers(t.raw(a), u.raw(b)) == 0
	case kArray:
		j := b + 1
		for i := range t.items(a) {
			if !equal(t, i, u, j) {
				return false
			}
			j = u.nodes[j].next
		}
		return true
	case kObject:
		for k, v := range t.members(a) {
			w, ok := u.member(b, t.str(k))
			if !ok || !equal(t, v, u, w) {
				return false
			}
		}
		return true
	}
	return true
}
