package manifest

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Keywords that hold schemas: one, a list, or a map of names.
var (
	oneSchema = []string{
		"additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
		"unevaluatedItems", "unevaluatedProperties",
	}
	listOfSchemas = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	mapOfSchemas  = []string{"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)

// mapSchemas returns a copy of s with f of each schema right inside it.
func mapSchemas(s map[string]any, f func(any) any) map[string]any {
	out := maps.Clone(s)
	for key, value := range s {
		switch value := value.(type) {
		case map[string]any:
			if slices.Contains(oneSchema, key) {
				out[key] = f(value)
			} else if slices.Contains(mapOfSchemas, key) {
				named := make(map[string]any, len(value))
				for name, sub := range value {
					named[name] = f(sub)
				}
				out[key] = named
			}
		case []any:
			if slices.Contains(listOfSchemas, key) {
				list := make([]any, len(value))
				for i, sub := range value {
					list[i] = f(sub)
				}
				out[key] = list
			}
		}
	}
	return out
}

// texts are keywords that a model or a person reads and that allow or forbid no
// value: format and content keywords are notes to us, too.
var texts = []string{
	"$comment", "contentEncoding", "contentMediaType", "contentSchema", "deprecated", "description", "example", "examples", "format",
	"readOnly", "title", "writeOnly",
}

func isText(key string) bool {
	return slices.Contains(texts, key) || strings.HasPrefix(key, "x-")
}

// ignored are keywords without a meaning once all references are written out.
var ignored = []string{"$anchor", "$defs", "$id", "definitions"}

// dialects are the values of $schema, without a last #, in which the judged
// keywords mean the same.
var dialects = []string{
	"http://json-schema.org/draft-06/schema", "http://json-schema.org/draft-07/schema",
	"https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema",
}

// wellFormed are the keywords that are compared by meaning, each with the form
// that its value must have for that.
var wellFormed = map[string]func(any) bool{
	"type":    func(v any) bool { _, ok := typeSet(v); return ok },
	"enum":    is[[]any],
	"const":   func(any) bool { return true },
	"default": func(any) bool { return true },

	"minimum": isNumber, "maximum": isNumber, "exclusiveMinimum": isNumber, "exclusiveMaximum": isNumber,
	"multipleOf": func(v any) bool { return isNumber(v) && rational(v).Sign() > 0 },
	"minLength":  isNumber, "maxLength": isNumber, "minItems": isNumber, "maxItems": isNumber,
	"minProperties": isNumber, "maxProperties": isNumber,
	"uniqueItems": is[bool], "pattern": is[string],

	"required":             func(v any) bool { _, ok := nameSet(v); return ok },
	"properties":           is[map[string]any],
	"additionalProperties": isSchema,
	"items":                isSchema,

	"$schema": func(v any) bool {
		text, ok := v.(string)
		return ok && slices.Contains(dialects, strings.TrimSuffix(text, "#"))
	},
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func isNumber(v any) bool { return is[json.Number](v) }

func isSchema(v any) bool { return is[bool](v) || is[map[string]any](v) }

// judged reports whether all of a schema's own keywords are compared by meaning.
func judged(s map[string]any) bool {
	for key, value := range s {
		if isText(key) || slices.Contains(ignored, key) {
			continue
		}
		formed, ok := wellFormed[key]
		if !ok || !formed(value) || value == nil && key != "const" && key != "default" {
			return false
		}
	}
	return true
}

// stripped returns a schema without its texts, at every depth.
func stripped(v any) any {
	s, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := mapSchemas(s, stripped)
	maps.DeleteFunc(out, func(key string, _ any) bool { return isText(key) })
	return out
}

// same reports whether two decoded values are the same. Numbers have their
// canonical text.
func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// encode returns a decoded value as JSON with sorted keys.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("manifest: a decoded value does not encode: " + err.Error()) // it came from encoding/json
	}
	return b
}
