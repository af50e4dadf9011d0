// Package keys turns what comes from a terminal into keys.
package keys

import (
	"io"
	"unicode/utf8"
)

// Name is a key that is no character.
type Name uint8

// The keys that are no characters. The zero Name is a character.
const (
	Char Name = iota
	Enter
	Escape
	Interrupt // Ctrl-C
	End       // Ctrl-D
	Backspace
	Delete
	Left
	Right
	Home
	Last // the End key and Ctrl-E
	Clear
	EraseWord
	Other
)

// Key is one key that was pressed.
type Key struct {
	Name Name
	Char rune
	// Burst says that it came together with others: pasted, or typed before
	// anybody looked. Such a key is text and never an answer.
	Burst bool
}

// Source reads keys on demand: nothing is read ahead, so that another program,
// an editor, can have the terminal in between. It is for one goroutine.
type Source struct {
	want chan struct{}
	got  chan []Key
	open bool // a read is under way
}

// NewSource reads keys from r. A read of a terminal cannot be ended, so the
// source's goroutine ends with Close, or with the read that is under way then.
func NewSource(r io.Reader) *Source {
	s := &Source{want: make(chan struct{}, 1), got: make(chan []Key, 1)}
	go s.read(r)
	return s
}

func (s *Source) read(r io.Reader) {
	defer close(s.got)
	buf := make([]byte, 4096)
	var kept []byte // the beginning of a character
	for range s.want {
		n, err := r.Read(buf)
		var ks []Key
		ks, kept = Parse(append(kept, buf[:n]...))
		s.got <- ks
		if err != nil {
			return
		}
	}
}

// Keys returns the channel of the next keys, which is closed at the input's end.
// Who received from it calls Keys again for more.
func (s *Source) Keys() <-chan []Key {
	if !s.open {
		s.open = true
		select {
		case s.want <- struct{}{}:
		default: // the input has ended: nobody takes it
		}
	}
	return s.got
}

// Took says that the keys were received, so that more may be read.
func (s *Source) Took() { s.open = false }

// Close reads no more.
func (s *Source) Close() { close(s.want) }

// Parse reads keys from bytes and returns the rest: the beginning of a character
// whose end has not come yet.
func Parse(b []byte) (ks []Key, rest []byte) {
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			rest = append(rest, b...)
			break
		}
		k, n := first(b)
		ks, b = append(ks, k), b[n:]
	}
	if len(ks) > 1 {
		for i := range ks {
			ks[i].Burst = true
		}
	}
	return ks, rest
}

// controls are the keys of control characters.
var controls = map[byte]Name{
	'\r': Enter, '\n': Enter, 3: Interrupt, 4: End, 8: Backspace, 127: Backspace,
	1: Home, 5: Last, 2: Left, 6: Right, 21: Clear, 23: EraseWord,
}

// sequences are the keys of the ends of escape sequences.
var sequences = map[string]Name{
	"C": Right, "D": Left, "H": Home, "F": Last, "1~": Home, "7~": Home, "4~": Last, "8~": Last, "3~": Delete,
}

func first(b []byte) (Key, int) {
	if b[0] == 0x1b {
		return escape(b)
	}
	if name, ok := controls[b[0]]; ok {
		return Key{Name: name}, 1
	}
	r, n := utf8.DecodeRune(b)
	if r < ' ' || r == utf8.RuneError && n == 1 {
		return Key{Name: Other}, n
	}
	return Key{Char: r}, n
}

// escape reads an escape sequence whole, known or not, so that its letters are
// never taken for keys. An escape character alone is the key Escape.
func escape(b []byte) (Key, int) {
	if len(b) == 1 || b[1] == 0x1b {
		return Key{Name: Escape}, 1
	}
	if b[1] != '[' && b[1] != 'O' {
		return Key{Name: Other}, 2
	}
	for i := 2; i < len(b); i++ {
		if b[i] >= 0x40 && b[i] <= 0x7e {
			name, ok := sequences[string(b[2:i+1])]
			if !ok {
				name = Other
			}
			return Key{Name: name}, i + 1
		}
	}
	return Key{Name: Other}, len(b)
}
