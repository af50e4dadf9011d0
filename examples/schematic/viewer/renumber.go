package viewer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assentdev/assent"
)

// redraw is how long renumber takes for a page.
const redraw = 700 * time.Millisecond

// Renumber are the arguments of renumber.
type Renumber struct {
	Prefix string `json:"prefix" doc:"The letters of the references." pattern:"^[A-Z]{1,3}$"`
	From   int    `json:"from" doc:"The first number." min:"1" max:"9000"`
}

// renumber is slow: it says how far it is, and changes nothing if it is stopped.
func (v *Viewer) renumber() *assent.Tool {
	return assent.Define("renumber", "Numbers the components of a prefix anew, in order.",
		func(ctx context.Context, in Renumber) (assent.Undoable, error) {
			for i, n := 0, len(v.Pages()); i < n; i++ {
				assent.CallFrom(ctx).Progress(fmt.Sprintf("page %d of %d", i+1, n))
				select {
				case <-time.After(redraw):
				case <-ctx.Done():
					return assent.Undoable{}, ctx.Err()
				}
			}
			done := v.number(in)
			if len(done) == 0 {
				return assent.Undoable{}, fmt.Errorf("there are no components %s1, %s2 and so on", in.Prefix, in.Prefix)
			}
			return assent.Undoable{Result: "Renumbered " + arrows(done) + ".", Undo: renumbered{in, done}}, nil
		},
		&assent.ToolOptions[Renumber]{
			Class: assent.Write,
			Title: "Renumber {prefix} from {from}",
			Preview: func(_ context.Context, in Renumber) (*assent.Preview, error) {
				v.mu.Lock()
				defer v.mu.Unlock()
				p := &assent.Preview{Summary: "These components get new references."}
				for _, m := range v.moves(in) {
					p.Changes = append(p.Changes, assent.Change{Label: "component", Before: m.Old, After: m.New})
				}
				return p, nil
			},
			Undo: assent.UndoWith(v.undoRenumber),
		})
}

// move is a component that gets another reference.
type move struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// renumbered is what a run of renumber leaves behind.
type renumbered struct {
	Renumber
	Moves []move `json:"moves"`
}

func (v *Viewer) number(in Renumber) []move {
	v.mu.Lock()
	defer v.mu.Unlock()
	moves := v.moves(in)
	for i, c := range v.numbered(in.Prefix) {
		c.Ref = moves[i].New
	}
	return moves
}

func (v *Viewer) undoRenumber(_ context.Context, u renumbered) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	parts := v.numbered(u.Prefix)
	if len(parts) != len(u.Moves) {
		return "", assent.ErrChanged
	}
	for i, c := range parts {
		if c.Ref != u.Moves[i].New {
			return "", assent.ErrChanged
		}
	}
	for i, c := range parts {
		c.Ref = u.Moves[i].Old
	}
	return "The components have their old references again.", nil
}

// moves are what a run would change. The caller holds the lock.
func (v *Viewer) moves(in Renumber) (list []move) {
	for i, c := range v.numbered(in.Prefix) {
		list = append(list, move{c.Ref, in.Prefix + strconv.Itoa(in.From+i)})
	}
	return list
}

// numbered returns the components of a prefix. The caller holds the lock.
func (v *Viewer) numbered(prefix string) (list []*Component) {
	for _, p := range v.pages {
		for i := range p.Components {
			c := &p.Components[i]
			number, ok := strings.CutPrefix(c.Ref, prefix)
			if _, err := strconv.Atoi(number); ok && err == nil {
				list = append(list, c)
			}
		}
	}
	return list
}

func arrows(moves []move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.Old + " to " + m.New
	}
	return strings.Join(words, ", ")
}
