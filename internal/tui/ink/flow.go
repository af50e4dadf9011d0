package ink

import (
	"io"
	"strings"

	"github.com/assentdev/assent/approval/safetext"
)

// Flow writes a model's text while it streams. It breaks lines at words and
// shows hidden characters as escapes, so that no text can steer the terminal.
type Flow struct {
	w      io.Writer
	width  int
	indent string
	word   strings.Builder
	used   int
	gap    bool // a space stands before the next word
}

// NewFlow returns a flow of lines that begin with an indent.
func NewFlow(w io.Writer, k Ink, indent string) *Flow {
	return &Flow{w: w, width: k.Columns() - Columns(indent), indent: indent}
}

// Add writes the whole words of the text so far and keeps the last one.
func (f *Flow) Add(text string) error {
	for _, r := range text {
		switch r {
		case ' ', '\n':
			if err := f.flush(); err != nil {
				return err
			}
			f.gap = true
			if r == '\n' {
				if err := f.newline(); err != nil {
					return err
				}
			}
		default:
			f.word.WriteRune(r)
		}
	}
	return nil
}

// End writes what is left and ends the line. A flow without text writes nothing.
func (f *Flow) End() error {
	err := f.flush()
	if err == nil && f.used > 0 {
		err = f.newline()
	}
	return err
}

func (f *Flow) newline() error {
	f.used, f.gap = 0, false
	_, err := io.WriteString(f.w, "\n")
	return err
}

// flush writes the word that is complete.
func (f *Flow) flush() error {
	if f.word.Len() == 0 {
		return nil
	}
	word := safetext.Escape(f.word.String())
	f.word.Reset()
	var out strings.Builder
	n := Columns(word)
	switch {
	case f.used == 0:
		out.WriteString(f.indent)
	case f.used+1+n > f.width:
		out.WriteString("\n" + f.indent)
		f.used = 0
	case f.gap:
		out.WriteByte(' ')
		f.used++
	}
	for f.used+n > f.width {
		head, rest := cut(word, f.width-f.used)
		out.WriteString(head + "\n" + f.indent)
		word, n, f.used = rest, Columns(rest), 0
	}
	out.WriteString(word)
	f.used += n
	f.gap = false
	_, err := io.WriteString(f.w, out.String())
	return err
}
