package schema

import (
	"cmp"
	"slices"
	"strconv"
)

// keyRef is a key of an open object: its node and a mark that differs for most
// keys that differ.
type keyRef struct{ mark, node uint32 }

// mark makes a key's mark from its length and its ends.
func mark(text []byte) uint32 {
	n := len(text)
	if n == 0 {
		return 0
	}
	return uint32(n)<<24 ^ uint32(text[0])<<16 ^ uint32(text[n/2])<<8 ^ uint32(text[n-1])
}

// note keeps the key that was just read for the check of its object.
func (p *parser) note(key uint32) {
	p.keys = append(p.keys, keyRef{mark(p.text(key, nil)), key})
}

// distinct says whether the keys of one object all differ.
func (p *parser) distinct(keys []keyRef) bool {
	if len(keys) > 32 {
		return p.distinctSorted(keys)
	}
	for i, a := range keys {
		for _, b := range keys[:i] {
			if a.mark == b.mark && p.compareText(a.node, b.node) == 0 {
				return p.duplicate(a.node)
			}
		}
	}
	return true
}

func (p *parser) distinctSorted(keys []keyRef) bool {
	slices.SortFunc(keys, func(a, b keyRef) int {
		if a.mark != b.mark {
			return cmp.Compare(a.mark, b.mark)
		}
		return p.compareText(a.node, b.node)
	})
	for i, b := range keys[1:] {
		if a := keys[i]; a.mark == b.mark && p.compareText(a.node, b.node) == 0 {
			return p.duplicate(max(a.node, b.node))
		}
	}
	return true
}

func (p *parser) duplicate(key uint32) bool {
	p.fail(int(p.nodes[key].start)-1, "the key "+show(strconv.Quote(p.str(key)), maxEcho)+" is there twice")
	return false
}
