package manifest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// text shows a change: kinds, then details.
func text(c manifest.Change) string {
	var b strings.Builder
	fmt.Fprint(&b, c.Kinds)
	for _, d := range c.Details {
		fmt.Fprintf(&b, " %s:%s", d.Pointer, d.Kind)
	}
	return b.String()
}

// TestCompareInput compares input schemas.
func TestCompareInput(t *testing.T) {
	const closed = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
	for _, c := range []struct{ name, was, is, want string }{
		{"D7 the same", closed, ` { "additionalProperties":false, "properties":{"a":{"type":"string"}},"type":"object"}`, "[]"},
		{"D7 notation: a list of one type", `{"type":"object"}`, `{"type":["object"]}`, "[notation] :notation"},
		{"D7 notation: what is the default anyway", `{}`, `{"additionalProperties":true,"properties":{},"required":[],"items":{},"minLength":0,"uniqueItems":false}`, "[notation] :notation"},
		{"D7 notation: the order of required and enum", `{"required":["a","b"],"enum":[1,2]}`, `{"required":["b","a"],"enum":[2,1]}`, "[notation] :notation"},
		{"D7 notation: const is an enum of one", `{"const":1}`, `{"enum":[1]}`, "[notation] :notation"},
		{"D7 notation: the dialect", `{"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, "[notation] :notation"},
		{"D7 notation: a reference written out", `{"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`, "[notation] :notation"},
		{"D7 notation: a property that is named like a keyword", `{"properties":{"default":{"$ref":"#/definitions/s"}},"definitions":{"s":{"type":"string"}}}`, `{"properties":{"default":{"type":"string"}}}`, "[notation] :notation"},

		{"D7 wording: a description", `{"description":"x"}`, `{"description":"y"}`, "[wording] /input/description:wording"},
		{"D7 wording: deep inside", `{"properties":{"a":{"items":{"title":"x"}}}}`, `{"properties":{"a":{"items":{"title":"y"}}}}`, "[wording] /input/properties/a/items/title:wording"},
		{"D7 wording: a format is a note", `{"format":"date"}`, `{}`, "[wording] /input/format:wording"},
		{"D7 wording: a secret is no longer masked", `{"writeOnly":true}`, `{}`, "[wording] /input/writeOnly:wording"},
		{"D7 wording: inside of what cannot be judged", `{"anyOf":[{"type":"string","description":"x"}]}`, `{"anyOf":[{"type":"string","description":"y"}]}`, "[wording] /input:wording"},
		{"D7 wording: behind a reference", `{"items":{"$ref":"#/$defs/s"},"$defs":{"s":{"description":"x"}}}`, `{"items":{"$ref":"#/$defs/s"},"$defs":{"s":{"description":"y"}}}`, "[wording] /input/items/description:wording"},

		{"D7 narrowed: a type", `{"type":"number"}`, `{"type":"integer"}`, "[narrowed] /input/type:narrowed"},
		{"D7 narrowed: null no longer", `{"type":["string","null"]}`, `{"type":"string"}`, "[narrowed] /input/type:narrowed"},
		{"D7 narrowed: a value fewer", `{"enum":["a","b"]}`, `{"enum":["a"]}`, "[narrowed] /input/enum:narrowed"},
		{"D7 narrowed: bounds", `{"minimum":0,"maximum":9}`, `{"minimum":1,"exclusiveMaximum":9}`, "[narrowed] /input/maximum:narrowed /input/minimum:narrowed"},
		{"D7 narrowed: a bound past 53 bits", `{"maximum":9007199254740993}`, `{"maximum":9007199254740992}`, "[narrowed] /input/maximum:narrowed"},
		{"D7 narrowed: lengths", `{"maxLength":9}`, `{"maxLength":8,"minLength":1}`, "[narrowed] /input/maxLength:narrowed /input/minLength:narrowed"},
		{"D7 narrowed: a multiple", `{"multipleOf":0.5}`, `{"multipleOf":1.5}`, "[narrowed] /input/multipleOf:narrowed"},
		{"D7 narrowed: a pattern where there was none", `{}`, `{"pattern":"a"}`, "[narrowed] /input/pattern:narrowed"},
		{"D7 narrowed: no others", `{}`, `{"additionalProperties":false}`, "[narrowed] /input/additionalProperties:narrowed"},
		{"D7 narrowed: one of the others is described", `{}`, `{"properties":{"a":{"type":"string"}}}`, "[narrowed] /input/properties/a/type:narrowed"},
		{"D7 narrowed: no items twice", `{}`, `{"uniqueItems":true}`, "[narrowed] /input/uniqueItems:narrowed"},

		{"D7 widened: a new optional property", closed, strings.Replace(closed, `"a":`, `"b":{},"a":`, 1), "[widened] /input/properties/b:widened"},
		{"D7 widened: others are allowed", closed, strings.Replace(closed, "false", `{"type":"string"}`, 1), "[widened] /input/additionalProperties:widened"},
		{"D7 widened: no longer required", `{"required":["a"]}`, `{}`, "[widened] /input/required:widened"},
		{"D7 widened: a value more", `{"enum":["a"]}`, `{"enum":["a","b"]}`, "[widened] /input/enum:widened"},
		{"D7 widened: any value", `{"enum":["a"]}`, `{}`, "[widened] /input/enum:widened"},
		{"D7 widened: no pattern", `{"pattern":"a"}`, `{}`, "[widened] /input/pattern:widened"},
		{"D7 widened: a limit is gone", `{"maxItems":3}`, `{}`, "[widened] /input/maxItems:widened"},
		{"D7 widened: a default changes what runs", `{"properties":{"a":{"default":false}}}`, `{"properties":{"a":{"default":true}}}`, "[widened] /input/properties/a/default:widened"},
		{"D7 widened: a default of null is a default", `{}`, `{"default":null}`, "[widened] /input/default:widened"},
		{"D7 widened here and narrowed there", `{"minimum":0,"maximum":9}`, `{"minimum":1,"maximum":10}`, "[widened narrowed] /input/maximum:widened /input/minimum:narrowed"},

		{"D7 incompatible: a new required property", closed, strings.Replace(closed, `"type":"object"`, `"type":"object","required":["a"]`, 1), "[incompatible] /input/required:incompatible"},
		{"D7 incompatible: a removed property", closed, strings.Replace(closed, `"a":{"type":"string"}`, "", 1), "[incompatible] /input/properties/a:incompatible"},
		{"D7 incompatible: a removed property, though others are allowed", `{"properties":{"a":{"type":"string"}}}`, `{}`, "[incompatible] /input/properties/a:incompatible"},
		{"D7 incompatible: a renamed property", closed, strings.Replace(closed, `"a":`, `"A":`, 1), "[incompatible widened] /input/properties/A:widened /input/properties/a:incompatible"},
		{"D7 incompatible: another type", closed, strings.Replace(closed, `"string"`, `"integer"`, 1), "[incompatible] /input/properties/a/type:incompatible"},
		{"D7 incompatible: other values", `{"enum":["a"]}`, `{"enum":["b"]}`, "[incompatible] /input/enum:incompatible"},
		{"D7 incompatible: another const beside an enum", `{"enum":[1,2],"const":1}`, `{"enum":[1,2],"const":2}`, "[incompatible] /input/const:incompatible"},
		{"D7 incompatible: another pattern", `{"pattern":"a"}`, `{"pattern":"b"}`, "[incompatible] /input/pattern:incompatible"},
		{"D7 incompatible: a property that nothing fits", `{"properties":{"a":{}}}`, `{"properties":{"a":false}}`, "[incompatible] /input/properties/a:incompatible"},
		{"D7 incompatible: what cannot be judged", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"}]}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: a limit beside what cannot be judged", `{"not":{},"minimum":1}`, `{"not":{},"minimum":2}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: a keyword of nobody's", `{}`, `{"minimumm":2}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: a keyword in a wrong form", `{"minimum":1}`, `{"exclusiveMinimum":true,"minimum":1}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: null for a keyword", `{"properties":{"a":{}}}`, `{"properties":{"a":{"type":null}}}`, "[incompatible] /input/properties/a:incompatible"},
		{"D7 incompatible: another dialect", `{}`, `{"$schema":"http://json-schema.org/draft-03/schema#"}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: behind a reference to itself", `{"$ref":"#/$defs/n","$defs":{"n":{"items":{"$ref":"#/$defs/n"},"maxItems":3}}}`, `{"$ref":"#/$defs/n","$defs":{"n":{"items":{"$ref":"#/$defs/n"},"maxItems":2}}}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: behind a reference with company", `{"items":{"$ref":"#/$defs/s","minimum":5},"$defs":{"s":{"minimum":7}}}`, `{"items":{"$ref":"#/$defs/s","minimum":5},"$defs":{"s":{"minimum":1}}}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: behind a remote reference", `{"$ref":"https://example.org/s","minimum":1}`, `{"$ref":"https://example.org/s"}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: a definition whose name changes", `{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"$id":"urn:x","type":"string"}}}`, `{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"$id":"urn:y","type":"string"}}}`, "[incompatible] /input:incompatible"},
		{"D7 incompatible: not strict JSON", `{"a":1}`, `{"a":1,"a":2}`, "[incompatible] :incompatible"},
		{"D7 a name with a slash", `{"properties":{"a/b":{"minimum":1}}}`, `{"properties":{"a/b":{"minimum":2}}}`, "[narrowed] /input/properties/a~1b/minimum:narrowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text(manifest.Compare(describe(json.RawMessage(c.was)), describe(json.RawMessage(c.is)))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestCompareSmallBomb: a small document that stands for a huge one is compared
// as a whole.
func TestCompareSmallBomb(t *testing.T) {
	bomb := `{"$ref":"#/$defs/d0","$defs":{`
	for n := range 30 {
		bomb += fmt.Sprintf(`"d%d":{"prefixItems":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, n, n+1, n+1)
	}
	bomb += `"d30":{"maximum":%d}}}`
	was, is := describe(json.RawMessage(fmt.Sprintf(bomb, 1))), describe(json.RawMessage(fmt.Sprintf(bomb, 2)))
	if got := text(manifest.Compare(was, is)); got != "[incompatible] /input:incompatible" {
		t.Errorf("got %s", got)
	}
}

// TestCompareDescriptor compares what is beside the input schema.
func TestCompareDescriptor(t *testing.T) {
	output := func(raw string) func(*tool.Descriptor) {
		return func(d *tool.Descriptor) { d.Output = json.RawMessage(raw) }
	}
	class := func(c policy.Class) func(*tool.Descriptor) {
		return func(d *tool.Descriptor) { d.Class = c }
	}
	for _, c := range []struct {
		name    string
		was, is func(*tool.Descriptor)
		want    string
	}{
		{"D7 title, description, hints and examples are wording", nil, func(d *tool.Descriptor) {
			d.Title, d.Description, d.Hints, d.Examples = "t", "d", json.RawMessage("{}"), []json.RawMessage{json.RawMessage("1")}
		}, "[wording] /description:wording /examples:wording /hints:wording /title:wording"},
		{"D7 another name is another tool", nil, func(d *tool.Descriptor) { d.Name = "u" }, "[incompatible] /name:incompatible"},
		{"D7 another source is another tool", nil, func(d *tool.Descriptor) { d.Source.Name = "p" }, "[incompatible] /source:incompatible"},

		{"D7 a stricter class", class(policy.Read), class(policy.Write), "[class_stricter] /class:class_stricter"},
		{"D7 unknown is the strictest", class(policy.Destructive), class(policy.Unknown), "[class_stricter] /class:class_stricter"},
		{"D7 a looser class", class(policy.Write), class(policy.Read), "[class_looser] /class:class_looser"},
		{"D7 a class that is no longer given may be looser", class(policy.Write), class(policy.NotGiven), "[class_looser] /class:class_looser"},
		{"D7 a class that was not given may be looser", class(policy.NotGiven), class(policy.Read), "[class_looser] /class:class_looser"},
		{"D7 unknown where none was given", class(policy.NotGiven), class(policy.Unknown), "[class_stricter] /class:class_stricter"},
		{"D7 several kinds, the gravest first", class(policy.Read), func(d *tool.Descriptor) {
			d.Class, d.Title, d.Input = policy.Write, "t", json.RawMessage(`{"maximum":1}`)
		}, "[wording class_stricter narrowed] /class:class_stricter /input/maximum:narrowed /title:wording"},

		{"D7 output: narrower", output(`{"type":"number"}`), output(`{"type":"integer"}`), "[narrowed] /output/type:narrowed"},
		{"D7 output: described for the first time", nil, output(`{"type":"object"}`), "[narrowed] /output/type:narrowed"},
		{"D7 output: no longer described", output(`{"type":"object"}`), nil, "[widened] /output/type:widened"},
		{"D7 output: a new property, always there", output(`{"additionalProperties":false}`), output(`{"properties":{"a":{}},"required":["a"],"additionalProperties":false}`),
			"[widened narrowed] /output/properties/a:widened /output/required:narrowed"},
		{"D7 output: a property less", output(`{"properties":{"a":{}},"additionalProperties":false}`), output(`{"additionalProperties":false}`), "[widened] /output/properties/a:widened"},
		{"D7 output: another type holds nothing back", output(`{"type":"string"}`), output(`{"type":"integer"}`), "[widened] /output/type:widened"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was, is := describe(json.RawMessage("{}")), describe(json.RawMessage("{}"))
			for d, set := range map[*tool.Descriptor]func(*tool.Descriptor){was: c.was, is: c.is} {
				if set != nil {
					set(d)
				}
			}
			if got := text(manifest.Compare(was, is)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestCompareNone(t *testing.T) {
	d := describe(json.RawMessage("{}"))
	broken := describe(json.RawMessage("[]"))
	for name, c := range map[string]struct {
		was, is *tool.Descriptor
		want    string
	}{
		"none":                       {nil, nil, "[]"},
		"D7 a new tool":              {nil, d, "[added]"},
		"D7 removed":                 {d, nil, "[removed]"},
		"D7 one that cannot be read": {broken, broken, "[incompatible] :incompatible"},
	} {
		if got := text(manifest.Compare(c.was, c.is)); got != c.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestChangeKindsLaw: the kinds are those of the details, each once, and the
// first is the gravest.
// proves: D7
func TestChangeKindsLaw(t *testing.T) {
	gravity := []manifest.Kind{
		manifest.Notation, manifest.Narrowed, manifest.Returned, manifest.ClassStricter, manifest.ClassLooser,
		manifest.Wording, manifest.Widened, manifest.Added, manifest.Incompatible, manifest.Removed,
	}
	rapid.Check(t, func(t *rapid.T) {
		s := randomSchema(2).Draw(t, "old")
		c := manifest.Compare(describe(document(t, s, object{})), describe(document(t, mutate(t, s, 2), object{})))
		var kinds []manifest.Kind
		for _, d := range c.Details {
			kinds = append(kinds, d.Kind)
		}
		slices.SortFunc(kinds, func(a, b manifest.Kind) int { return slices.Index(gravity, b) - slices.Index(gravity, a) })
		if kinds = slices.Compact(kinds); !slices.Equal(kinds, c.Kinds) {
			t.Fatalf("kinds %v of %v", c.Kinds, c.Details)
		}
		if len(kinds) > 0 && c.Decides() != kinds[0] {
			t.Fatalf("%v decides of %v", c.Decides(), kinds)
		}
	})
}

func ExampleCompare() {
	was := &tool.Descriptor{
		Name: "refund", Source: tool.Source{Kind: policy.Host}, Class: policy.Write,
		Input: json.RawMessage(`{"type":"object","properties":{"cents":{"type":"integer","maximum":5000}}}`),
	}
	is := *was
	is.Description = "Pays money back."
	is.Input = json.RawMessage(`{"type":"object","properties":{"cents":{"type":"integer","maximum":500000}}}`)
	c := manifest.Compare(was, &is)
	fmt.Println(c.Decides())
	for _, d := range c.Details {
		fmt.Println(d.Pointer, d.Kind)
	}
	// Output:
	// widened
	// /description wording
	// /input/properties/cents/maximum widened
}
