package approval

import (
	"slices"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/fault"
)

// Row is one argument, or one value in it, as a card shows it.
type Row struct {
	Pointer string `json:"pointer"` // a JSON Pointer into the arguments
	Depth   int    `json:"depth"`   // 0 for an argument, 1 for what is in it
	// Name is the key, or the index in an array. It always has to be shown: a
	// label is the schema's word, which may be a foreign server's.
	Name        string `json:"name"`
	Label       string `json:"label,omitempty"` // the schema's title
	Description string `json:"description,omitempty"`
	Type        string `json:"type"` // object, array, string, number, boolean or null: tells null from "null"

	Value Value `json:"value"` // empty for a secret, an object and an array
	// Named is what the value stands for, by the application's own word. It is
	// shown behind the value, in quotes or otherwise apart, and never in its place:
	// what runs is the value.
	Named *Value `json:"named,omitempty"`
	Size  *Line  `json:"size,omitempty"` // of a collapsed value and of what an object or array holds
	// Lines is the whole value cut at its line breaks, in rows that Open returns
	// and only where there are some.
	Lines []string `json:"lines,omitempty"`
	// Collapsed says that not everything is shown: Open returns it.
	Collapsed bool `json:"collapsed,omitempty"`

	Secret  bool `json:"secret,omitempty"`  // masked: the value is in the request only
	Filled  bool `json:"filled,omitempty"`  // a default
	Extra   bool `json:"extra,omitempty"`   // not named by the schema
	Changed bool `json:"changed,omitempty"` // by a person
}

// Open returns the rows of the value at a pointer and of everything in it, with
// nothing collapsed. Secrets stay masked. The error has code fault.NotFound.
func Open(r Request, pointer string) ([]Row, error) {
	a := readArgs(r)
	if a.err != nil {
		return nil, fault.Wrap(a.err, fault.NotFound, "the arguments of approval %q cannot be shown", r.ID)
	}
	n := a.root.find(pointer)
	if n == nil {
		return nil, fault.New(fault.NotFound, "approval %q has no value at %q", r.ID, pointer)
	}
	w := rowWriter{req: &a.req, open: true}
	w.write(n, 0)
	return w.rows, nil
}

// rows returns the rows of a card.
func (a *args) rows() []Row {
	if a.err != nil {
		return nil
	}
	w := rowWriter{req: &a.req, room: shownRows}
	for _, n := range a.root.kids {
		w.write(n, 0)
	}
	return w.rows
}

// rowWriter turns nodes into rows.
type rowWriter struct {
	req  *Request
	open bool // nothing is collapsed
	room int  // rows that may still stand below the top level
	rows []Row
}

// write adds the row of n and, as far as there is room, of what is in it.
func (w *rowWriter) write(n *node, depth int) {
	row := Row{
		Pointer: n.pointer, Depth: depth, Name: short(n.name), Type: n.kind, Secret: n.secret,
		Filled:  slices.Contains(w.req.Filled, n.pointer),
		Extra:   slices.Contains(w.req.Extra, n.pointer),
		Changed: slices.Contains(w.req.Changed, n.pointer),
	}
	if label := short(n.shape.title); label != row.Name {
		row.Label = label
	}
	row.Description = value(n.shape.description, shownValue).String()
	if n.named != "" {
		named := value(n.named, shownNamed)
		row.Named = &named
	}
	kids := n.kids
	switch {
	case n.secret:
		kids = nil
	case n.kind == "object":
		w.container(&row, len(kids), "fields")
	case n.kind == "array":
		w.container(&row, len(kids), "items")
	default:
		w.scalar(&row, n.text)
	}
	w.rows = append(w.rows, row)
	if row.Collapsed {
		return
	}
	w.room -= len(kids)
	for _, kid := range kids {
		w.write(kid, depth+1)
	}
}

// container fills in the size of an object or array. It is shown whole or not
// at all: half a list looks like a list.
func (w *rowWriter) container(row *Row, n int, unit string) {
	size := countLine("size."+unit, n)
	row.Size = &size
	full := n > shownChildren || n > w.room || row.Depth+1 >= shownDepth
	if row.Collapsed = n > 0 && full && !w.open; row.Collapsed {
		more := countLine("more."+unit, n)
		row.Value.More = &more
	}
}

// scalar fills in a value without parts.
func (w *rowWriter) scalar(row *Row, text string) {
	if w.open {
		row.Value.Head = safetext.Escape(text)
		if lines := safetext.Lines(text); len(lines) > 1 {
			row.Lines = lines
		}
		return
	}
	row.Value = value(text, shownValue)
	if row.Collapsed = row.Value.More != nil; row.Collapsed {
		size := countLine("size.characters", safetext.Shorten(text, shownValue).Size)
		row.Size = &size
	}
}
