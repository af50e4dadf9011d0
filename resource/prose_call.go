package resource

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assentdev/assent/schema"
)

// maxChoices bounds how many values of an enum a form lists.
const maxChoices = 20

// call writes where a link leads as the call that opens it: the name of the tool,
// or resource.name where it is none, and the arguments.
func (t *prose) call(to Address) {
	name := to.Resource + "." + to.View + to.Action
	if t.tool != nil {
		if tool := t.tool(to); tool != "" {
			name = tool
		}
	}
	t.written(name, to)
}

func (t *prose) written(name string, to Address) {
	t.put("[")
	t.flat(name)
	var room [4]string // for no allocation, as long as there are few
	names := room[:0]
	for name := range to.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if i == 0 {
			t.put(" {")
		} else {
			t.put(",")
		}
		t.argument(name)
		t.put(":")
		t.argument(to.Params[name])
	}
	if len(names) > 0 {
		t.put("}")
	}
	t.put("]")
}

// argument writes a string of a call as JSON. What would end the line or the cell
// is escaped there.
func (t *prose) argument(s string) {
	start := len(t.b)
	t.b = schema.AppendString(t.b, s)
	written := string(t.b[start:])
	if simple(written) && !strings.Contains(written, "|") {
		return
	}
	t.b = t.b[:start]
	for _, r := range written {
		if r == '|' && t.cell || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			t.b = fmt.Appendf(t.b, `\u%04x`, r)
		} else {
			t.b = utf8.AppendRune(t.b, r)
		}
	}
}

// form writes a form as the call that it is, with the names of its fields.
func (t *prose) form(n *FormNode) {
	t.put("Form: ")
	t.flat(n.def.Title())
	t.put(" ")
	t.call(n.To)
	s := n.def.action.payload.shape
	if s == nil || len(s.props) == 0 {
		return
	}
	t.put(": ")
	for i, p := range s.props {
		if i > 0 {
			t.put(", ")
		}
		t.field(p)
	}
}

func (t *prose) field(p *property) {
	var s struct {
		Type any
		Enum []json.RawMessage
	}
	_ = json.Unmarshal(p.raw, &s) // of a schema that was compiled
	var notes []string
	if p.required {
		notes = append(notes, "required")
	}
	if kind, ok := s.Type.(string); ok && kind != "string" && len(s.Enum) == 0 {
		notes = append(notes, kind)
	}
	if len(s.Enum) > 0 {
		notes = append(notes, choices(s.Enum))
	}
	if p.lookup != "" {
		notes = append(notes, "a value that "+p.lookup+" finds")
	}
	t.flat(p.name)
	for i, note := range notes {
		if i == 0 {
			t.put(" (")
		} else {
			t.put(", ")
		}
		t.flat(note)
	}
	if len(notes) > 0 {
		t.put(")")
	}
}

func choices(enum []json.RawMessage) string {
	text := "one of"
	for i, value := range enum {
		if i == maxChoices {
			return text + " and others"
		}
		if i > 0 {
			text += ","
		}
		text += " " + string(value)
	}
	return text
}
