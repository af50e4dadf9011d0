package tool

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// Entry is one tool of a set.
type Entry struct {
	Wire       string // the name that the model calls it by
	Tool       *Tool
	Descriptor *Descriptor
	Canonical  []byte // the descriptor's canonical JSON
	Digest     string // of Canonical: the tool's pin
}

// Set is the one list of the tools that an agent brings (SPEC T3b). It does not
// change and is safe for concurrent use. A nil *Set has no tools.
type Set struct {
	list    []*Entry
	byWire  map[string]*Entry
	byID    map[Identity]*Entry
	notices []Notice
}

// NewSet makes a set of the application's own tools and of the tools of sources,
// each source a list, in the order of registration.
//
// The application's tools, and those of sources of kind host, are called by
// their raw names. Where two have one name, the application's wins over a
// source's, and the source that was registered first over a later one (SPEC T7).
// Tools of MCP servers get wire names by [WireNames], so that they never have
// the name of a code tool.
//
// The order of the set is stable: the application's tools, then those of host
// sources, as they were given, then all others by wire name.
//
// Wrong definitions of the application's tools and of host sources are reported
// together, in one error with code fault.BadTool whose text has a line for each.
// A tool of an MCP server that cannot be described is left out with a notice,
// because a stranger's mistake must not stop the application.
func NewSet(host []*Tool, sources ...[]*Tool) (*Set, error) {
	b := &setBuilder{set: &Set{byWire: map[string]*Entry{}, byID: map[Identity]*Entry{}}}
	b.addHost(host)
	for _, tools := range sources {
		b.addSource(tools)
	}
	if err := together(b.errs); err != nil {
		return nil, err
	}
	b.noteTwins()
	b.addForeign()
	return b.set, nil
}

// Lookup returns the tool that a model calls by a wire name.
func (s *Set) Lookup(wire string) (*Entry, bool) {
	if s == nil {
		return nil, false
	}
	e, ok := s.byWire[wire]
	return e, ok
}

// Find returns the tool of an identity.
func (s *Set) Find(id Identity) (*Entry, bool) {
	if s == nil {
		return nil, false
	}
	e, ok := s.byID[id]
	return e, ok
}

// All returns the tools in the set's order.
func (s *Set) All() iter.Seq[*Entry] {
	if s == nil {
		return func(func(*Entry) bool) {}
	}
	return slices.Values(s.list)
}

// Len returns the number of tools.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.list)
}

// Notices returns what people should see about the making of the set.
func (s *Set) Notices() []Notice {
	if s == nil {
		return nil
	}
	return slices.Clone(s.notices)
}

type setBuilder struct {
	set     *Set
	foreign []*Entry
	errs    []error
}

// addHost adds the application's own tools.
func (b *setBuilder) addHost(tools []*Tool) {
	for _, t := range tools {
		if t != nil && t.Identity().Kind != policy.Host {
			b.errs = append(b.errs, fault.New(fault.BadTool, "tool %q: a tool of a %s source is not one of the application's own", t.Name, t.Source.Kind))
			continue
		}
		e, err := hostEntry(t)
		switch {
		case err != nil:
			b.errs = append(b.errs, err)
		case b.set.byWire[t.Name] != nil:
			b.errs = append(b.errs, fault.New(fault.BadTool, "tool %q: there are two tools of this name: rename one", t.Name))
		default:
			b.add(e)
		}
	}
}

// addSource adds the tools of one source.
func (b *setBuilder) addSource(tools []*Tool) {
	for _, t := range tools {
		if t != nil && t.Identity().Kind != policy.Host {
			b.foreign = append(b.foreign, &Entry{Tool: t})
			continue
		}
		e, err := hostEntry(t)
		if err != nil {
			b.errs = append(b.errs, err)
			continue
		}
		if was := b.set.byWire[t.Name]; was != nil {
			b.noteShadowed(was, e)
			continue
		}
		b.add(e)
	}
}

func (b *setBuilder) add(e *Entry) {
	b.set.list = append(b.set.list, e)
	b.set.byWire[e.Wire] = e
	b.set.byID[e.Tool.Identity()] = e
}

func (b *setBuilder) note(code string, params map[string]string) {
	b.set.notices = append(b.set.notices, Notice{Code: code, Params: params})
}

func (b *setBuilder) noteShadowed(was, e *Entry) {
	params := map[string]string{"tool": e.Tool.Name, "source": e.Tool.Source.Name}
	switch by := was.Tool.Source.Name; by {
	case "":
		b.note(ShadowedByHost, params)
	case e.Tool.Source.Name:
		b.note(Doubled, params)
	default:
		params["by"] = by
		b.note(ShadowedBySource, params)
	}
}

func (b *setBuilder) noteTwins() {
	for _, group := range twins(b.names()) {
		b.note(Twins, map[string]string{"tools": strings.Join(group, ", ")})
	}
}

// names returns the wire names so far.
func (b *setBuilder) names() []string {
	names := make([]string, len(b.set.list))
	for i, e := range b.set.list {
		names[i] = e.Wire
	}
	return names
}

// addForeign adds the tools of MCP servers, which are known by now.
func (b *setBuilder) addForeign() {
	var ids []Identity
	seen := map[Identity]bool{}
	b.foreign = slices.DeleteFunc(b.foreign, func(e *Entry) bool {
		id := e.Tool.Identity()
		if seen[id] {
			b.note(Doubled, map[string]string{"tool": id.Name, "source": id.Source})
			return true
		}
		seen[id] = true
		if err := e.describe(); err != nil {
			b.noteUnusable(id, err)
			return true
		}
		ids = append(ids, id)
		return false
	})
	wires := WireNames(ids, b.names())
	slices.SortStableFunc(b.foreign, func(x, y *Entry) int {
		return cmp.Compare(wires[x.Tool.Identity()], wires[y.Tool.Identity()])
	})
	for _, e := range b.foreign {
		if e.Wire = wires[e.Tool.Identity()]; e.Wire == "" {
			b.noteUnusable(e.Tool.Identity(), fault.New(fault.BadTool, "no wire name is free for it"))
			continue
		}
		b.add(e)
	}
}

func (b *setBuilder) noteUnusable(id Identity, err error) {
	b.note(Unusable, map[string]string{"tool": id.Name, "source": id.Source, "reason": fault.TextOf(err)})
}
