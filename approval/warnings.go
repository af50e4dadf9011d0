package approval

import (
	"slices"
	"strings"

	"github.com/assentdev/assent/approval/safetext"
)

// finding adds up what Look found in the texts of a card.
type finding struct {
	n     int
	where []string
}

// maxWhere bounds the places that one warning names.
const maxWhere = 3

func (f *finding) add(n int, where string) {
	if n == 0 {
		return
	}
	f.n += n
	f.at(where)
}

func (f *finding) at(where string) {
	if len(f.where) < maxWhere && !slices.Contains(f.where, where) {
		f.where = append(f.where, where)
	}
}

func (f *finding) line(code string, lines []Line) []Line {
	if len(f.where) == 0 {
		return lines
	}
	return append(lines, newLine(code, "n", itoa(f.n), "where", strings.Join(f.where, ", ")))
}

// inspector looks at all texts of a card.
type inspector struct {
	hidden, bidi, broken, white, directions finding
	mixed                                   []string
}

func (i *inspector) look(where, text string) {
	f := safetext.Look(text)
	i.hidden.add(f.Hidden, where)
	i.bidi.add(f.Bidi, where)
	i.broken.add(f.Broken, where)
	if f.White > longWhite {
		i.white.n = max(i.white.n, f.White)
		i.white.at(where)
	}
	if f.Directions {
		i.directions.at(where)
	}
	for _, word := range f.Mixed {
		if len(i.mixed) < maxWhere && !slices.Contains(i.mixed, word) {
			i.mixed = append(i.mixed, short(word))
		}
	}
}

// warnings returns what a person should know before reading the rest.
func warnings(r Request, a *args) []Line {
	var lines []Line
	if a.err != nil {
		lines = append(lines, newLine("warn.unreadable"))
	}
	if r.Similar != "" {
		lines = append(lines, newLine("warn.similar", "id", short(r.Similar)))
	}
	if !plainName(r.Tool.Name) {
		lines = append(lines, newLine("warn.name"))
	}
	i := inspect(r, a)
	lines = i.hidden.line("warn.hidden", lines)
	lines = i.bidi.line("warn.bidi", lines)
	lines = i.broken.line("warn.broken", lines)
	lines = i.white.line("warn.white", lines)
	if len(i.mixed) > 0 {
		lines = append(lines, newLine("warn.mixed", "words", strings.Join(i.mixed, ", ")))
	}
	return i.directions.line("warn.directions", lines)
}

// inspect looks at the arguments first, because they are what runs.
func inspect(r Request, a *args) *inspector {
	i := &inspector{}
	if a.err == nil {
		i.argument(a.root)
	}
	i.look("title", r.Tool.Title)
	i.look("tool", r.Tool.Name)
	i.look("description", r.Tool.Description)
	i.look("source", r.Tool.Source.Name)
	if r.Preview != nil {
		i.look("preview", r.Preview.Summary)
		for _, c := range r.Preview.Changes {
			i.look("preview", c.Label+"\n"+c.Before+"\n"+c.After)
		}
	}
	i.look("preview", r.NoPreview)
	i.look("assistant", r.ModelText)
	return i
}

// argument looks at a value and all in it, and not into what is secret, because
// a warning quotes words and names places.
func (i *inspector) argument(n *node) {
	where := short(strings.TrimPrefix(n.pointer, "/"))
	i.look(where, n.name)
	if n.secret {
		return
	}
	i.look(where, n.text)
	i.look("preview", n.named)
	for _, kid := range n.kids {
		i.argument(kid)
	}
}

// plainName says whether a raw tool name has only characters that code tools may
// have, or a dot, a colon or a slash, which MCP servers use.
func plainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("_-.:/", c) < 0 {
			return false
		}
	}
	return s != ""
}
