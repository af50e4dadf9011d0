package resource_test

import (
	"encoding/xml"
	"io"
	"net/url"
	"strings"
)

// fataler is a test, of package testing or of rapid.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// pageForm is a form as a browser reads it from a page, without a browser.
type pageForm struct {
	action string
	fields []pageField
}

// pageField is a control: what it is called and what it would send.
type pageField struct {
	name, value string
	sent        bool // it is not a button, a box that is not ticked, or an empty radio
	button      bool
	radio       bool
}

// pageElement is an element of a page with its text.
type pageElement struct {
	name string
	attr map[string]string
	text string
	kids []*pageElement
}

// readPage reads a page that the package wrote. That is not any page: all that
// is open is closed.
func readPage(t fataler, page string) *pageElement {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	root := &pageElement{}
	stack := []*pageElement{root}
	for {
		token, err := dec.Token()
		if err == io.EOF {
			if len(stack) != 1 {
				t.Fatalf("%s is not closed in\n%s", stack[len(stack)-1].name, page)
			}
			return root
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, page)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &pageElement{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				name := a.Name.Local
				if a.Name.Space != "" {
					name = a.Name.Space + ":" + name
				}
				e.attr[name] = a.Value
			}
			top.kids = append(top.kids, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			for _, e := range stack {
				e.text += string(token)
			}
		}
	}
}

// all returns the elements of a name, in the order of the page.
func (e *pageElement) all(name string) (list []*pageElement) {
	if e.name == name {
		list = append(list, e)
	}
	for _, kid := range e.kids {
		list = append(list, kid.all(name)...)
	}
	return list
}

func (e *pageElement) has(attr string) bool { _, ok := e.attr[attr]; return ok }

// form reads the form of a page that posts.
func (e *pageElement) form(t fataler) *pageForm {
	t.Helper()
	for _, f := range e.all("form") {
		if f.attr["method"] == "post" {
			read := &pageForm{action: f.attr["action"]}
			read.add(f)
			return read
		}
	}
	t.Fatalf("there is no form that posts in %q", e.text)
	return nil
}

// add reads the controls as the HTML standard says how they are sent.
func (f *pageForm) add(e *pageElement) {
	value := e.attr["value"]
	switch e.name {
	case "input":
		kind := e.attr["type"]
		sent := kind != "checkbox" && kind != "radio" || e.has("checked")
		if kind == "datetime-local" && value != "" {
			value = strings.TrimSuffix(value, ":00") // as browsers do
		}
		f.fields = append(f.fields, pageField{name: e.attr["name"], value: value, sent: sent, radio: kind == "radio"})
		return
	case "textarea":
		text := strings.ReplaceAll(strings.TrimPrefix(e.text, "\n"), "\n", "\r\n")
		f.fields = append(f.fields, pageField{name: e.attr["name"], value: text, sent: true})
		return
	case "button":
		f.fields = append(f.fields, pageField{name: e.attr["name"], value: value, button: true})
		return
	case "select":
		f.fields = append(f.fields, pageField{name: e.attr["name"], value: chosenOption(e.all("option")), sent: true})
		return
	}
	for _, kid := range e.kids {
		f.add(kid)
	}
}

func chosenOption(options []*pageElement) string {
	for _, o := range options {
		if o.has("selected") {
			return o.attr["value"]
		}
	}
	if len(options) == 0 {
		return ""
	}
	return options[0].attr["value"]
}

// press is what the form sends when a button is pressed; "" is the key Enter.
func (f *pageForm) press(t fataler, button, value string) url.Values {
	t.Helper()
	v := url.Values{}
	found := button == ""
	for _, field := range f.fields {
		switch {
		case field.name == "":
		case field.button:
			if field.name == button && (value == "" || field.value == value) && !found {
				found = true
				v.Add(field.name, field.value)
			}
		case field.sent:
			v.Add(field.name, field.value)
		}
	}
	if !found {
		t.Fatalf("the form has no button %s=%q: %v", button, value, f.fields)
	}
	return v
}

// value is what the control of a name holds; ok is false if there is none.
func (f *pageForm) value(name string) (value string, ok bool) {
	for _, field := range f.fields {
		if field.name == name && !field.button && (field.sent || !ok) {
			value, ok = field.value, true
		}
	}
	return value, ok
}

// set fills in a line, and ticks the box or radio of that value.
func (f *pageForm) set(t fataler, name, value string) {
	t.Helper()
	found := false
	for i := range f.fields {
		field := &f.fields[i]
		switch {
		case field.name != name || field.button:
		case field.radio:
			field.sent = field.value == value
			found = found || field.sent
		case !field.sent && field.value == value:
			field.sent, found = true, true
		case field.sent && !found:
			field.value, found = value, true
		}
	}
	if !found {
		t.Fatalf("the form has no field %q", name)
	}
}
