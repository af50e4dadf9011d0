package manifest_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

type object = map[string]any

var words = []string{"a", "b", "c"}

// randomSchema draws a schema over a small world, so that two of them and a
// value often meet.
func randomSchema(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if rapid.IntRange(0, 11).Draw(t, "boolean") == 0 {
			return rapid.Bool().Draw(t, "allow")
		}
		s := object{}
		for range rapid.IntRange(0, 4).Draw(t, "keywords") {
			change(t, s, depth)
		}
		return s
	})
}

// change sets or removes one keyword of s.
func change(t *rapid.T, s object, depth int) {
	key := rapid.SampledFrom(keywords).Draw(t, "keyword")
	if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
		delete(s, key)
		return
	}
	if value := keywordValue(t, s, key, depth); value != nil {
		s[key] = value
	}
}

var keywords = []string{
	"type", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
	"minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "pattern", "required", "properties", "properties",
	"additionalProperties", "items", "items", "description", "title", "x-note", "default", "format",
	"$ref", "anyOf", "not", "patternProperties", "propertyNames", "prefixItems", "unevaluatedProperties", "$schema",
}

func keywordValue(t *rapid.T, s object, key string, depth int) any {
	number := rapid.SampledFrom([]any{-1, 0, 1, 2, 0.5, 3})
	switch key {
	case "type":
		return rapid.OneOf(
			rapid.SampledFrom([]any{"object", "array", "string", "number", "integer", "boolean", "null"}),
			rapid.SampledFrom([]any{[]any{"integer", "null"}, []any{"number", "string"}, []any{"integer", "number"}, []any{"string"}}),
		).Draw(t, "type")
	case "enum":
		return rapid.SliceOfN(value(1), 1, 3).Draw(t, "enum")
	case "const", "default":
		return value(1).Draw(t, "value")
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return number.Draw(t, "bound")
	case "multipleOf":
		return rapid.SampledFrom([]any{1, 2, 0.5, 4, 3}).Draw(t, "multiple")
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return rapid.IntRange(0, 2).Draw(t, "count")
	case "uniqueItems":
		return rapid.Bool().Draw(t, "unique")
	case "pattern":
		return rapid.SampledFrom([]any{"a", "^a", "b$"}).Draw(t, "pattern")
	case "required":
		return rapid.SliceOfDistinct(rapid.SampledFrom(words), rapid.ID).Draw(t, "required")
	case "description", "title", "x-note", "format":
		return rapid.SampledFrom([]any{"date", "time"}).Draw(t, "text")
	case "$schema":
		return rapid.SampledFrom([]any{"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"}).Draw(t, "dialect")
	case "$ref":
		return rapid.SampledFrom([]any{"#/$defs/one", "#/$defs/two"}).Draw(t, "ref")
	}
	if depth == 0 {
		return nil
	}
	return nested(t, s, key, depth-1)
}

func nested(t *rapid.T, s object, key string, depth int) any {
	sub := randomSchema(depth)
	switch key {
	case "properties":
		properties := object{}
		if was, ok := s[key].(object); ok {
			properties = maps.Clone(was)
		}
		name := rapid.SampledFrom(words).Draw(t, "name")
		if _, ok := properties[name]; ok && rapid.Bool().Draw(t, "drop") {
			delete(properties, name)
		} else {
			properties[name] = sub.Draw(t, "property")
		}
		return properties
	case "patternProperties":
		return object{rapid.SampledFrom(words).Draw(t, "pattern"): sub.Draw(t, "property")}
	case "anyOf", "prefixItems":
		return rapid.SliceOfN(sub, 1, 2).Draw(t, "branches")
	}
	return sub.Draw(t, "schema")
}

// value draws a JSON value of the small world.
func value(depth int) *rapid.Generator[any] {
	leaf := rapid.SampledFrom([]any{nil, true, false, -1, 0, 1, 2, 3, 4, 0.5, 1.5, "", "a", "b", "ab", "ba"})
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(list []any) any { return list }),
		rapid.Map(rapid.MapOfN(rapid.SampledFrom(words), value(depth-1), 0, 3), func(m map[string]any) any { return m }),
	)
}

// mutate changes some keywords somewhere in a schema, which it copies.
func mutate(t *rapid.T, v any, depth int) any {
	var s object
	if raw, _ := json.Marshal(v); json.Unmarshal(raw, &s) != nil {
		return randomSchema(depth).Draw(t, "other")
	}
	at := s
	for rapid.Bool().Draw(t, "deeper") {
		next, ok := at["items"].(object)
		if properties, has := at["properties"].(object); has && len(properties) > 0 {
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(properties))).Draw(t, "into")
			next, ok = properties[name].(object)
		}
		if !ok {
			break
		}
		at, depth = next, max(depth-1, 0)
	}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		change(t, at, depth)
	}
	return s
}

// document gives a schema an object at its root, and definitions.
func document(t *rapid.T, s any, defs object) json.RawMessage {
	root, ok := s.(object)
	if !ok {
		root = object{"allOf": []any{s}}
	}
	root = maps.Clone(root)
	root["$defs"] = defs
	raw, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func compile(t *rapid.T, raw json.RawMessage) *schema.Schema {
	s, err := schema.Compile(raw, &schema.Options{AnyValue: true})
	if err != nil {
		t.Skip("a schema that the checker refuses, such as a reference to itself")
	}
	return s
}

// TestCompareTellsTheTruth: unless Compare says that an input was widened or is
// incompatible, what the new schema allows the old one allowed; and unless it
// says that it was narrowed or is incompatible, the other way round.
// proves: D7
func TestCompareTellsTheTruth(t *testing.T) {
	said := map[manifest.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		defs := object{"one": randomSchema(1).Draw(t, "one"), "two": randomSchema(0).Draw(t, "two")}
		newDefs := defs
		if rapid.IntRange(0, 3).Draw(t, "other definitions") == 0 {
			newDefs = object{"one": mutate(t, defs["one"], 1), "two": defs["two"]}
		}
		s := randomSchema(2).Draw(t, "old")
		was, is := document(t, s, defs), document(t, mutate(t, s, 2), newDefs)
		c := manifest.Compare(describe(was), describe(is))
		said[c.Decides()]++
		if c.Has(manifest.Incompatible) {
			return
		}
		old, now := compile(t, was), compile(t, is)
		for range 40 {
			raw, err := json.Marshal(value(2).Draw(t, "value"))
			if err != nil {
				t.Fatal(err)
			}
			before, after := old.Valid(raw), now.Valid(raw)
			if after && !before && !c.Has(manifest.Widened) {
				t.Fatalf("%s is allowed now, but Compare says %v\nwas %s\nis  %s", raw, c, was, is)
			}
			if before && !after && !c.Has(manifest.Narrowed) {
				t.Fatalf("%s was allowed, but Compare says %v\nwas %s\nis  %s", raw, c, was, is)
			}
		}
	})
	t.Logf("decided: %v", said)
	for _, k := range []manifest.Kind{"", manifest.Notation, manifest.Narrowed, manifest.Widened, manifest.Wording, manifest.Incompatible} {
		if said[k] == 0 {
			t.Errorf("no pair was %q: the test tries too little", k)
		}
	}
}

func describe(input json.RawMessage) *tool.Descriptor {
	return &tool.Descriptor{Name: "t", Source: tool.Source{Kind: policy.Host}, Class: policy.Read, Input: input}
}
