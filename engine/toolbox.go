package engine

import (
	"encoding/json"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// Toolbox is a set of tools that is ready to run: schemas compiled, descriptors
// digested. It is immutable and implements turn.Tools.
type Toolbox struct {
	list   []*turn.Tool
	byWire map[string]*entry
}

type entry struct {
	turn.Tool
	def    *tool.Tool
	schema json.RawMessage
}

// NewToolbox compiles a set. A tool whose schema cannot be understood is held
// back with the reason (SPEC A3); the warnings say which and why.
func NewToolbox(set *tool.Set) (*Toolbox, []Warning) {
	b := &Toolbox{byWire: map[string]*entry{}}
	var warnings []Warning
	for item := range set.All() {
		e := &entry{def: item.Tool, schema: item.Tool.Input}
		e.Tool.Tool = policy.Tool{Kind: item.Descriptor.Source.Kind, Source: item.Descriptor.Source.Name, Name: item.Descriptor.Name, Pin: item.Digest, Class: item.Descriptor.Class}
		e.Wire, e.Outside, e.MayUndo = item.Wire, item.Tool.Outside, item.Tool.Undo != nil
		e.Remote = item.Tool.Remote
		e.Hooks = item.Tool.Preview != nil || item.Tool.Raise != nil || item.Tool.Confirm != nil
		warnings = append(warnings, e.compile()...)
		b.byWire[e.Wire] = e
		b.list = append(b.list, &e.Tool)
	}
	return b, warnings
}

// Warning says what is wrong with a tool that is kept all the same.
type Warning struct {
	Tool string
	Text string
	Held bool // the tool is held back
}

func (e *entry) compile() []Warning {
	foreign := e.Kind != policy.Host
	s, err := schema.Compile(e.def.Input, &schema.Options{TopLevel: e.def.Checking == tool.TopLevel, FillDefaults: !foreign, Foreign: foreign})
	if err != nil {
		e.Hold = policy.HoldSchema
		return []Warning{{Tool: e.Wire, Text: err.Error(), Held: true}}
	}
	e.Check = checks(s, e.def.Accept)
	if e.def.Title != "" {
		e.Title = e.def.TitleFor
	}
	var warnings []Warning
	for _, w := range s.Warnings() {
		warnings = append(warnings, Warning{Tool: e.Wire, Text: w})
	}
	return warnings
}

// checks is the schema's check and then the tool's own, which runs code of the
// application's types: one that panics cannot read these arguments.
func checks(s *schema.Schema, accept func([]byte) error) func([]byte) (schema.Args, error) {
	if accept == nil {
		return s.Check
	}
	return func(raw []byte) (args schema.Args, err error) {
		defer func() {
			if recover() != nil {
				err = fault.New(fault.BadArguments, "Invalid arguments: the tool cannot read them.")
			}
		}()
		if args, err = s.Check(raw); err == nil {
			err = accept(args.Canonical)
		}
		return args, err
	}
}

// Lookup finds a tool by its wire name.
func (b *Toolbox) Lookup(wire string) (*turn.Tool, bool) {
	if e, ok := b.byWire[wire]; ok {
		return &e.Tool, true
	}
	return nil, false
}

// All lists the tools in the order in which they are offered.
func (b *Toolbox) All() []*turn.Tool { return b.list }

// offered is the list for the model: those tools that a session offers.
func (b *Toolbox) offered(s *turn.Session) *model.Tools {
	var list []model.Tool
	for _, t := range b.list {
		if _, ok := s.Offered[t.Wire]; ok {
			e := b.byWire[t.Wire]
			list = append(list, model.Tool{Name: t.Wire, Description: e.def.Description, Input: e.schema})
		}
	}
	return model.NewTools(list)
}

// toolbox returns the session's tools as they are now. While they cannot be read,
// the ones that it had last count: they only say what there is, and what may run
// is decided by the policy.
func (l *session) toolbox() (*Toolbox, error) {
	if l.e.o.ToolsOf == nil {
		return l.e.tools.Load(), nil
	}
	box, err := l.e.o.ToolsOf(l.id)
	switch {
	case err != nil && l.kit == nil:
		return nil, err
	case err != nil:
		l.e.log.Error("the tools of a session cannot be read: it keeps those that it had", "session", l.id, "err", err)
		return l.kit, nil
	case box == nil:
		box = l.e.tools.Load()
	}
	l.kit = box
	return box, nil
}
