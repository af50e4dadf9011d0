package resource

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"github.com/assentdev/assent/schema"
)

// decoding makes a payload of a posted form, by the schema. A text that does not
// fit stays a text, so that the schema says what is wrong with it.
type decoding struct {
	issues []Issue
	add    string            // the pointer of a list that gets a row
	remove string            // the name of a row, or of an object, to leave out
	blanks map[string]int    // by the pointer of a list: its rows that are empty
	typed  map[string]string // by pointer: JSON text that is none
	focus  string            // the pointer of what to go on with
	quiet  int               // within an object that was not given when the form was shown
}

// object makes an object of its parts.
func (d *decoding) object(parts []member, n *posted, path []string) json.RawMessage {
	b := []byte{'{'}
	for _, m := range parts {
		value := d.value(m.part, n.take(m.name), append(slices.Clone(path), m.name))
		if value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(schema.AppendString(b, m.name), ':'), value...)
	}
	return append(b, '}')
}

// value makes one value; nil where nothing is given.
func (d *decoding) value(p *part, n *posted, path []string) json.RawMessage {
	if d.removes(n) {
		return nil
	}
	switch p.control {
	case groupControl:
		return d.group(p, n, path)
	case rowsControl, choicesControl:
		return d.list(p, n, path)
	}
	if n == nil {
		return nil
	}
	if len(n.values) > 1 && p.control != yesControl {
		d.issues = append(d.issues, Issue{path, "is given twice"})
	}
	return d.line(p, n.last(), path)
}

// removes says whether a person asked to leave out what n holds.
func (d *decoding) removes(n *posted) bool {
	if n == nil || d.remove == "" || n.name != d.remove {
		return false
	}
	n.ignore()
	return true
}

// ignore marks all that is below as the form's.
func (n *posted) ignore() {
	if n == nil {
		return
	}
	n.seen = true
	for _, kid := range n.kids {
		kid.ignore()
	}
}

// line makes a value of one line.
func (d *decoding) line(p *part, text string, path []string) json.RawMessage {
	switch {
	case text != "":
		return d.fit(p, text, path)
	case p.nullable && p.required && !p.root:
		return json.RawMessage("null")
	case p.blankIsText() && (p.required || d.quiet == 0):
		return json.RawMessage(`""`)
	}
	return nil
}

// numberForm is a number in the grammar of JSON.
var numberForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// zoneless is a date and time as browsers send it: without a zone, and without
// seconds where they are 0.
var zoneless = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$`)

// fit makes a value of a line that is not empty.
func (d *decoding) fit(p *part, text string, path []string) json.RawMessage {
	switch p.control {
	case numberControl:
		if numberForm.MatchString(text) {
			return json.RawMessage(text)
		}
	case yesControl:
		if text == "true" || text == "false" {
			return json.RawMessage(text)
		}
	case choiceControl:
		for _, v := range p.enum {
			if plainText(v) == text {
				return v
			}
		}
	case textControl:
		if p.format == "date-time" && zoneless.MatchString(text) {
			text = withZone(text)
		}
	case jsonControl:
		return d.json(text, path)
	}
	return quoted(text)
}

func withZone(text string) string {
	if len(text) == len("2006-01-02T15:04") {
		text += ":00"
	}
	return text + "Z"
}

// json reads JSON that a person typed.
func (d *decoding) json(text string, path []string) json.RawMessage {
	value, err := schema.Canonical([]byte(text), nil)
	if err == nil {
		return value
	}
	d.issues = append(d.issues, Issue{path, "is no JSON: put texts in quotes, lists in [ ], and objects in { }"})
	if d.typed == nil {
		d.typed = map[string]string{}
	}
	d.typed[pointer(path)] = text
	return quoted(text)
}

// group makes an object. One that may be left out is, unless it was there before,
// which a hidden field of its name says, or a person filled something in.
func (d *decoding) group(p *part, n *posted, path []string) json.RawMessage {
	if !p.required && !n.given() {
		if !n.filled(p) {
			n.ignore()
			return nil
		}
		d.quiet++ // no defaults were shown, so an empty line is none that was cleared
		defer func() { d.quiet-- }()
	}
	return d.object(p.parts, n, path)
}

// list makes a list of check boxes and of rows. Empty rows are left out. A list
// without any is given all the same where its hidden field says that it was.
func (d *decoding) list(p *part, n *posted, path []string) json.RawMessage {
	var items []json.RawMessage
	if n != nil {
		for _, text := range n.values {
			if text != "" {
				items = append(items, d.fit(p.item, text, path))
			}
		}
	}
	for _, i := range n.rows() {
		if item := d.row(p, n, i, path, len(items)); item != nil {
			items = append(items, item)
		}
	}
	if d.add == pointer(path) {
		d.extend(p, path, &items)
	}
	if items == nil && !n.given() {
		return nil
	}
	return array(items)
}

// row makes an item of a row, at the index that it gets.
func (d *decoding) row(p *part, n *posted, i int, path []string, to int) json.RawMessage {
	posted := n.take(strconv.Itoa(i))
	if d.removes(posted) {
		return nil
	}
	at := append(slices.Clone(path), strconv.Itoa(to))
	if p.item.control == groupControl {
		return d.object(p.item.parts, posted, at)
	}
	if posted.last() != "" {
		return d.value(p.item, posted, at)
	}
	posted.ignore()
	d.blank(path)
	return nil
}

// blank counts an empty row.
func (d *decoding) blank(path []string) {
	if d.blanks == nil {
		d.blanks = map[string]int{}
	}
	d.blanks[pointer(path)]++
}

// extend adds a row, where a person goes on.
func (d *decoding) extend(p *part, path []string, items *[]json.RawMessage) {
	if len(*items) >= p.most {
		return
	}
	if p.item.control == groupControl {
		*items = append(*items, json.RawMessage("{}"))
	} else {
		d.blank(path)
	}
	last := len(*items) + d.blanks[pointer(path)] - 1
	d.focus = pointer(append(slices.Clone(path), strconv.Itoa(last)))
}

// array writes a list.
func array(items []json.RawMessage) json.RawMessage {
	b := []byte{'['}
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, ']')
}

// fieldsOf are the values of an object, by name; nil of anything else.
func fieldsOf(v json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(v, &m) != nil {
		return nil
	}
	return m
}

// itemsOf are the items of a list; nil of anything else.
func itemsOf(v json.RawMessage) []json.RawMessage {
	var l []json.RawMessage
	if json.Unmarshal(v, &l) != nil {
		return nil
	}
	return l
}
