package resource

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxParam bounds the value of an address parameter, in bytes.
const maxParam = 1024

var (
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	paramForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// address binds the string parameters of a call to a struct.
type address struct {
	fields   []param
	problems []string // of the type
}

type param struct {
	name   string
	index  int
	lookup string // the lookup that names it to people, resource.name; "" for none
	set    func(v reflect.Value, text string) error
	get    func(v reflect.Value) string
}

// addressOf reads the parameters of a type: the exported fields with the tag
// param. What is wrong with the type is kept for [App.Check].
func addressOf(t reflect.Type) *address {
	a := &address{}
	if t.Kind() != reflect.Struct {
		a.problems = append(a.problems, fmt.Sprintf("the address type %s is no struct", t))
		return a
	}
	seen := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("param")
		switch {
		case name == "" && f.IsExported():
			a.problemf(f, "has no tag param: add `param:\"name\"`")
			continue
		case name == "":
			continue
		case !f.IsExported():
			a.problemf(f, "is not exported, so it cannot be set")
			continue
		case !paramForm.MatchString(name):
			a.problemf(f, "has the parameter name %q: letters, digits and _ only", name)
		case seen[name]:
			a.problemf(f, "has the parameter name %q, which is taken", name)
		}
		seen[name] = true
		p := param{name: name, index: i, lookup: f.Tag.Get("lookup")}
		if p.set, p.get = scalar(f.Type); p.set == nil {
			a.problemf(f, "is a %s: use a string, an integer, a bool, or a type that is an encoding.TextUnmarshaler and TextMarshaler", f.Type)
		}
		a.fields = append(a.fields, p)
	}
	return a
}

func (a *address) problemf(f reflect.StructField, format string, args ...any) {
	a.problems = append(a.problems, "the address field "+f.Name+" "+fmt.Sprintf(format, args...))
}

func (a *address) names() []string {
	names := make([]string, len(a.fields))
	for i, p := range a.fields {
		names[i] = p.name
	}
	return names
}

func (a *address) has(name string) bool {
	for _, p := range a.fields {
		if p.name == name {
			return true
		}
	}
	return false
}

// others returns the names that are no parameters of the address, sorted.
func (a *address) others(given map[string]string) (names []string) {
	for name := range given {
		if !a.has(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// params writes an address as its parameters.
func (a *address) params(v reflect.Value) map[string]string {
	if len(a.fields) == 0 || v.Kind() != reflect.Struct {
		return nil
	}
	m := make(map[string]string, len(a.fields))
	for _, p := range a.fields {
		if p.get != nil {
			m[p.name] = p.get(v.Field(p.index))
		}
	}
	return m
}

// paramsOf is params of a value of the address type.
func (a *address) paramsOf(value any) map[string]string { return a.params(reflect.ValueOf(value)) }

// bind reads the address of a call. Its error is [Issues] of status 400.
func bind[A any](d *Definition, c *Context) (a A, err error) {
	issues := slices.Clone(c.wrong)
	v := reflect.ValueOf(&a).Elem()
	for _, p := range d.address.fields {
		text, given := c.Params[p.name]
		if !given && names(c.wrong, p.name) {
			continue // it was given and is no string
		}
		if problem := p.check(text, given); problem != "" {
			issues = append(issues, Issue{[]string{p.name}, problem})
		} else if err := p.set(v.Field(p.index), text); err != nil {
			issues = append(issues, Issue{[]string{p.name}, err.Error()})
		}
	}
	for _, name := range d.address.others(c.Params) {
		issues = append(issues, Issue{[]string{name}, "there is no such parameter"})
	}
	if len(issues) > 0 {
		return a, &badAddress{issues}
	}
	return a, nil
}

// names says whether an issue is about a value of the root.
func names(issues []Issue, name string) bool {
	return slices.ContainsFunc(issues, func(i Issue) bool { return len(i.Path) == 1 && i.Path[0] == name })
}

// badAddress is what makes a result's status 400.
type badAddress struct{ Issues }

// check says what is wrong with a value before it is parsed; "" for nothing.
func (p *param) check(text string, given bool) string {
	switch {
	case !given:
		return "is missing"
	case text == "":
		return "is empty"
	case len(text) > maxParam:
		return fmt.Sprintf("is longer than %d bytes", maxParam)
	case !utf8.ValidString(text):
		return "is not UTF-8"
	case p.set == nil:
		return "cannot be read"
	}
	for _, r := range text {
		if r < ' ' || r == 0x7f {
			return "holds a control character"
		}
	}
	return ""
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
)

// scalar returns how a value of type t is read from text and written; nil if it
// cannot be.
func scalar(t reflect.Type) (set func(reflect.Value, string) error, get func(reflect.Value) string) {
	switch {
	case reflect.PointerTo(t).Implements(textUnmarshaler):
		if !reflect.PointerTo(t).Implements(textMarshaler) {
			return nil, nil
		}
		return setText, getText
	case t.Kind() == reflect.String:
		return setString, reflect.Value.String
	case t.Kind() == reflect.Bool:
		return setBool, func(v reflect.Value) string { return strconv.FormatBool(v.Bool()) }
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return setInt, func(v reflect.Value) string { return strconv.FormatInt(v.Int(), 10) }
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return setUint, func(v reflect.Value) string { return strconv.FormatUint(v.Uint(), 10) }
	}
	return nil, nil
}

func setString(v reflect.Value, text string) error { v.SetString(text); return nil }

func setBool(v reflect.Value, text string) error {
	if text != "true" && text != "false" {
		return fmt.Errorf("is neither true nor false")
	}
	v.SetBool(text == "true")
	return nil
}

// setInt takes an integer in its one form, so that one record has one address.
func setInt(v reflect.Value, text string) error {
	n, err := strconv.ParseInt(text, 10, v.Type().Bits())
	if err != nil || strconv.FormatInt(n, 10) != text {
		return fmt.Errorf("is no whole number that fits")
	}
	v.SetInt(n)
	return nil
}

func setUint(v reflect.Value, text string) error {
	n, err := strconv.ParseUint(text, 10, v.Type().Bits())
	if err != nil || strconv.FormatUint(n, 10) != text {
		return fmt.Errorf("is no whole number of 0 or more that fits")
	}
	v.SetUint(n)
	return nil
}

func setText(v reflect.Value, text string) error {
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return fmt.Errorf("cannot be read: it is not in the right form")
	}
	return nil
}

func getText(v reflect.Value) string {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	text, err := p.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return ""
	}
	return string(text)
}
