package chat

import (
	"context"
	"strings"

	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/keys"
)

// read lets the person type a line, beginning with what was typed ahead. ok is
// false when the keys or ctx end, and at Ctrl-C or Ctrl-D in an empty line.
func (c *Chat) read(ctx context.Context, prompt string) (line string, ok bool) {
	c.draw(prompt)
	for {
		select {
		case <-ctx.Done():
			return "", false
		case ks, open := <-c.o.Keys.Keys():
			if !open {
				c.say("")
				return "", false
			}
			c.o.Keys.Took()
			if line, done, ok := c.typed(ks); done {
				c.finish(prompt, line)
				return line, ok
			}
			c.draw(prompt)
		}
	}
}

// typed applies keys. A line break in the middle of pasted text is a space.
func (c *Chat) typed(ks []keys.Key) (line string, done, ok bool) {
	for i, k := range ks {
		switch k.Name {
		case keys.Enter:
			if i == len(ks)-1 {
				line = c.line.String()
				c.line = keys.Line{}
				return line, true, true
			}
			c.line.Type(keys.Key{Char: ' '})
		case keys.Interrupt, keys.Escape, keys.End:
			empty := c.line.String() == ""
			c.line = keys.Line{}
			if empty && k.Name != keys.Escape {
				return "", true, false
			}
		default:
			c.line.Type(k)
		}
	}
	return "", false, false
}

// draw draws the line that is being typed again: its end, where it is longer
// than the terminal is wide. It needs nothing that a plain terminal lacks.
func (c *Chat) draw(prompt string) {
	if !c.o.Live {
		return
	}
	before, behind := c.line.Cursor()
	room := c.o.Ink.Columns() - 8 - ink.Columns(prompt)
	for ink.Columns(before) > max(room, 8) {
		before = string([]rune(before)[1:])
	}
	for behind != "" && ink.Columns(before+behind) > max(room, 8) {
		r := []rune(behind)
		behind = string(r[:len(r)-1])
	}
	free := max(0, c.o.Ink.Columns()-1-ink.Columns(prompt+before+behind))
	c.put("\r" + c.o.Ink.Bold(prompt) + before + behind + strings.Repeat(" ", free))
	c.put(strings.Repeat("\b", ink.Columns(behind)+free))
}

// finish leaves the whole line on the screen.
func (c *Chat) finish(prompt, line string) {
	if c.o.Live {
		c.put("\r" + strings.Repeat(" ", c.o.Ink.Columns()-1) + "\r")
	}
	for i, l := range ink.Wrap(prompt+line, c.o.Ink.Columns()) {
		if rest, ok := strings.CutPrefix(l, prompt); ok && i == 0 {
			l = c.o.Ink.Bold(prompt) + rest
		}
		c.say(l)
	}
}
