package turn

import (
	"time"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// World is what the machine may look at besides its log, at one moment.
type World struct {
	Now   time.Time
	Epoch uint64 // the driver's own; Next does nothing under another one
	// Policy is the newest published version; nil where it cannot be read, and
	// then nothing runs (SPEC D8).
	Policy *policy.Policy
	// Snapshot is the version that the open turn began with; nil: Policy (SPEC C6).
	Snapshot *policy.Policy
	Version  string // of Policy
	Tools    Tools
	Grants   []policy.Grant // those of the user, beyond the session's own
	// Unreadable says that grants or another fact could not be read: nothing runs
	// (SPEC D8).
	Unreadable bool
	Limits     Limits
	// Wait is how long an approval stays open; zero: without limit (SPEC P4).
	Wait time.Duration
	// Runs says whether a started call still runs at this driver, which took the
	// session again after its log could not be written. Nil: none does.
	Runs func(call string, attempt int) bool
	// Gone says whether a device has vanished, so that a call which it claimed is
	// in doubt (SPEC S8). It must give one answer as long as this World is used.
	// Nil: no device is gone.
	Gone func(device string) bool
	// NewID returns an id that was never used before. kind is "turn", "call",
	// "approval" or "grant".
	NewID func(kind string) string
}

// Tools is the set of tools as it is now.
type Tools interface {
	// Lookup finds a tool by its wire name.
	Lookup(wire string) (*Tool, bool)
	// All lists the tools in the order in which they are offered.
	All() []*Tool
}

// Tool is what the machine knows of a tool.
type Tool struct {
	policy.Tool
	Wire    string
	Remote  bool // its calls run on a device that claims them (SPEC S8)
	Outside bool // results bring outside content into the context
	// Hooks says that the tool has a Raise, Confirm or Preview: a call is
	// examined by the driver before it is decided.
	Hooks bool
	// Check reads raw arguments (SPEC A1). Nil only where Hold is set.
	Check func(raw []byte) (schema.Args, error)
	// Title renders the tool's title for canonical arguments; nil: none.
	Title func(args []byte) string
	// MayUndo says that the tool has an Undo.
	MayUndo bool
}

// same says whether the tool is still the one that was offered.
func (t *Tool) same(kind policy.SourceKind, source, name string) bool {
	return t.Kind == kind && t.Source == source && t.Name == name
}

func (w *World) lookup(wire string) *Tool {
	if w.Tools == nil {
		return nil
	}
	t, _ := w.Tools.Lookup(wire)
	return t
}

// runs says whether somebody knows what became of a started call, or will: its
// device is there, or this driver claimed it in its present epoch or runs it
// still. A device goes on whatever happens to the driver.
func (w *World) runs(c *Call) bool {
	if c.Device != "" {
		return !w.gone(c.Device)
	}
	return c.Epoch == w.Epoch || w.Runs != nil && w.Runs(c.ID, c.Attempt)
}

func (w *World) gone(device string) bool { return w.Gone != nil && w.Gone(device) }

func (w *World) event(r Refs, b Body) Event {
	return Event{At: w.Now.UnixMilli(), Refs: r, Body: b}
}
