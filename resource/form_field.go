package resource

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// attributes are those that the controls of a field share.
type attributes struct {
	id, name  string
	described string // the ids of what explains it
	bad       bool
	focus     bool
}

// part writes the field of one value. value is nil where nothing is given.
func (w *formWriter) part(p *part, value json.RawMessage, path []string) {
	if value == nil && w.quiet == 0 {
		value = p.fallback
	}
	switch p.control {
	case groupControl:
		w.group(p, value, path)
	case rowsControl:
		w.rows(p, value, path)
	case choicesControl:
		w.choices(p, value, path)
	case yesControl:
		w.box(p, value, path)
	case choiceControl:
		if len(p.enum) <= maxRadios {
			w.radios(p, value, path)
			return
		}
		fallthrough
	default:
		w.field(p, path, func(a attributes) { w.line(p, a, value, path) })
	}
}

// field writes a label, a control, and what explains it.
func (w *formWriter) field(p *part, path []string, control func(attributes)) {
	a := w.attributes(path)
	messages := w.messages(path, true)
	w.put("\n<div class=\"field")
	w.mark(messages)
	w.put("\"><label")
	w.attr("for", a.id)
	w.put(">")
	w.label(p)
	w.put("</label>")
	a.described, a.bad = w.explain(a.id, p.hints(), messages), len(messages) > 0
	control(a)
	w.put("</div>")
}

// attributes of the control of the value at a path.
func (w *formWriter) attributes(path []string) attributes {
	return attributes{id: w.idOf(path), name: fieldName(path), focus: w.takeFocus(path)}
}

func (w *formWriter) mark(messages []string) {
	if len(messages) > 0 {
		w.put(" bad")
	}
}

func (w *formWriter) label(p *part) {
	w.text(p.titled())
	if p.needed() {
		w.put(" <span class=\"need\">(required)</span>")
	}
}

// explain writes hints and what is wrong, and returns the ids of both.
func (w *formWriter) explain(id string, hints, messages []string) (ids string) {
	write := func(class markup, suffix string, texts []string) {
		if len(texts) == 0 {
			return
		}
		w.put("\n<p class=\"")
		w.put(class)
		w.put("\"")
		w.attr("id", id+suffix)
		w.wrap(">", strings.Join(texts, " "), "</p>")
		ids = strings.TrimSpace(ids + " " + id + suffix)
	}
	write("hint", ":hint", hints)
	write("error", ":error", messages)
	return ids
}

// hints explain what may be filled in.
func (p *part) hints() (list []string) {
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	add(p.hint)
	switch {
	case p.control == jsonControl:
		add("As JSON.")
	case p.secret:
		add("It is not shown again.")
	case p.format == "date-time":
		add("In UTC.")
	case p.control == rowsControl && p.item.control != groupControl:
		add("Empty rows are left out.")
	}
	line := p.control == textControl || p.control == numberControl || p.control == jsonControl
	if line && !p.secret && p.fallback != nil && !p.blankIsText() {
		add("If it is left empty: " + plainText(p.fallback) + ".")
	}
	return list
}

// messages are what is wrong with the value at a path, and with what is below if
// nothing below has a field. It notes where they are shown.
func (w *formWriter) messages(path []string, below bool) (list []string) {
	for i, issue := range w.issues {
		at := len(issue.Path) >= len(path) && slices.Equal(issue.Path[:len(path)], path)
		if !at || len(issue.Path) > len(path) && !below || w.placed[i] > 0 {
			continue
		}
		w.ids = append(w.ids, w.idOf(path))
		w.placed[i] = len(w.ids)
		list = append(list, sentence(issue.Message))
	}
	return list
}

// sentence begins with a capital letter and ends with a point.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 || strings.HasSuffix(text, ".") {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// idOf is the id of the control of the value at a path.
func (w *formWriter) idOf(path []string) string {
	b := []byte(w.id)
	for _, part := range path {
		b = append(b, '.')
		for i := range len(part) {
			if c := part[i]; c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				b = append(b, c)
			} else {
				b = append(strconv.AppendUint(append(b, '~'), uint64(c), 16), '~')
			}
		}
	}
	return string(b)
}

// takeFocus says whether the control at a path is where to go on. Only the first
// one is.
func (w *formWriter) takeFocus(path []string) bool {
	at := pointer(path)
	if w.focus == "" || at != w.focus && !strings.HasPrefix(at, w.focus+"/") {
		return false
	}
	w.focus = ""
	return true
}

// common writes the attributes that all controls have.
func (w *formWriter) common(a attributes) {
	if a.id != "" {
		w.attr("id", a.id)
	}
	w.attr("name", a.name)
	if a.described != "" {
		w.attr("aria-describedby", a.described)
	}
	if a.bad {
		w.put(" aria-invalid=\"true\"")
	}
	if a.focus {
		w.put(" autofocus")
	}
}
