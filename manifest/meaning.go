package manifest

import (
	"maps"
	"slices"
)

// document compares two whole schemas.
func (d *differ) document(pointer string, was, is document) {
	if (was.open || is.open) && !same(stripped(was.root), stripped(is.root)) {
		d.note(Incompatible, pointer)
		return
	}
	d.schema(pointer, was.root, is.root)
}

// schema compares two schemas that stand in the same place.
func (d *differ) schema(pointer string, was, is any) {
	if same(was, is) {
		return
	}
	old, oldOK := objectForm(was)
	now, nowOK := objectForm(is)
	switch {
	case oldOK && nowOK:
		d.objects(pointer, old, now)
	case nowOK && was == false:
		d.note(Widened, pointer)
	default:
		d.note(Incompatible, pointer)
	}
}

// objectForm returns a schema as an object: true allows everything, like {}.
func objectForm(v any) (map[string]any, bool) {
	if v == true {
		return map[string]any{}, true
	}
	s, ok := v.(map[string]any)
	return s, ok
}

func (d *differ) objects(pointer string, was, is map[string]any) {
	if !judged(was) || !judged(is) {
		if same(stripped(was), stripped(is)) {
			d.note(Wording, pointer)
		} else {
			d.note(Incompatible, pointer)
		}
		return
	}
	for key := range union(was, is) {
		if isText(key) && !same(was[key], is[key]) {
			d.note(Wording, pointer+"/"+escapeToken.Replace(key))
		}
	}
	if !sameMember(was, is, "default") {
		d.note(Widened, pointer+"/default")
	}
	d.values(pointer, was, is)
	d.limits(pointer, was, is)
	d.properties(pointer, was, is)
	d.schema(pointer+"/items", part(was, "items"), part(is, "items"))
}

func sameMember(was, is map[string]any, key string) bool {
	old, before := was[key]
	now, present := is[key]
	return before == present && same(old, now)
}

// part returns a schema inside s, true where there is none.
func part(s map[string]any, key string) any {
	if v, ok := s[key]; ok {
		return v
	}
	return true
}

// union returns the keys of both.
func union[V any](a, b map[string]V) map[string]bool {
	keys := map[string]bool{}
	for _, m := range []map[string]V{a, b} {
		for key := range m {
			keys[key] = true
		}
	}
	return keys
}

// sets compares two sets of what is allowed.
func (d *differ) sets(pointer string, was, is map[string]bool) {
	narrowed := !within(was, is)
	widened := !within(is, was)
	if narrowed && widened {
		d.note(Incompatible, pointer)
	} else if narrowed {
		d.note(Narrowed, pointer)
	} else if widened {
		d.note(Widened, pointer)
	}
}

func within(a, b map[string]bool) bool {
	for key := range a {
		if !b[key] {
			return false
		}
	}
	return true
}

// values compares types and listed values.
func (d *differ) values(pointer string, was, is map[string]any) {
	oldTypes, _ := typeSet(was["type"])
	newTypes, _ := typeSet(is["type"])
	d.sets(pointer+"/type", oldTypes, newTypes)
	for _, key := range []string{"enum", "const"} {
		d.listed(pointer+"/"+key, listed(was, key), listed(is, key))
	}
}

// listed compares lists of values; nil allows everything.
func (d *differ) listed(pointer string, was, is map[string]bool) {
	switch {
	case was == nil && is == nil:
	case was == nil:
		d.note(Narrowed, pointer)
	case is == nil:
		d.note(Widened, pointer)
	default:
		d.sets(pointer, was, is)
	}
}

// listed returns the values of enum or const, as JSON. A const stands for an
// enum of one where there is no enum.
func listed(s map[string]any, key string) map[string]bool {
	values, isEnum := s["enum"].([]any)
	value, isConst := s["const"]
	if isConst && !isEnum {
		values, isEnum, isConst = []any{value}, true, false
	}
	switch {
	case key == "const" && isConst:
		values = []any{value}
	case key != "enum" || !isEnum:
		return nil
	}
	set := map[string]bool{}
	for _, v := range values {
		set[string(encode(v))] = true
	}
	return set
}

// everyType is what a schema without type allows. An integer is a number.
var everyType = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// typeSet returns the types that the keyword type allows.
func typeSet(v any) (map[string]bool, bool) {
	set := map[string]bool{}
	switch v := v.(type) {
	case nil:
		for _, name := range everyType {
			set[name] = true
		}
	case string:
		set[v] = true
	case []any:
		names, ok := nameSet(v)
		if !ok {
			return nil, false
		}
		set = names
	default:
		return nil, false
	}
	if set["number"] {
		set["integer"] = true
	}
	return set, !slices.ContainsFunc(slices.Collect(maps.Keys(set)), func(name string) bool { return !slices.Contains(everyType, name) })
}

// nameSet returns a list of strings as a set.
func nameSet(v any) (map[string]bool, bool) {
	set := map[string]bool{}
	list, ok := v.([]any)
	if v != nil && !ok {
		return nil, false
	}
	for _, item := range list {
		name, ok := item.(string)
		if !ok {
			return nil, false
		}
		set[name] = true
	}
	return set, true
}
