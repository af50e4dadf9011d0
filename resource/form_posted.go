package resource

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxFields = 1000 // of a posted form
	maxRows   = 500  // of a list in a form
)

// posted is what a form holds under one name and under the names below it. The
// names of fields are JSON Pointers without the first slash: items/0/id.
type posted struct {
	name   string // as fieldName writes it
	values []string
	kids   map[string]*posted
	seen   bool // it belongs to the form
}

// fieldName names a field by its path. A name that begins with "_" would be one
// of the form's own, so such a pointer keeps its first slash, as one does whose
// first part is empty.
func fieldName(path []string) string {
	name := strings.TrimPrefix(pointer(path), "/")
	if name == "" || name[0] == '_' || name[0] == '/' {
		return "/" + name
	}
	return name
}

// fieldPath is the path that a field's name stands for.
func fieldPath(name string) []string { return pathOf("/" + strings.TrimPrefix(name, "/")) }

// sortFields puts posted fields into a tree. Names that begin with "_" are the form's
// own, and stay out of it.
func sortFields(fields url.Values) (root *posted, own url.Values) {
	root, own = &posted{}, url.Values{}
	for name, values := range fields {
		for i, v := range values {
			values[i] = strings.ReplaceAll(strings.ToValidUTF8(v, "\uFFFD"), "\r\n", "\n")
		}
		if strings.HasPrefix(name, "_") {
			own[name] = values
			continue
		}
		n, path := root, fieldPath(name)
		for i, part := range path {
			n = n.under(part)
			n.name = fieldName(path[:i+1])
		}
		n.values = append(n.values, values...)
	}
	return root, own
}

func (n *posted) under(part string) *posted {
	if n.kids == nil {
		n.kids = map[string]*posted{}
	}
	if n.kids[part] == nil {
		n.kids[part] = &posted{}
	}
	return n.kids[part]
}

// take returns what is below n under a name, and notes that the form has it; nil
// if nothing is.
func (n *posted) take(part string) *posted {
	if n == nil || n.kids[part] == nil {
		return nil
	}
	n.kids[part].seen = true
	return n.kids[part]
}

// given says whether the name itself was posted.
func (n *posted) given() bool { return n != nil && len(n.values) > 0 }

// last is the last value: a check box comes after the field that stands for the
// empty box. "" for none.
func (n *posted) last() string {
	if !n.given() {
		return ""
	}
	return n.values[len(n.values)-1]
}

// filled says whether a person filled in anything here or below.
func (n *posted) filled(p *part) bool {
	if n == nil {
		return false
	}
	if p.control == yesControl {
		return n.last() == "true"
	}
	if slices.ContainsFunc(n.values, func(v string) bool { return v != "" }) {
		return true
	}
	for name, kid := range n.kids {
		if kid.filled(p.below(name)) {
			return true
		}
	}
	return false
}

// below is the part under a name; one that holds nothing if there is none.
func (p *part) below(name string) *part {
	if p.item != nil {
		return p.item
	}
	for _, m := range p.parts {
		if m.name == name {
			return m.part
		}
	}
	return &part{}
}

// rows are the indexes of posted rows, in order.
func (n *posted) rows() (list []int) {
	if n == nil {
		return nil
	}
	for name := range n.kids {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < maxRows && strconv.Itoa(i) == name {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}

// strangers are the paths of what was posted and is no part of the form.
func (n *posted) strangers(path []string) (list [][]string) {
	for name, kid := range n.kids {
		below := append(slices.Clone(path), name)
		if !kid.seen {
			list = append(list, below)
			continue
		}
		list = append(list, kid.strangers(below)...)
	}
	slices.SortFunc(list, func(a, b []string) int { return slices.Compare(a, b) })
	return list
}

// tooMuch says why a form is refused as a whole; "" for not at all.
func tooMuch(fields url.Values) string {
	n := 0
	for name, values := range fields {
		n += len(values)
		switch {
		case len(name) > maxParam || strings.Count(name, "/") > 4*maxNested:
			return "a field has a name that is too long"
		case !utf8.ValidString(name):
			return "a field has a name that is not UTF-8"
		}
	}
	if n > maxFields {
		return "it has more than " + strconv.Itoa(maxFields) + " fields"
	}
	return ""
}
