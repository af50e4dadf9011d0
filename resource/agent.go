package resource

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// AgentOptions make a definition an agent's tool (SPEC R2).
type AgentOptions struct {
	// Description tells a model what the tool does and when to use it. Without
	// one there is no tool.
	Description string
	// Search marks the lookup that searches the resource, for hosts that want to
	// know. The descriptor does not carry it (SPEC R3).
	Search bool
	// Title is what people read on a card and in the log. It may hold places such
	// as {id} for arguments. Empty: the definition's title.
	Title string
	// Result says what the model reads of a success. Default: [ResultText].
	Result ResultForm
	// Outside says that results carry content from outside the application, so
	// that rules for tainted sessions count afterwards (SPEC D5).
	Outside bool
}

// ResultForm is what a model reads of a success.
type ResultForm string

// The forms. Programs and user interfaces get the node beside it in each case.
const (
	ResultText ResultForm = ""     // the node as plain text
	ResultJSON ResultForm = "json" // the node as JSON
	ResultData ResultForm = "data" // the value of [WithData] as JSON, or the text without one
)

// maxToolName is what every model provider accepts.
const maxToolName = 64

// AgentTool describes a definition to a model. It is data: it runs nothing and
// grants nothing (SPEC R5).
type AgentTool struct {
	Name        string // resource_definition
	Description string
	Source      ToolSource
	Input       json.RawMessage // JSON Schema of the arguments
	Mutates     bool

	def *Definition
}

// ToolSource says which definition a tool stands for.
type ToolSource struct {
	Kind     string // link, lookup or action
	Resource string
	Name     string // of the view, lookup or action
}

// Definition returns the definition that the tool stands for.
func (t *AgentTool) Definition() *Definition { return t.def }

// Class is the class under which the tool is governed (SPEC R8).
func (t *AgentTool) Class() policy.Class {
	if c := t.def.Class(); c != policy.NotGiven {
		return c
	}
	return policy.Unknown
}

// MarshalJSON writes the keys in the order name, description, source, input,
// mutates (SPEC R3). json.Marshal escapes <, > and & in it; [AgentTool.JSON]
// does not.
func (t AgentTool) MarshalJSON() ([]byte, error) { return t.JSON(), nil }

// JSON returns the descriptor as JSON.stringify would print it.
func (t AgentTool) JSON() []byte { return t.append(nil) }

func (t AgentTool) append(b []byte) []byte {
	b = schema.AppendString(append(b, `{"name":`...), t.Name)
	b = schema.AppendString(append(b, `,"description":`...), t.Description)
	b = schema.AppendString(append(b, `,"source":{"kind":`...), t.Source.Kind)
	b = schema.AppendString(append(b, `,"resource":`...), t.Source.Resource)
	b = append(append(append(b, `,"`...), t.Source.word()...), `":`...)
	b = schema.AppendString(b, t.Source.Name)
	b = append(append(b, `},"input":`...), t.Input...)
	return append(strconv.AppendBool(append(b, `,"mutates":`...), t.Mutates), '}')
}

// word is the key under which a source names its definition.
func (s ToolSource) word() string {
	if s.Kind == "link" {
		return "view"
	}
	return s.Kind
}

// ToolsJSON writes descriptors as a JSON array, as JSON.stringify would.
func ToolsJSON(tools []AgentTool) string {
	b := []byte{'['}
	for i, t := range tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = t.append(b)
	}
	return string(append(b, ']'))
}

// AgentTool describes the definition to a model, or returns nil where it has no
// agent options (SPEC R2). The error joins all that is wrong, each with one of the
// codes of SPEC R4.
func (d *Definition) AgentTool() (*AgentTool, error) {
	if d.agent == nil || d.agent.Description == "" {
		return nil, nil
	}
	t := &AgentTool{Name: d.resource.name + "_" + d.name, Description: d.agent.Description, def: d, Mutates: d.kind == ActionKind}
	t.Source = ToolSource{Kind: string(d.kind), Resource: d.resource.name, Name: d.name}
	if d.kind == ViewKind {
		t.Source.Kind = "link"
	}
	props, errs := d.inputs()
	if err := d.nameProblem(t.Name); err != nil {
		errs = append([]error{err}, errs...)
	}
	if len(errs) > 0 {
		return nil, join(errs)
	}
	t.Input = input(props, d.payloadDefs())
	return t, nil
}

func (d *Definition) nameProblem(name string) error {
	switch {
	case !nameForm.MatchString(d.resource.name) || !nameForm.MatchString(d.name):
		return fault.New(NameInvalid, "%s: a name is a lower-case letter, then lower-case letters, digits and _", d.where())
	case len(name) > maxToolName:
		return fault.New(NameInvalid, "%s: the tool's name %s has %d characters, at most %d are allowed", d.where(), name, len(name), maxToolName)
	}
	return nil
}

// inputs are the arguments of the tool: a lookup's query, the address, an
// action's payload, in this order.
func (d *Definition) inputs() (props []*property, errs []error) {
	taken := map[string]string{}
	if d.kind == LookupKind {
		props = append(props, stringProperty("query", "What to search for."))
		taken["query"] = "the query of the lookup"
	}
	var own []*property
	if d.kind == ActionKind {
		p := d.action.payload
		if p.err != nil {
			return nil, []error{fault.Wrap(p.err, fault.CodeOf(p.err), "%s: %s", d.where(), fault.TextOf(p.err))}
		}
		own = p.shape.props
		for _, prop := range own {
			taken[prop.name] = "a payload property"
		}
	}
	for _, name := range d.address.names() {
		if what := taken[name]; what != "" {
			errs = append(errs, fault.New(ParamCollision, "%s: %q is both an address parameter and %s: rename one", d.where(), name, what))
		}
		props = append(props, stringProperty(name, fmt.Sprintf("The %q of the record.", name)))
	}
	return append(props, own...), errs
}

func (d *Definition) payloadDefs() json.RawMessage {
	if d.kind != ActionKind {
		return nil
	}
	return d.action.payload.shape.defs
}

func stringProperty(name, description string) *property {
	raw := schema.AppendString([]byte(`{"type":"string","description":`), description)
	return &property{name: name, raw: append(raw, '}'), required: true}
}

// input writes the schema of a tool's arguments. All four keys always stand there.
func input(props []*property, defs json.RawMessage) json.RawMessage {
	b := []byte(`{"type":"object","properties":{`)
	for i, p := range props {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(schema.AppendString(b, p.name), ':'), p.raw...)
	}
	b = append(b, `},"required":[`...)
	first := true
	for _, p := range props {
		if !p.required {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = schema.AppendString(b, p.name)
	}
	b = append(b, `],"additionalProperties":false`...)
	if defs != nil {
		b = append(append(b, `,"$defs":`...), defs...)
	}
	return append(b, '}')
}

// toolTitle is the tool's title for people.
func (d *Definition) toolTitle() string {
	if d.agent.Title != "" {
		return d.agent.Title
	}
	return d.Title()
}
