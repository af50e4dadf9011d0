package resource

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/assentdev/assent/schema"
)

// control says how a form asks for a value.
type control int

// The controls. What none of them can hold is asked for as JSON text.
const (
	jsonControl    control = iota
	textControl            // one line, or several
	numberControl          // a line that holds a number
	yesControl             // a check box
	choiceControl          // one of a few values
	choicesControl         // any of a few values: a check box each
	rowsControl            // a list: a row each
	groupControl           // an object: its parts in a frame
)

// maxNested bounds how deep objects and lists nest as frames and rows; what lies
// deeper is JSON text.
const maxNested = 4

// part is a value that a form asks for, as its JSON Schema describes it.
type part struct {
	label, hint string
	control     control
	whole       bool // a number without a fraction
	format      string
	long        bool // a text of several lines
	secret      bool
	enum        []json.RawMessage // of a choice, without null
	fallback    json.RawMessage   // what stands for a value that is not given
	nullable    bool
	required    bool
	blank       bool     // of a text: the empty text will do
	root        bool     // a property of the payload itself
	lookup      string   // that gives the choices
	least, most int      // of a list's items
	unique      bool     // no item twice
	item        *part    // of a list
	parts       []member // of an object
}

// member is a property of an object.
type member struct {
	name string
	*part
}

// described are the keywords that a form looks at.
type described struct {
	Type                          json.RawMessage
	Title, Description, Format    string
	ContentEncoding               string
	Enum                          []json.RawMessage
	Default                       json.RawMessage
	Items, PrefixItems            json.RawMessage
	Properties                    json.RawMessage
	AdditionalProperties          json.RawMessage
	Required                      []string
	WriteOnly, UniqueItems        bool
	MaxLength, MinItems, MaxItems *int
	MinLength                     int
	Pattern                       string

	// With these a value is more than its type says.
	Ref   json.RawMessage `json:"$ref"`
	AnyOf json.RawMessage
	OneOf json.RawMessage
}

// partsOf are the parts of a whole payload.
func partsOf(s *shape) []member {
	list := make([]member, len(s.props))
	for i, p := range s.props {
		list[i] = member{p.name, partOf(p.name, p.raw, 0)}
		list[i].required, list[i].root = p.required, true
		list[i].feed(p.lookup)
	}
	return list
}

// partOf reads the schema of a property.
func partOf(name string, raw json.RawMessage, depth int) *part {
	p := &part{label: words(name), most: maxRows}
	var d described
	if json.Unmarshal(raw, &d) != nil {
		return p
	}
	if d.Title != "" {
		p.label = d.Title
	}
	p.hint, p.format, p.secret = d.Description, d.Format, d.WriteOnly
	if d.Default != nil && string(d.Default) != "null" {
		p.fallback = d.Default
	}
	if d.AnyOf == nil && d.OneOf == nil && d.Ref == nil {
		p.shape(&d, depth)
	}
	return p
}

// shape chooses the control.
func (p *part) shape(d *described, depth int) {
	var kind string
	kind, p.nullable = oneType(d.Type)
	if d.Enum != nil {
		p.choice(d.Enum)
		return
	}
	switch kind {
	case "string":
		p.control = textControl
		p.blank = d.MinLength == 0 && d.Pattern == ""
		p.long = d.ContentEncoding != "" || d.MaxLength != nil && *d.MaxLength > shortText
	case "integer", "number":
		p.control, p.whole = numberControl, kind == "integer"
	case "boolean":
		p.control = yesControl
	case "array":
		p.list(d, depth)
	case "object":
		p.group(d, depth)
	}
}

// shortText is how long a text may be for one line, in characters.
const shortText = 200

// oneType is the one type beside null; "" if there are several, or it is not said.
func oneType(raw json.RawMessage) (kind string, nullable bool) {
	var list []string
	if json.Unmarshal(raw, &kind) == nil {
		list = []string{kind}
	} else if json.Unmarshal(raw, &list) != nil {
		return "", false
	}
	nullable = slices.Contains(list, "null")
	list = slices.DeleteFunc(list, func(t string) bool { return t == "null" })
	if len(list) != 1 {
		return "", nullable
	}
	return list[0], nullable
}

// choice is one of the values of an enum, if their texts tell them apart.
func (p *part) choice(enum []json.RawMessage) {
	seen := map[string]bool{}
	for _, v := range enum {
		text := plainText(v)
		switch {
		case string(v) == "null":
			p.nullable = true
			continue
		case len(v) == 0 || v[0] == '{' || v[0] == '[' || text == "" || seen[text]:
			p.enum = nil
			return
		}
		seen[text] = true
		p.enum = append(p.enum, v)
	}
	if len(p.enum) > 0 {
		p.control = choiceControl
	}
}

// list is a list of values that have a control of one line, or of objects.
func (p *part) list(d *described, depth int) {
	if d.PrefixItems != nil || d.Items == nil || depth >= maxNested {
		return
	}
	p.item = partOf("", d.Items, depth+1)
	p.item.required = true
	p.unique = d.UniqueItems
	p.least, p.most = atMost(d.MinItems, 0), atMost(d.MaxItems, maxRows)
	switch p.item.control {
	case choiceControl:
		p.control = rowsControl
		if d.UniqueItems {
			p.control = choicesControl
		}
	case textControl, numberControl, yesControl, groupControl:
		p.control = rowsControl
	}
}

// atMost is a number of items that a schema gives, within what a form shows.
func atMost(given *int, otherwise int) int {
	if given == nil {
		return otherwise
	}
	return min(max(*given, 0), maxRows)
}

// group is an object that has the properties that it names and no others.
func (p *part) group(d *described, depth int) {
	if depth >= maxNested || string(d.AdditionalProperties) != "false" || d.Properties == nil {
		return
	}
	err := members(d.Properties, func(name string, raw json.RawMessage) error {
		m := member{name, partOf(name, raw, depth+1)}
		m.required = slices.Contains(d.Required, name)
		p.parts = append(p.parts, m)
		return nil
	})
	if err == nil {
		p.control = groupControl
	}
}

// feed says which lookup gives the choices of a text, a number, or a list of them.
func (p *part) feed(lookup string) {
	switch {
	case lookup == "":
	case p.control == textControl || p.control == numberControl:
		p.lookup = lookup
	case p.control == rowsControl && p.item.control != groupControl:
		p.item.lookup = lookup
		if p.unique {
			p.control = choicesControl
		}
	}
}

// plainText is a value as a line of a form holds it: a string without its quotes,
// anything else as JSON. Nothing, and null, are an empty line.
func plainText(v json.RawMessage) string {
	var text string
	switch {
	case len(v) == 0 || string(v) == "null":
		return ""
	case v[0] == '"' && json.Unmarshal(v, &text) == nil:
		return text
	}
	return string(v)
}

// quoted is a text as JSON.
func quoted(text string) json.RawMessage { return schema.AppendString(nil, text) }

// blankIsText says whether a line that is left empty stands for the empty text.
// Otherwise an empty line means that nothing is given: where a text may be left
// out and has no default, and where only an id, a choice or a format would do.
func (p *part) blankIsText() bool {
	if p.control != textControl || p.lookup != "" || p.format != "" {
		return false
	}
	return p.required || len(p.fallback) > len(`""`)
}

// needed says whether a person has to fill the control in. A text that has to be
// there and may be empty can be left alone.
func (p *part) needed() bool { return p.required && !(p.blank && p.blankIsText()) }

// titled is the label, for a sentence.
func (p *part) titled() string {
	if p.label == "" {
		return "Row"
	}
	return strings.TrimSpace(p.label)
}
