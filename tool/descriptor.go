package tool

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// descriptorLimits bound what one descriptor may be. Descriptors of real servers
// reach some ten kilobytes.
var descriptorLimits = &schema.Limits{Bytes: 1 << 20, Levels: 128, Keys: 20_000}

// Descriptor is all that describes a tool to a model, plus its class. Its digest
// is the tool's pin: what an administrator accepts and what a grant is bound to.
type Descriptor struct {
	Name        string            `json:"name"` // the raw name
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Source      Source            `json:"source"`
	Class       policy.Class      `json:"class,omitzero"` // as declared; empty where it is not given
	Input       json.RawMessage   `json:"input"`          // a JSON object
	Output      json.RawMessage   `json:"output,omitempty"`
	Hints       json.RawMessage   `json:"hints,omitempty"` // a claim of the source (SPEC C3)
	Examples    []json.RawMessage `json:"examples,omitempty"`
}

// Descriptor describes the tool. Tools of local MCP servers are unknown whatever
// the tool says (SPEC C3), and a tool without a kind of source is the
// application's own. The descriptor shares the tool's bytes.
func (t *Tool) Descriptor() *Descriptor {
	id := t.Identity()
	class := t.Class
	if id.Kind == policy.LocalMCP {
		class = policy.Unknown
	}
	return &Descriptor{
		Name: t.Name, Title: t.Title, Description: t.Description, Source: Source{Kind: id.Kind, Name: id.Source}, Class: class,
		Input: t.Input, Output: t.Output, Hints: t.Hints, Examples: t.Examples,
	}
}

// Remote returns the tool that the descriptor describes, as one whose calls run
// on a device. Its descriptor is d again, except that a tool of a local MCP
// server is of class unknown. It shares the descriptor's bytes.
func (d *Descriptor) Remote() *Tool {
	return &Tool{
		Name: d.Name, Title: d.Title, Description: d.Description, Source: d.Source, Class: d.Class,
		Input: d.Input, Output: d.Output, Hints: d.Hints, Examples: d.Examples, Remote: true,
	}
}

// Canonical returns the descriptor's canonical JSON: the form of
// [schema.Canonical], with keys sorted and numbers exact. It does not depend on
// how the schemas were laid out.
//
// The error has code fault.BadTool: an input schema that is missing or no
// object, text that is not UTF-8, JSON that is not strict, or more than 1 MiB,
// 128 levels or 20,000 keys.
func (d *Descriptor) Canonical() ([]byte, error) {
	for field, text := range map[string]string{"name": d.Name, "title": d.Title, "description": d.Description, "source's name": d.Source.Name} {
		if !utf8.ValidString(text) {
			return nil, fault.New(fault.BadTool, "tool %q: its %s is not UTF-8", d.Name, field)
		}
	}
	if !isObject(d.Input) {
		return nil, fault.New(fault.BadTool, "tool %q: its input schema is not a JSON object", d.Name)
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadTool, "tool %q: a schema, the hints or an example is not JSON", d.Name)
	}
	canonical, err := schema.Canonical(raw, descriptorLimits)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadTool, "tool %q: its descriptor cannot be read: %s", d.Name, fault.TextOf(err))
	}
	return canonical, nil
}

// Digest returns the digest of the canonical JSON: SHA-256 in lower-case hex.
// The error is that of Canonical.
func (d *Descriptor) Digest() (string, error) {
	canonical, err := d.Canonical()
	if err != nil {
		return "", err
	}
	return schema.Digest(canonical), nil
}

// isObject reports whether the first character of a JSON text begins an object.
func isObject(raw []byte) bool {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return c == '{'
	}
	return false
}

// wireDescriptor is a descriptor whose words are not yet known.
type wireDescriptor struct {
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Source      Source            `json:"source"`
	Class       string            `json:"class"`
	Input       json.RawMessage   `json:"input"`
	Output      json.RawMessage   `json:"output"`
	Hints       json.RawMessage   `json:"hints"`
	Examples    []json.RawMessage `json:"examples"`
}

// ParseDescriptor reads a descriptor from JSON, strictly: an unknown or doubled
// key, another type, a kind of source that does not exist, or an input schema
// that is no object refuse the whole with code fault.BadTool. Only a class that
// does not exist is read as unknown, with the notice [UnknownClass] (SPEC C7).
func ParseDescriptor(raw []byte) (*Descriptor, []Notice, error) {
	canonical, err := schema.Canonical(raw, descriptorLimits)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.BadTool, "descriptor: %s", fault.TextOf(err))
	}
	var w wireDescriptor
	if err := schema.Decode(canonical, &w); err != nil {
		return nil, nil, fault.Wrap(err, fault.BadTool, "descriptor: %s", fault.TextOf(err))
	}
	switch w.Source.Kind {
	case policy.Host, policy.LocalMCP, policy.Server:
	default:
		return nil, nil, fault.New(fault.BadTool, "descriptor of %q: unknown kind of source %q: write host, local-mcp or server", w.Name, w.Source.Kind)
	}
	d := &Descriptor{
		Name: w.Name, Title: w.Title, Description: w.Description, Source: w.Source,
		Input: w.Input, Output: w.Output, Hints: w.Hints, Examples: w.Examples,
	}
	var notices []Notice
	var known bool
	if d.Class, known = policy.ReadClass(w.Class); !known {
		notices = append(notices, Notice{Code: UnknownClass, Params: map[string]string{"tool": w.Name, "class": w.Class}})
	}
	if _, err := d.Canonical(); err != nil {
		return nil, nil, err
	}
	return d, notices, nil
}
