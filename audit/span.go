package audit

import (
	"cmp"
	"slices"
)

// span is a row of seqs, first and last.
type span [2]uint64

// addSpan adds s behind the spans of list and joins it to the last one where it
// follows it.
func addSpan(list []span, s span) []span {
	if end := len(list) - 1; end >= 0 && s[0] <= list[end][1]+1 && s[0] >= list[end][0] {
		list[end][1] = max(list[end][1], s[1])
		return list
	}
	return append(list, s)
}

// joinSpans sorts spans and joins those that touch.
func joinSpans(list []span) (joined []span) {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a[0], b[0]) })
	for _, s := range list {
		joined = addSpan(joined, s)
	}
	return joined
}

// firstOutside returns the first seq of s that none of the joined spans holds; 0
// if they hold all.
func firstOutside(s span, joined []span) uint64 {
	for _, j := range joined {
		if j[0] <= s[0] && s[0] <= j[1] {
			if s[1] <= j[1] {
				return 0
			}
			return j[1] + 1
		}
	}
	return s[0]
}
