package resource

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"
)

// Forms. A form's fields come from the payload's JSON Schema, and so does the
// payload that a posted form stands for, so whoever can call an action can fill
// in its form. It works without script and by keys alone.
//
// What HTML forms cannot say, a form says so: a line that is left empty is a value
// that is not given, where it may be left out, and the empty text, where it may
// not; an empty row is no item; an unticked box is false, unless the value may be
// left out and was not there before. Line breaks are line feeds. Secrets are never
// shown again. What no control can hold is asked for as JSON.

// appendHTML writes the form as a person first sees it.
func (n *FormNode) appendHTML(h *html) { h.form(&filledForm{FormNode: n, values: n.Values}) }

// filledForm is a form as it stands: with what a person filled in, and with what
// is wrong.
type filledForm struct {
	*FormNode
	values  json.RawMessage   // the payload, as far as there is one
	issues  []Issue           // what is wrong with it
	problem string            // what else is wrong; "" for nothing
	blanks  map[string]int    // by the pointer of a list: empty rows to show
	typed   map[string]string // by pointer: JSON text as it was typed
	queries map[string]string // by pointer: what a picker was asked
	focus   string            // the pointer of what to go on with; "" for nothing
	about   Node              // what record it is for, where the page does not say; nil for nothing
}

// formWriter writes one form.
type formWriter struct {
	*html
	*filledForm
	id      string      // with which all ids begin
	placed  map[int]int // by issue: one more than the index of the id it is shown at
	ids     []string
	quiet   int  // within an object that is not given: no defaults are shown
	buttons bool // there are buttons beside the one that sends the form
}

// form writes a form with its heading.
func (h *html) form(f *filledForm) {
	level := h.level
	h.put("\n<section class=\"form\">")
	h.heading(f.def.Title())
	h.level = min(max(level, 1)+1, 6)
	h.node(f.about)
	w := &formWriter{html: h, filledForm: f, id: formID(h.url(f.To)), placed: map[int]int{}}
	w.write()
	h.put("\n</section>")
	h.level = max(level, 2)
}

// formID tells the forms of a page apart: it depends on the address only, so that
// a page is the same each time.
func formID(address string) string {
	sum := fnv.New32a()
	sum.Write([]byte(address))
	return "f" + strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// write writes the fields first, because the summary of what is wrong links to
// them, and puts the summary before them.
func (w *formWriter) write() {
	start := len(w.b)
	w.fields()
	fields := string(w.b[start:])
	w.b = w.b[:start]
	w.put("\n<form method=\"post\"")
	w.attr("action", w.target())
	w.put(" novalidate>")
	w.summary()
	if w.buttons {
		// The first button is the one that the key Enter presses.
		w.put("\n<button class=\"unseen\" tabindex=\"-1\" aria-hidden=\"true\">Send</button>")
	}
	w.b = append(w.b, fields...)
	w.send()
	w.put("\n</form>")
}

// target is where the form is sent to.
func (w *formWriter) target() string {
	if w.post != nil {
		return w.post(w.To)
	}
	return w.url(w.To)
}

func (w *formWriter) fields() {
	s := w.def.action.payload.shape
	if s == nil {
		w.whole()
		return
	}
	values := fieldsOf(w.values)
	for _, m := range partsOf(s) {
		w.part(m.part, values[m.name], []string{m.name})
	}
}

// whole asks for the whole payload as JSON, where there is no schema.
func (w *formWriter) whole() {
	w.field(&part{label: "Payload", required: true}, nil, func(a attributes) {
		a.name = payloadField
		w.area(a, w.jsonText(w.values, nil))
	})
}

// send is the button that sends the form.
func (w *formWriter) send() {
	w.put("\n<div class=\"actions\"><button class=\"button")
	if w.risky() {
		w.put(" danger")
	} else {
		w.put(" primary")
	}
	w.put("\" name=\"_do\" value=\"yes\">")
	w.text(w.def.Title())
	w.put("</button></div>")
}

// summary says what is wrong, with links to where.
func (w *formWriter) summary() {
	if len(w.issues) == 0 && w.problem == "" {
		return
	}
	w.put("\n<div class=\"errors\" role=\"alert\" tabindex=\"-1\" autofocus>\n<p><strong>This cannot be sent yet</strong></p>\n<ul>")
	if w.problem != "" {
		w.wrap("\n<li>", w.problem, "</li>")
	}
	for i, issue := range w.issues {
		w.put("\n<li>")
		text := w.named(issue)
		if at := w.placed[i]; at > 0 {
			w.put("<a")
			w.attr("href", "#"+w.ids[at-1])
			w.wrap(">", text, "</a>")
		} else {
			w.text(text)
		}
		w.put("</li>")
	}
	w.put("\n</ul>\n</div>")
}

// named is an issue with the labels of where it is: "Items, row 2, Quantity: is missing".
func (w *formWriter) named(issue Issue) string {
	if len(issue.Path) == 0 || w.def.action.payload.shape == nil {
		return issue.String()
	}
	at := &part{parts: partsOf(w.def.action.payload.shape)}
	var names []string
	for _, name := range issue.Path {
		isRow := at.item != nil
		at = at.below(name)
		switch {
		case isRow:
			names = append(names, "row "+rowNumber(name))
		case at.label != "":
			names = append(names, at.label)
		default:
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ") + ": " + issue.Message
}

// rowNumber is an index as people count.
func rowNumber(index string) string {
	if i, err := strconv.Atoi(index); err == nil {
		return strconv.Itoa(i + 1)
	}
	return index
}
