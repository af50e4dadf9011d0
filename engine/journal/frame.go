package journal

import (
	"bytes"
	"strconv"
)

// frame is what a journal file notes with each record, outside of the chain.
type frame struct {
	more int   // how many records of the same batch follow; a batch counts only when it is whole
	back int64 // how many bytes before this line the stream's previous record begins; 0 for the first
	at   int64 // where the write began that holds this line: what stands before was durable by then
}

// frameStart begins every line of a journal file.
const frameStart = `{"frame":{"more":`

// frameRoom is enough for the beginning of a line, its whole frame included.
const frameRoom = 96

func (f frame) append(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"more":`...), int64(f.more), 10)
	dst = strconv.AppendInt(append(dst, `,"back":`...), f.back, 10)
	dst = strconv.AppendInt(append(dst, `,"at":`...), f.at, 10)
	return append(dst, '}')
}

// parseFrame reads what append wrote; b may go on after it.
func parseFrame(b []byte) (f frame, ok bool) {
	more, b, ok1 := member(b, `{"more":`)
	back, b, ok2 := member(b, `,"back":`)
	at, b, ok3 := member(b, `,"at":`)
	ok = ok1 && ok2 && ok3 && len(b) > 0 && b[0] == '}' && more < 1<<31
	return frame{more: int(more), back: back, at: at}, ok
}

func member(b []byte, name string) (n int64, rest []byte, ok bool) {
	b, ok = bytes.CutPrefix(b, []byte(name))
	if !ok {
		return 0, nil, false
	}
	end := 0
	for end < len(b) && b[end] >= '0' && b[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(string(b[:end]), 10, 64)
	return n, b[end:], err == nil && (end == 1 || b[0] != '0')
}
