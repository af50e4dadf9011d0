package schema

import (
	"reflect"
	"strings"
	"unicode"
)

// jsonField is a field of a struct as encoding/json sees it.
type jsonField struct {
	name    string
	path    string // the way in Go, such as .Base.ID
	typ     reflect.Type
	tag     reflect.StructTag
	named   bool // the name is from the tag
	omit    bool // omitempty or omitzero
	quoted  bool // ,string
	through bool // reached through an embedded pointer
	blocked bool // reached through an embedded pointer to an unexported type: it cannot be set
	depth   int
}

// jsonFields returns the fields that encoding/json reads and writes for the
// struct t, in the order of declaration, with an embedded struct's fields in its
// place. Of several fields with one name the least nested wins; of several of
// those the only one with the name in its tag, or else none.
func jsonFields(t reflect.Type) []jsonField {
	var found []jsonField
	collectFields(t, jsonField{}, nil, &found)
	best := map[string]int{} // index in found, or -1 where a tie excludes all
	for i, f := range found {
		j, ok := best[f.name]
		if !ok || f.beats(found, j) {
			best[f.name] = i
		}
	}
	var fields []jsonField
	for i, f := range found {
		if best[f.name] == i && !f.tied(found, i) {
			fields = append(fields, f)
		}
	}
	return fields
}

func (f *jsonField) beats(found []jsonField, j int) bool {
	g := &found[j]
	return f.depth < g.depth || f.depth == g.depth && f.named && !g.named
}

// tied reports whether another field is as good as f, which is found[i].
func (f *jsonField) tied(found []jsonField, i int) bool {
	for j := range found {
		g := &found[j]
		if j != i && g.name == f.name && g.depth == f.depth && g.named == f.named {
			return true
		}
	}
	return false
}

// collectFields appends all candidates of t. up is how t was reached, inside
// are the embedded types around it: encoding/json does not enter a type again.
func collectFields(t reflect.Type, up jsonField, inside []reflect.Type, found *[]jsonField) {
	for i := range t.NumField() {
		sf := t.Field(i)
		elem := sf.Type
		pointer := elem.Kind() == reflect.Pointer && elem.Name() == ""
		if pointer {
			elem = elem.Elem()
		}
		if !sf.IsExported() && !(sf.Anonymous && elem.Kind() == reflect.Struct) {
			continue
		}
		f, ok := newField(sf, elem, up)
		if !ok {
			continue
		}
		if f.named || !sf.Anonymous || elem.Kind() != reflect.Struct {
			*found = append(*found, f)
			continue
		}
		if containsType(inside, elem) || elem == t {
			continue
		}
		f.depth++
		f.through = f.through || pointer
		f.blocked = f.blocked || pointer && !sf.IsExported()
		collectFields(elem, f, append(inside[:len(inside):len(inside)], t), found)
	}
}

func containsType(types []reflect.Type, t reflect.Type) bool {
	for _, x := range types {
		if x == t {
			return true
		}
	}
	return false
}

// newField reads the tag of a field; ok is false where the tag omits it.
func newField(sf reflect.StructField, elem reflect.Type, up jsonField) (f jsonField, ok bool) {
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return f, false
	}
	name, rest, _ := strings.Cut(tag, ",")
	f = jsonField{
		name: name, path: up.path + "." + sf.Name, typ: sf.Type, tag: sf.Tag, named: true,
		through: up.through, blocked: up.blocked, depth: up.depth,
	}
	if !validTagName(name) {
		f.name, f.named = sf.Name, false
	}
	for option := range strings.SplitSeq(rest, ",") {
		switch option {
		case "omitempty", "omitzero":
			f.omit = true
		case "string":
			f.quoted = quotable(elem.Kind())
		}
	}
	return f, true
}

// validTagName is the rule of encoding/json: other names are ignored.
func validTagName(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return name != ""
}

// quotable reports whether encoding/json heeds ,string for the kind.
func quotable(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}
