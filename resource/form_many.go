package resource

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// frame writes a fieldset around controls that belong together.
func (w *formWriter) frame(p *part, path []string, below bool, content func()) {
	id := w.idOf(path)
	messages := w.messages(path, below)
	w.put("\n<fieldset tabindex=\"-1\" class=\"field")
	w.mark(messages)
	w.put("\"")
	w.attr("id", id)
	hints := p.hints()
	if ids := explainedBy(id, len(hints) > 0, len(messages) > 0); ids != "" {
		w.attr("aria-describedby", ids)
	}
	w.put("><legend>")
	w.label(p)
	w.put("</legend>")
	w.explain(id, hints, messages)
	content()
	w.put("\n</fieldset>")
}

// radios shows few choices at once.
func (w *formWriter) radios(p *part, value json.RawMessage, path []string) {
	chosen := plainText(value)
	options := p.options()
	if blank := p.empty(w.quiet > 0); blank != "" {
		options = append(options, Record{Label: blank})
	}
	if chosen != "" && !slices.ContainsFunc(options, func(o Record) bool { return o.Value == chosen }) {
		options = append(options, Record{Value: chosen, Label: chosen})
	}
	w.frame(p, path, true, func() {
		for _, o := range options {
			checked := o.Value == chosen && (chosen != "" || !p.required)
			w.tick("radio", fieldName(path), o, checked, w.takeFocus(path))
		}
	})
}

// tick writes a radio button or a check box with its label.
func (w *formWriter) tick(kind markup, name string, o Record, checked, focus bool) {
	w.put("\n<label class=\"tick\"><input type=\"")
	w.put(kind)
	w.put("\"")
	w.attr("name", name)
	w.attr("value", o.Value)
	if checked {
		w.put(" checked")
	}
	if focus {
		w.put(" autofocus")
	}
	w.wrap("> ", o.label(), "</label>")
}

// choices shows values of which any may be ticked.
func (w *formWriter) choices(p *part, value json.RawMessage, path []string) {
	var chosen []string
	for _, item := range itemsOf(value) {
		chosen = append(chosen, plainText(item))
	}
	options, more := p.item.options(), false
	if p.item.lookup != "" {
		options, more = w.records(p.item.lookup, path)
		if len(options) == 0 && !more && len(chosen) == 0 {
			w.rows(p, value, path)
			return
		}
	}
	for _, c := range chosen {
		if !slices.ContainsFunc(options, func(o Record) bool { return o.Value == c }) {
			options = append(options, Record{Value: c, Label: w.nameFor(p.item.lookup, c)})
		}
	}
	w.frame(p, path, true, func() {
		w.present(p, value, path)
		for _, o := range options {
			w.tick("checkbox", fieldName(path), o, slices.Contains(chosen, o.Value), w.takeFocus(path))
		}
		if more {
			w.find(p, path)
		}
	})
}

// present writes the hidden field that says that a list or an object is there,
// even if nothing is in it.
func (w *formWriter) present(p *part, value json.RawMessage, path []string) {
	if p.required || value != nil {
		w.hidden(fieldName(path), "")
	}
}

// rows shows a list with a row for each item and an empty one.
func (w *formWriter) rows(p *part, value json.RawMessage, path []string) {
	items := itemsOf(value)
	w.frame(p, path, false, func() {
		w.present(p, value, path)
		n := p.rowsFor(len(items), w.blanks[pointer(path)], p.required || value != nil)
		for i := range n {
			var item json.RawMessage
			if i < len(items) {
				item = items[i]
			}
			w.row(p, item, append(slices.Clone(path), strconv.Itoa(i)))
		}
		if n < p.most {
			w.again("_add", pointer(path), "Add a row", p.titled())
		}
	})
}

// rowsFor is how many rows to show. Objects get an empty one only where the list
// needs it, or on request, because an object is an item even if it is empty.
func (p *part) rowsFor(items, blanks int, given bool) int {
	n := items
	if p.item.control != groupControl {
		n += max(blanks, 1)
	}
	if given {
		n = max(n, p.least)
	}
	return max(items, min(n, p.most))
}

func (w *formWriter) row(p *part, value json.RawMessage, path []string) {
	number := rowNumber(path[len(path)-1])
	item := *p.item
	item.label = p.titled() + " " + number
	if item.control == groupControl {
		w.put("\n<fieldset class=\"row\"><legend>")
		w.text(item.label)
		w.put("</legend>")
		w.hidden(fieldName(path), "")
		w.members(&item, value, path)
		w.again("_remove", fieldName(path), "Remove", item.label)
		w.put("\n</fieldset>")
		return
	}
	a := w.attributes(path)
	messages := w.messages(path, true)
	w.put("\n<div class=\"row")
	w.mark(messages)
	w.put("\"><label class=\"unseen\"")
	w.attr("for", a.id)
	w.wrap(">", item.label, "</label>")
	a.described, a.bad = w.explain(a.id, nil, messages), len(messages) > 0
	item.required = false // a row may be empty
	w.line(&item, a, value, path)
	w.put("</div>")
}

// group shows an object. One that may be left out shows no defaults as long as
// it is not there, so that they do not make it be there.
func (w *formWriter) group(p *part, value json.RawMessage, path []string) {
	absent := value == nil && !p.required
	if absent {
		w.quiet++
		defer func() { w.quiet-- }()
		p = p.optional()
	}
	w.frame(p, path, false, func() {
		w.present(p, value, path)
		w.members(p, value, path)
		if !absent && !p.required {
			w.again("_remove", fieldName(path), "Leave out", p.titled())
		}
	})
}

// optional is the part with a hint on how to leave it out.
func (p *part) optional() *part {
	hinted := *p
	hinted.hint = strings.TrimSpace(p.hint + " Leave all of it empty if there is none.")
	return &hinted
}

func (w *formWriter) members(p *part, value json.RawMessage, path []string) {
	values := fieldsOf(value)
	for _, m := range p.parts {
		w.part(m.part, values[m.name], append(slices.Clone(path), m.name))
	}
}

// again writes a button that shows the form again with a change.
func (w *formWriter) again(name markup, value, label, about string) {
	w.buttons = true
	w.put("\n<button class=\"button small\" name=\"")
	w.put(name)
	w.put("\"")
	w.attr("value", value)
	w.put(">")
	w.text(label)
	w.wrap("<span class=\"unseen\">: ", about, "</span></button>")
}
