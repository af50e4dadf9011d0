package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// keyNames are few, so that schemas and values meet.
var keyNames = []string{"a", "b", "c", "id", "é", "x/y"}

// numberTexts are numbers whose notation matters.
var numberTexts = []string{"0", "-0", "1", "1.0", "-1", "2", "3.5", "0.1", "0.3", "1e2", "100", "1.5e0", "1.50",
	"9007199254740992", "9007199254740993", "123456789012345678901234567890", "-7e-1"}

var stringTexts = []string{`""`, `"a"`, `"ab"`, `"abc"`, `"A"`, `"é"`, `"\u0061"`, `"\n"`, `"😀"`, `"12"`}

// genJSON draws JSON text of any value.
func genJSON(depth int) *rapid.Generator[string] {
	leaf := rapid.OneOf(
		rapid.SampledFrom([]string{"null", "true", "false"}),
		rapid.SampledFrom(numberTexts),
		rapid.SampledFrom(stringTexts),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf, genObject(depth-1), genArray(depth-1))
}

func genArray(depth int) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(genJSON(depth), 0, 4), func(items []string) string {
		return "[" + strings.Join(items, ",") + "]"
	})
}

func genObject(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		keys := rapid.SliceOfNDistinct(rapid.SampledFrom(keyNames), 0, 4, rapid.ID).Draw(t, "keys")
		return objectText(keys, func(string) string { return genJSON(depth).Draw(t, "value") })
	})
}

// objectText writes an object with a value for each key.
func objectText(keys []string, value func(key string) string) string {
	var members []string
	for _, k := range keys {
		quoted, _ := json.Marshal(k)
		members = append(members, string(quoted)+":"+value(k))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// genSchema draws a schema of the keywords that the package checks itself.
func genSchema(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 19).Draw(t, "boolean") == 0 {
			return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "schema")
		}
		words := slices.Clone(leafKeywords)
		if depth > 0 {
			words = append(words, deepKeywords...)
		}
		chosen := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 0, 4, rapid.ID).Draw(t, "keywords")
		return objectText(chosen, func(word string) string { return genKeyword(t, word, depth-1) })
	})
}

var leafKeywords = []string{"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "required",
	"minProperties", "maxProperties", "dependentRequired", "minContains", "maxContains"}

var deepKeywords = []string{"properties", "additionalProperties", "patternProperties", "propertyNames", "items",
	"prefixItems", "contains", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas", "properties"}

func genKeyword(t *rapid.T, word string, depth int) string {
	switch word {
	case "type":
		types := []string{"string", "integer", "number", "boolean", "array", "object", "null"}
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(types), 1, 3, rapid.ID).Draw(t, word)
		text, _ := json.Marshal(some)
		return string(text)
	case "enum":
		return "[" + strings.Join(rapid.SliceOfN(genJSON(1), 1, 12).Draw(t, word), ",") + "]"
	case "const":
		return genJSON(1).Draw(t, word)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return rapid.SampledFrom(numberTexts).Draw(t, word)
	case "multipleOf":
		return rapid.SampledFrom([]string{"1", "2", "0.1", "1.5", "1e1", "3.0"}).Draw(t, word)
	case "pattern":
		return rapid.SampledFrom([]string{`"^a"`, `"b$"`, `"^(?!a)"`, `"\\d"`, `"."`}).Draw(t, word)
	case "uniqueItems":
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, word)
	case "required":
		return genNames(t)
	case "dependentRequired":
		return objectText(keyNames[:1], func(string) string { return genNames(t) })
	case "properties", "dependentSchemas":
		keys := rapid.SliceOfNDistinct(rapid.SampledFrom(keyNames), 0, 3, rapid.ID).Draw(t, word)
		return objectText(keys, func(string) string { return genSchema(depth).Draw(t, word) })
	case "patternProperties":
		return objectText([]string{"^[ab]$"}, func(string) string { return genSchema(depth).Draw(t, word) })
	case "prefixItems", "anyOf", "oneOf", "allOf":
		return "[" + strings.Join(rapid.SliceOfN(genSchema(depth), 1, 3).Draw(t, word), ",") + "]"
	case "additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else":
		return genSchema(depth).Draw(t, word)
	}
	return fmt.Sprint(rapid.IntRange(0, 3).Draw(t, word))
}

func genNames(t *rapid.T) string {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(keyNames), 0, 2, rapid.ID).Draw(t, "names")
	text, _ := json.Marshal(append([]string{}, names...))
	return string(text)
}
