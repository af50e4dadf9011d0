package viewer

import (
	"context"
	"fmt"
	"strings"

	"github.com/assentdev/assent"
)

// Tools returns what the application offers to an agent: some tools of each
// class.
func (v *Viewer) Tools() []*assent.Tool {
	return []*assent.Tool{v.readPage(), v.findComponent(), v.renameNet(), v.renumber(), v.deletePage(), v.exportNetlist(), v.annotate()}
}

// OnPage are the arguments of the tools that take a page.
type OnPage struct {
	Page int `json:"page" doc:"The page number." min:"1"`
}

// readPage reads. What is on a page came with the document, so it counts as
// content from outside.
func (v *Viewer) readPage() *assent.Tool {
	return assent.Define("read_page", "Reads a page of the open schematic.",
		func(_ context.Context, in OnPage) (Page, error) {
			v.mu.Lock()
			defer v.mu.Unlock()
			p, err := v.page(in.Page)
			if err != nil {
				return Page{}, err
			}
			return p.clone(), nil
		},
		&assent.ToolOptions[OnPage]{Class: assent.Read, Title: "Read page {page}", Outside: true})
}

// Query are the arguments of find_component.
type Query struct {
	Text string `json:"text" doc:"Part of a reference, a value or a net." minLength:"1"`
}

// Found is a component that was found.
type Found struct {
	Page  int    `json:"page"`
	Ref   string `json:"ref"`
	Value string `json:"value"`
	Nets  string `json:"nets"`
}

func (v *Viewer) findComponent() *assent.Tool {
	return assent.Define("find_component", "Finds components by reference, value or net.",
		func(_ context.Context, in Query) ([]Found, error) { return v.find(in.Text), nil },
		&assent.ToolOptions[Query]{Class: assent.Read, Title: "Find {text}", Outside: true})
}

// Rename are the arguments of rename_net.
type Rename struct {
	Net  string `json:"net" doc:"The net's name." minLength:"1"`
	Name string `json:"name" doc:"Its new name." pattern:"^[A-Z][A-Z0-9_]*$" maxLength:"16"`
}

// renameNet writes, and its undo makes that literally true: it renames back,
// unless the net has changed since.
func (v *Viewer) renameNet() *assent.Tool {
	return assent.Define("rename_net", "Renames a net on all pages.",
		func(_ context.Context, in Rename) (assent.Undoable, error) {
			v.mu.Lock()
			defer v.mu.Unlock()
			n, err := v.rename(in.Net, in.Name)
			if err != nil {
				return assent.Undoable{}, err
			}
			return assent.Undoable{
				Result: fmt.Sprintf("Renamed %s to %s at %d pins.", in.Net, in.Name, n),
				Undo:   renamed{in, strings.Join(v.pins(in.Name), " ")},
			}, nil
		},
		&assent.ToolOptions[Rename]{
			Class:   assent.Write,
			Title:   "Rename {net} to {name}",
			Preview: v.previewRename,
			Undo:    assent.UndoWith(v.undoRename),
		})
}

// renamed is what a run of rename_net leaves behind: what it did, and the pins
// that the net then had.
type renamed struct {
	Rename
	Pins string `json:"pins"`
}

func (v *Viewer) previewRename(_ context.Context, in Rename) (*assent.Preview, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	pins := v.pins(in.Net)
	p := &assent.Preview{Summary: fmt.Sprintf("%d pins change their net.", len(pins))}
	for _, pin := range pins {
		p.Changes = append(p.Changes, assent.Change{Label: pin, Before: in.Net, After: in.Name})
	}
	return p, nil
}

func (v *Viewer) undoRename(_ context.Context, u renamed) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if strings.Join(v.pins(u.Name), " ") != u.Pins {
		return "", assent.ErrChanged
	}
	if _, err := v.rename(u.Name, u.Net); err != nil {
		return "", assent.ErrChanged
	}
	return fmt.Sprintf("Renamed %s back to %s.", u.Name, u.Net), nil
}

// deletePage destroys: a person is asked in every mode, and sees what is lost.
func (v *Viewer) deletePage() *assent.Tool {
	return assent.Define("delete_page", "Deletes a page with everything on it.",
		func(_ context.Context, in OnPage) (string, error) {
			v.mu.Lock()
			defer v.mu.Unlock()
			p, err := v.page(in.Page)
			if err != nil {
				return "", err
			}
			title := p.Title
			v.pages = append(v.pages[:0:0], v.without(in.Page)...)
			return fmt.Sprintf("Deleted page %d, %s.", in.Page, title), nil
		},
		&assent.ToolOptions[OnPage]{Class: assent.Destructive, Title: "Delete page {page}", Preview: v.previewDelete})
}

func (v *Viewer) without(number int) (rest []Page) {
	for _, p := range v.pages {
		if p.Number != number {
			rest = append(rest, p)
		}
	}
	return rest
}

func (v *Viewer) previewDelete(_ context.Context, in OnPage) (*assent.Preview, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	page, err := v.page(in.Page)
	if err != nil {
		return nil, err
	}
	p := &assent.Preview{Summary: fmt.Sprintf("Page %d, %s, is lost with all that is on it.", page.Number, page.Title)}
	for _, c := range page.Components {
		p.Changes = append(p.Changes, assent.Change{Label: c.Ref, Before: c.Value})
	}
	for _, note := range page.Notes {
		p.Changes = append(p.Changes, assent.Change{Label: "note", Before: note})
	}
	return p, nil
}

// Export are the arguments of export_netlist.
type Export struct {
	To string `json:"to" doc:"An e-mail address." pattern:"^[^@\\s]+@[^@\\s]+$"`
}

// exportNetlist sends something away, which cannot be taken back either.
func (v *Viewer) exportNetlist() *assent.Tool {
	return assent.Define("export_netlist", "Sends the netlist to an e-mail address.",
		func(_ context.Context, in Export) (string, error) {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.sent = append(v.sent, in.To)
			return fmt.Sprintf("Sent %d nets to %s.", strings.Count(v.netlist(), "\n"), in.To), nil
		},
		&assent.ToolOptions[Export]{Class: assent.Destructive, Title: "Send the netlist to {to}", Preview: v.previewExport})
}

func (v *Viewer) previewExport(_ context.Context, in Export) (*assent.Preview, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return &assent.Preview{
		Summary: fmt.Sprintf("%d nets of %d pages leave this application.", strings.Count(v.netlist(), "\n"), len(v.pages)),
		Changes: []assent.Change{{Label: "to", After: in.To}},
	}, nil
}

// Note are the arguments of annotate.
type Note struct {
	Page int    `json:"page" doc:"The page number." min:"1"`
	Text string `json:"text" doc:"The note." minLength:"1" maxLength:"500"`
}

// annotate has no class, as tools have that nobody thought about: it decides
// like the strictest one until somebody says what it does.
func (v *Viewer) annotate() *assent.Tool {
	return assent.Define("annotate", "Writes a note on a page.",
		func(_ context.Context, in Note) (string, error) {
			v.mu.Lock()
			defer v.mu.Unlock()
			p, err := v.page(in.Page)
			if err != nil {
				return "", err
			}
			p.Notes = append(p.Notes, in.Text)
			return fmt.Sprintf("Wrote a note on page %d.", in.Page), nil
		},
		&assent.ToolOptions[Note]{Title: "Write a note on page {page}"})
}
