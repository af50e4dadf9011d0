package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assentdev/assent/fault"
)

// Problem is one thing that is wrong with a file, or, as a warning, that should
// be seen.
type Problem struct {
	File   string // as it was given to Load or Parse
	Line   int    // from 1
	Column int    // from 1, in characters
	Path   string // such as agents[0].rules[2].effect, counted from 0; "" for the whole
	Text   string // what is wrong, and what to do
}

// String returns the problem in one line: file:line:column: path: text.
func (p Problem) String() string {
	s := fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
	if p.Path != "" {
		s += p.Path + ": "
	}
	return s + p.Text
}

// Error is a file that is refused. It has code fault.BadConfig. Neither it nor
// its text has a value of the file in it that may be a secret.
type Error struct {
	Problems []Problem // by line and column; at most 100
	More     int       // how many further ones were left out
}

// Error returns the code and one line for each problem.
func (e *Error) Error() string {
	code, text := e.Fault()
	return code + ": " + text
}

// Fault returns the code and one line for each problem.
func (e *Error) Fault() (code, text string) {
	lines := make([]string, 0, len(e.Problems)+1)
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.More))
	}
	return string(fault.BadConfig), strings.Join(lines, "\n")
}

const maxProblems = 100

// problems collects what is wrong with one file.
type problems struct {
	file string
	list []Problem
	seen map[Problem]bool

	endLine, endColumn int // where the text ends; 0 if that is not known
}

// at notes a problem. What an alias repeats is noted once for its place.
func (p *problems) at(n *node, format string, args ...any) {
	p.place(n.line, n.column, n.path, fmt.Sprintf(format, args...))
}

func (p *problems) place(line, column int, path, text string) {
	if p.endLine > 0 && line > p.endLine { // YAML's parser has a line behind the last
		line, column = p.endLine, p.endColumn
	}
	one := Problem{p.file, line, column, path, text}
	key := one
	key.Path = ""
	if p.seen[key] {
		return
	}
	if p.seen == nil {
		p.seen = map[Problem]bool{}
	}
	p.seen[key] = true
	p.list = append(p.list, one)
}

// sorted returns the problems by their places.
func (p *problems) sorted() []Problem {
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return p.list
}

// err returns nil where nothing is wrong.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	list := p.sorted()
	most := min(len(list), maxProblems)
	return &Error{Problems: list[:most], More: len(list) - most}
}
