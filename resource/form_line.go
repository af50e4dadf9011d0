package resource

import (
	"encoding/json"
	"regexp"
	"strings"
)

// maxRadios is how many choices are shown as radio buttons; more are a list to
// open.
const maxRadios = 4

// line writes a control of one value.
func (w *formWriter) line(p *part, a attributes, value json.RawMessage, path []string) {
	text := plainText(value)
	switch {
	case p.control == jsonControl:
		w.area(a, w.jsonText(value, path))
	case p.secret:
		w.input(a, "password", "")
	case p.lookup != "":
		w.picker(p, a, text, path)
	case p.control == choiceControl:
		w.selection(p, a, p.options(), text)
	case p.control == yesControl:
		w.selection(p, a, []Record{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}, text)
	case p.control == numberControl:
		w.input(a, "number", text)
	case p.long || strings.Contains(text, "\n"):
		w.area(a, text)
	default:
		w.input(a, p.inputType(text), text)
	}
}

var (
	dateForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	timeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)
)

// inputType is the kind of input that can hold a text: browsers drop a date that
// is not in their form.
func (p *part) inputType(text string) string {
	switch {
	case p.format == "email":
		return "email"
	case p.format == "uri":
		return "url"
	case p.format == "date" && (text == "" || dateForm.MatchString(text)):
		return "date"
	case p.format == "date-time" && (text == "" || timeForm.MatchString(text)):
		return "datetime-local"
	}
	return "text"
}

// input writes an input of one line. A number is text for which telephones show
// digits: browsers round what an input of type number holds.
func (w *formWriter) input(a attributes, kind, text string) {
	w.put("\n<input")
	switch kind {
	case "number":
		w.put(" type=\"text\" inputmode=\"decimal\" autocomplete=\"off\"")
	case "password":
		w.put(" type=\"password\" autocomplete=\"new-password\"")
	case "datetime-local":
		w.put(" type=\"datetime-local\" step=\"1\"")
		text = strings.TrimSuffix(text, "Z")
	default:
		w.attr("type", kind)
	}
	w.common(a)
	if text != "" {
		w.attr("value", text)
	}
	w.put(">")
}

// area writes a text of several lines. Browsers drop a line feed that it begins
// with, so it begins with one more.
func (w *formWriter) area(a attributes, text string) {
	w.put("\n<textarea rows=\"4\"")
	w.common(a)
	w.wrap(">\n", text, "</textarea>")
}

// jsonText is a value as a person edits it, or what was typed in its place.
func (w *formWriter) jsonText(value json.RawMessage, path []string) string {
	if text, ok := w.typed[pointer(path)]; ok {
		return text
	}
	return string(value)
}

// options are the values of a choice as records.
func (p *part) options() []Record {
	list := make([]Record, len(p.enum))
	for i, v := range p.enum {
		text := plainText(v)
		list[i] = Record{Value: text, Label: text}
	}
	return list
}

// empty is what stands for no value in a choice; "" where there has to be one.
func (p *part) empty(quiet bool) string {
	if p.required || p.fallback != nil && !quiet {
		return ""
	}
	return "Not given"
}

// selection writes a list to open. A value that is not among the options is
// kept, so that nothing changes unless a person changes it.
func (w *formWriter) selection(p *part, a attributes, options []Record, chosen string) {
	w.put("\n<select")
	w.common(a)
	w.put(">")
	if blank := p.empty(w.quiet > 0); blank != "" {
		w.option("", blank, chosen == "")
	} else if chosen == "" {
		w.option("", "Choose…", true)
	}
	known := chosen == ""
	for _, o := range options {
		known = known || o.Value == chosen
		w.option(o.Value, o.label(), o.Value == chosen)
	}
	if !known {
		w.option(chosen, chosen, true)
	}
	w.put("\n</select>")
}

// label is a record on one line.
func (r Record) label() string {
	label := r.Label
	if label == "" {
		label = r.Value
	}
	if r.Description != "" {
		label += " · " + r.Description
	}
	return label
}

func (w *formWriter) option(value, label string, chosen bool) {
	w.put("\n<option")
	w.attr("value", value)
	if chosen {
		w.put(" selected")
	}
	w.wrap(">", label, "</option>")
}

// box writes a check box. The field before it stands for the box that is not
// ticked; it is left out where the value may be left out and is not there.
func (w *formWriter) box(p *part, value json.RawMessage, path []string) {
	a := w.attributes(path)
	messages := w.messages(path, true)
	a.bad = len(messages) > 0
	w.put("\n<div class=\"field box")
	w.mark(messages)
	w.put("\">")
	if p.required || value != nil {
		w.hidden(a.name, "false")
	}
	a.described = strings.TrimSpace(explainedBy(a.id, len(p.hints()) > 0, a.bad))
	w.put("<label><input type=\"checkbox\"")
	w.common(a)
	w.put(" value=\"true\"")
	if string(value) == "true" {
		w.put(" checked")
	}
	w.put("> ")
	w.text(p.titled())
	w.put("</label>")
	w.explain(a.id, p.hints(), messages)
	w.put("</div>")
}

// explainedBy are the ids that explain will write.
func explainedBy(id string, hint, bad bool) (ids string) {
	if hint {
		ids = id + ":hint"
	}
	if bad {
		ids += " " + id + ":error"
	}
	return ids
}

func (w *formWriter) hidden(name, value string) {
	w.put("\n<input type=\"hidden\"")
	w.attr("name", name)
	w.attr("value", value)
	w.put(">")
}
