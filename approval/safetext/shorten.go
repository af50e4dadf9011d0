package safetext

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Short is the beginning and the end of a text. Both are escaped. That
// something was left out is told by numbers and never by characters within the
// text, which could be written there by anybody.
type Short struct {
	Head string
	Tail string // "" unless something was left out
	Left int    // characters of the original between Head and Tail that are not shown
	Size int    // characters of the original; a byte that is not UTF-8 counts as one
}

// Shorten returns s escaped, and where that takes more than limit characters,
// its beginning and its end with about three quarters and one quarter of them.
// An escape is never cut. A limit below 16 counts as 16.
func Shorten(s string, limit int) Short { return shorten(s, limit, visible) }

// String returns the text in one piece, with what was left out as an escape of
// its own: \[12 more].
func (s Short) String() string {
	if s.Left == 0 {
		return s.Head
	}
	return s.Head + `\[` + strconv.Itoa(s.Left) + ` more]` + s.Tail
}

func shorten(s string, limit int, shown func(rune) bool) Short {
	limit = max(limit, 16)
	if len(s) <= limit && plain(s) {
		return Short{Head: s, Size: len(s)}
	}
	head, tail := window{limit: limit - limit/4}, window{limit: limit / 4}
	for p := range pieces(s, shown) {
		if tail.pieces == nil && head.width+p.width <= head.limit {
			head.push(p)
			continue
		}
		// All that follows the head goes through the tail, which keeps its end.
		tail.push(p)
	}
	left := tail.dropped
	if left > 0 && tail.all+head.width <= limit {
		head, tail, left = window{limit: limit, pieces: slices.Collect(pieces(s, shown))}, window{}, 0
	}
	if left == 0 {
		head.pieces, tail.pieces = append(head.pieces, tail.pieces...), nil
	}
	return Short{Head: head.text(), Tail: tail.text(), Left: left, Size: utf8.RuneCountInString(s)}
}

// window holds pieces up to a width. A tail drops the oldest ones for new ones.
type window struct {
	limit, width int
	pieces       []piece
	dropped      int // characters of the original that were dropped
	all          int // width of all that was pushed
}

func (w *window) push(p piece) {
	w.pieces = append(w.pieces, p)
	w.width += p.width
	w.all += p.width
	for w.width > w.limit && len(w.pieces) > 0 {
		w.width -= w.pieces[0].width
		w.dropped += w.pieces[0].runes
		w.pieces = w.pieces[1:]
	}
}

func (w *window) text() string {
	var b []byte
	for _, p := range w.pieces {
		b = append(b, p.text...)
	}
	return string(b)
}
