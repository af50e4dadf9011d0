package resource

import (
	"encoding/json"
	"net/http"
	"unicode"
	"unicode/utf8"

	"github.com/assentdev/assent/tool"
)

// confirmPage asks once more before something that cannot be changed back: what
// would change, with which values. What runs is exactly what is shown, because
// the button carries its digest.
func (e *exchange) confirmPage(d *Definition, c *Context, r Result) answer {
	title := d.Title()
	return e.page(http.StatusOK, title+": is this right?", func(h *html) {
		h.heading(title + ": is this right?")
		h.node(changes(r.preview))
		h.node(d.inWords(h, c))
		h.confirm(d, c, digestOf(c, r.preview))
	})
}

// changes shows a preview.
func changes(p *tool.Preview) Node {
	if p == nil || p.Summary == "" && len(p.Changes) == 0 {
		return Callout("This may not be possible to change back.").As(Warning)
	}
	var shown []Node
	if p.Summary != "" {
		shown = append(shown, Callout(p.Summary).As(Warning))
	}
	if len(p.Changes) > 0 {
		t := Table("What changes", "Before", "After")
		for _, change := range p.Changes {
			t.Row(Text(change.Label), Text(change.Before), Text(change.After))
		}
		shown = append(shown, t)
	}
	return Content(shown...)
}

// inWords shows the values of a call with their labels.
func (d *Definition) inWords(h *html, c *Context) Node {
	f := d.about(h, c.Params)
	s := d.action.payload.shape
	if s == nil {
		return f.Text("Payload", string(c.Payload))
	}
	values := fieldsOf(c.Payload)
	for _, m := range partsOf(s) {
		if v, given := values[m.name]; given {
			f.Add(m.titled(), m.inWords(h, c, v))
		}
	}
	return f
}

// about shows an address with its labels.
func (d *Definition) about(h *html, params map[string]string) *FieldsNode {
	f := Fields()
	for _, p := range d.address.fields {
		f.Text(words(p.name), named(h, p.lookup, params, params[p.name]))
	}
	return f
}

// inWords shows one value.
func (p *part) inWords(h *html, c *Context, v json.RawMessage) Node {
	switch {
	case p.secret:
		return Text("•••")
	case string(v) == "null":
		return Empty("Nothing")
	case p.control == yesControl:
		return Text(map[bool]string{true: "Yes", false: "No"}[string(v) == "true"])
	case p.control == rowsControl || p.control == choicesControl:
		l := List()
		for _, item := range itemsOf(v) {
			l.Items = append(l.Items, p.item.inWords(h, c, item))
		}
		if len(l.Items) == 0 {
			return Empty("None")
		}
		return l
	case p.control == groupControl:
		f, values := Fields(), fieldsOf(v)
		for _, m := range p.parts {
			if v, given := values[m.name]; given {
				f.Add(m.titled(), m.inWords(h, c, v))
			}
		}
		return f
	}
	if text := plainText(v); text != "" {
		return Text(named(h, p.lookup, c.Params, text))
	}
	return Empty("Empty")
}

// named is a value with what people call it.
func named(h *html, lookup string, params map[string]string, value string) string {
	if lookup == "" || h.nameOf == nil {
		return value
	}
	if label := h.nameOf(lookup, params, value); label != "" && label != value {
		return label + " (" + value + ")"
	}
	return value
}

// confirm writes the two buttons. The values travel as one piece of canonical
// JSON, so that nothing is lost on the way.
func (h *html) confirm(d *Definition, c *Context, digest string) {
	f := &formWriter{html: h, filledForm: &filledForm{FormNode: &FormNode{To: Address{Resource: c.Resource, Action: c.Name, Params: c.Params}, def: d}}}
	h.put("\n<form method=\"post\"")
	h.attr("action", f.target())
	h.put(">")
	f.hidden(payloadField, string(orEmpty(c.Payload)))
	h.put("\n<div class=\"actions\"><button class=\"button danger\" name=\"_confirmed\"")
	h.attr("value", digest)
	h.wrap(">Yes, ", lowerFirst(d.Title()), "</button>")
	h.put("\n<button class=\"button\" name=\"_back\" value=\"yes\">Back</button></div>\n</form>")
}

// lowerFirst is a title within a sentence. One that begins with two capital
// letters is left alone.
func lowerFirst(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	if second, _ := utf8.DecodeRuneInString(title[size:]); size == 0 || unicode.IsUpper(second) {
		return title
	}
	return string(unicode.ToLower(first)) + title[size:]
}
