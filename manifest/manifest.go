// Package manifest tells what an application brings, says how a descriptor
// changed since an administrator accepted it, and works out what becomes of each
// tool. It only informs: nothing in it changes what an agent may do (SPEC M2).
package manifest

import (
	"encoding/json"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// App describes the application (SPEC M1).
type App struct {
	Name        string        `json:"name,omitempty"`
	Version     string        `json:"version,omitempty"`
	Context     []ContextItem `json:"context,omitempty"`
	Greeting    string        `json:"greeting,omitempty"`
	Suggestions []string      `json:"suggestions,omitempty"`
}

// ContextItem is something that the application can put into a conversation.
type ContextItem struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Kind  string `json:"kind"`
}

// Manifest is what an application brings: itself and every host tool, also those
// that the contract does not list, with the class that it gave.
type Manifest struct {
	App   App                `json:"app,omitzero"`
	Tools []*tool.Descriptor `json:"tools"`
}

// New returns the manifest of an application with a set of tools, of which it
// lists those of kind host in the set's order.
func New(app App, set *tool.Set) *Manifest {
	m := &Manifest{App: app, Tools: []*tool.Descriptor{}}
	for e := range set.All() {
		if e.Descriptor.Source.Kind == policy.Host {
			m.Tools = append(m.Tools, e.Descriptor)
		}
	}
	return m
}

// manifestLimits bound the text of a manifest. What of it is too much for an
// administrator is a matter of [Limits].
var manifestLimits = &schema.Limits{Bytes: 16 << 20, Levels: 128, Keys: 1 << 20}

// Canonical returns the manifest's canonical JSON, by which it is signed and
// compared. The error has code fault.BadTool and names the tool.
func (m *Manifest) Canonical() ([]byte, error) {
	for _, d := range m.Tools {
		if _, err := d.Canonical(); err != nil {
			return nil, err
		}
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadTool, "manifest: %v", err)
	}
	canonical, err := schema.Canonical(raw, manifestLimits)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadTool, "manifest: %s", fault.TextOf(err))
	}
	return canonical, nil
}

// wireManifest is a manifest whose descriptors are still to be read.
type wireManifest struct {
	App   App               `json:"app"`
	Tools []json.RawMessage `json:"tools"`
}

// Parse reads a manifest from JSON, strictly: an unknown or doubled key, another
// type, a tool that is no host tool, or a descriptor that [tool.ParseDescriptor]
// refuses, refuse the whole with code fault.BadTool. The notices are those of
// the descriptors.
func Parse(raw []byte) (*Manifest, []tool.Notice, error) {
	canonical, err := schema.Canonical(raw, manifestLimits)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.BadTool, "manifest: %s", fault.TextOf(err))
	}
	var w wireManifest
	if err := schema.Decode(canonical, &w); err != nil {
		return nil, nil, fault.Wrap(err, fault.BadTool, "manifest: %s", fault.TextOf(err))
	}
	m := &Manifest{App: w.App, Tools: []*tool.Descriptor{}}
	var notices []tool.Notice
	for i, text := range w.Tools {
		d, n, err := tool.ParseDescriptor(text)
		if err != nil {
			return nil, nil, fault.Wrap(err, fault.BadTool, "manifest: /tools/%d: %s", i, fault.TextOf(err))
		}
		if d.Source.Kind != policy.Host {
			return nil, nil, fault.New(fault.BadTool, "manifest: /tools/%d: %q is a tool of a %s source: a manifest has host tools only", i, d.Name, d.Source.Kind)
		}
		m.Tools = append(m.Tools, d)
		notices = append(notices, n...)
	}
	return m, notices, nil
}
