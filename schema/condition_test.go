package schema_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

var _ policy.Condition = (*schema.Condition)(nil)

// TestConditions proves: D5b
func TestConditions(t *testing.T) {
	const over = `{"properties":{"amount":{"exclusiveMinimum":100}}}`
	for _, one := range []struct{ name, when, args, want string }{
		{"a bound is met", over, `{"amount":100.01}`, "yes"},
		{"a bound is not met", over, `{"amount":100}`, "no"},
		{"a bound is exact", `{"properties":{"n":{"minimum":9007199254740993}}}`, `{"n":9007199254740992}`, "no"},
		{"an absent property", over, `{}`, "unknown"},
		{"another type", over, `{"amount":"101"}`, "unknown"},
		{"null is another type", over, `{"amount":null}`, "unknown"},
		{"no arguments", over, ``, "unknown"},
		{"text that is no JSON", over, `{"amount":101`, "unknown"},
		{"a type beside a bound changes nothing", `{"properties":{"amount":{"type":"number","minimum":100}}}`, `{"amount":"101"}`, "unknown"},
		{"a type alone is a question", `{"properties":{"a":{"type":"null"}}}`, `{"a":1}`, "no"},
		{"a type alone, met", `{"properties":{"a":{"type":["null","integer"]}}}`, `{"a":1.0}`, "yes"},
		{"a type excludes although the bound would be met", `{"properties":{"a":{"type":"integer","minimum":1}}}`, `{"a":1.5}`, "no"},
		{"the empty condition", `{}`, `{}`, "yes"},
		{"enum", `{"properties":{"a":{"enum":["x",1]}}}`, `{"a":1.0}`, "yes"},
		{"enum of another type is known", `{"properties":{"a":{"enum":["x"]}}}`, `{"a":1}`, "no"},
		{"const", `{"properties":{"a":{"const":{"x":[1]}}}}`, `{"a":{"x":[1]}}`, "yes"},
		{"const and enum must both hold", `{"properties":{"a":{"const":1,"enum":[2]}}}`, `{"a":1}`, "no"},
		{"patterns are anchored", `{"properties":{"path":{"pattern":"/tmp/.*"}}}`, `{"path":"/etc/tmp/x"}`, "no"},
		{"patterns are anchored on both sides", `{"properties":{"path":{"pattern":"a|b"}}}`, `{"path":"ax"}`, "no"},
		{"an alternative within an anchored pattern", `{"properties":{"path":{"pattern":"a|b"}}}`, `{"path":"b"}`, "yes"},
		{"the end is the end", `{"properties":{"path":{"pattern":"a"}}}`, `{"path":"a\n"}`, "no"},
		{"a dot is no line break", `{"properties":{"path":{"pattern":"a.*"}}}`, `{"path":"a\nb"}`, "no"},
		{"an anchored pattern with look-ahead", `{"properties":{"path":{"pattern":"(?!/etc).*"}}}`, `{"path":"/etc/x"}`, "no"},
		{"an escaped string", `{"properties":{"path":{"pattern":"ab"}}}`, `{"path":"\u0061b"}`, "yes"},
		{"a length", `{"properties":{"a":{"maxLength":2}}}`, `{"a":"éé"}`, "yes"},
		{"a number of items", `{"properties":{"a":{"minItems":2}}}`, `{"a":[1]}`, "no"},
		{"every item", `{"properties":{"a":{"items":{"minimum":3}}}}`, `{"a":[3,2]}`, "no"},
		{"an item of another type", `{"properties":{"a":{"items":{"minimum":3}}}}`, `{"a":[3,"2"]}`, "unknown"},
		{"one item decides whatever the other is", `{"properties":{"a":{"items":{"minimum":3}}}}`, `{"a":["2",1]}`, "no"},
		{"items of no array", `{"properties":{"a":{"items":{"minimum":3}}}}`, `{"a":3}`, "unknown"},
		{"a nested property", `{"properties":{"o":{"properties":{"a":{"const":1}}}}}`, `{"o":{"a":1}}`, "yes"},
		{"an absent nested property", `{"properties":{"o":{"properties":{"a":{"const":1}}}}}`, `{"o":{}}`, "unknown"},
		{"a property of no object", `{"properties":{"o":{"properties":{"a":{"const":1}}}}}`, `{"o":[]}`, "unknown"},
		{"presence", `{"required":["a"]}`, `{"a":null}`, "yes"},
		{"absence is known to required alone", `{"required":["a"]}`, `{}`, "no"},
		{"required beside properties leaves it unknown", `{"required":["a"],"properties":{"a":{"const":1}}}`, `{}`, "unknown"},
		{"not", `{"not":{"properties":{"a":{"const":1}}}}`, `{"a":2}`, "yes"},
		{"not of the unknown", `{"not":{"properties":{"a":{"const":1}}}}`, `{}`, "unknown"},
		{"anyOf, one met", `{"anyOf":[{"properties":{"a":{"const":1}}},{"properties":{"b":{"const":1}}}]}`, `{"b":1}`, "yes"},
		{"anyOf, one unknown", `{"anyOf":[{"properties":{"a":{"const":1}}},{"properties":{"b":{"const":1}}}]}`, `{"b":2}`, "unknown"},
		{"anyOf, none met", `{"anyOf":[{"properties":{"a":{"const":1}}},{"properties":{"b":{"const":1}}}]}`, `{"a":2,"b":2}`, "no"},
		{"and, one not met", `{"properties":{"a":{"const":1},"b":{"const":1}}}`, `{"b":2}`, "no"},
		{"and, one unknown", `{"properties":{"a":{"const":1},"b":{"const":1}}}`, `{"b":1}`, "unknown"},
		{"a key in another case is another key", `{"properties":{"a":{"const":1}}}`, `{"A":1}`, "unknown"},
	} {
		t.Run("D5b "+one.name, func(t *testing.T) {
			c, err := schema.CompileCondition([]byte(one.when), nil)
			if err != nil {
				t.Fatal(err)
			}
			var args []byte
			if one.args != "" {
				args = []byte(one.args)
			}
			match, known := c.Match(args)
			if got := answer(match, known); got != one.want {
				t.Errorf("%s, want %s", got, one.want)
			}
		})
	}
}

func answer(match, known bool) string {
	switch {
	case !known:
		return "unknown"
	case match:
		return "yes"
	}
	return "no"
}

// TestSlowCondition holds that a pattern that runs away ends, and decides nothing.
//
// proves: D5b
func TestSlowCondition(t *testing.T) {
	c, err := schema.CompileCondition([]byte(`{"properties":{"l":{"items":{"pattern":"(?=x)(x+x+)+y"}}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	run := `"` + strings.Repeat("x", 40) + `"`
	args := `{"l":[` + strings.Repeat(run+",", 3000) + run + `]}`
	start := time.Now()
	if match, known := c.Match([]byte(args)); match || known {
		t.Errorf("%t, %t", match, known)
	}
	if took := time.Since(start); took > 15*time.Second { // measured: 1 s; without a bound: minutes
		t.Errorf("took %v", took)
	}
}

const transferTool = `{"type":"object","properties":{
	"amount":{"type":"number"},"to":{"$ref":"#/$defs/account"},
	"lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}}}},
	"labels":{"type":"object","additionalProperties":{"type":"string"}},"extra":{}},
	"$defs":{"account":{"oneOf":[{"properties":{"iban":{}}},{"properties":{"bic":{}}}]}},
	"unevaluatedProperties":false}`

// TestRefusedConditions proves: D5b
func TestRefusedConditions(t *testing.T) {
	for _, one := range []struct{ name, when, want string }{
		{"a keyword outside the subset", `{"oneOf":[{}]}`, `"oneOf" at /oneOf`},
		{"format", `{"properties":{"amount":{"format":"email"}}}`, `"format" at /properties/amount/format`},
		{"a misspelt keyword", `{"propertis":{}}`, `"propertis" at /propertis`},
		{"a reference", `{"$ref":"#"}`, `"$ref"`},
		{"additionalProperties", `{"additionalProperties":false}`, `"additionalProperties"`},
		{"a boolean", `true`, `must be an object`},
		{"a boolean for a property", `{"properties":{"amount":false}}`, `must be an object`},
		{"no object", `[]`, `must be an object`},
		{"no JSON", `{"not":`, `not strict JSON`},
		{"a keyword twice", `{"required":["amount"],"required":[]}`, `there twice`},
		{"a bound that is no number", `{"properties":{"amount":{"minimum":"1"}}}`, `"minimum" at /properties/amount/minimum`},
		{"an unknown type", `{"properties":{"amount":{"type":"money"}}}`, `"type" at /properties/amount/type`},
		{"a pattern that no engine knows", `{"properties":{"amount":{"pattern":"["}}}`, `"pattern"`},
		{"a pattern that would undo the anchors", `{"properties":{"amount":{"pattern":"a)|(?:b"}}}`, `"pattern"`},
		{"no alternative", `{"anyOf":[]}`, `"anyOf"`},
		{"a property that the tool lacks", `{"properties":{"amont":{"minimum":1}}}`, `no property amont`},
		{"a required one that the tool lacks", `{"required":["x"]}`, `no property x`},
		{"one in another case", `{"required":["Amount"]}`, `no property Amount`},
		{"a nested one", `{"properties":{"to":{"properties":{"swift":{}}}}}`, `no property swift`},
		{"one of an item", `{"properties":{"lines":{"items":{"required":["id"]}}}}`, `no property id`},
		{"one under not", `{"not":{"required":["x"]}}`, `no property x`},
		{"one under anyOf", `{"anyOf":[{"required":["x"]}]}`, `no property x`},
	} {
		t.Run("D5b "+one.name, func(t *testing.T) {
			_, err := schema.CompileCondition([]byte(one.when), []byte(transferTool))
			if fault.CodeOf(err) != fault.BadPolicy || !strings.Contains(fault.TextOf(err), one.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestConditionsOnTools proves: D5b
func TestConditionsOnTools(t *testing.T) {
	for _, when := range []string{
		`{"properties":{"amount":{"minimum":1}}}`,
		`{"properties":{"to":{"required":["iban","bic"]}}}`,
		`{"properties":{"lines":{"items":{"properties":{"sku":{"pattern":"x.*"}}}}}}`,
		`{"properties":{"labels":{"required":["anything"]},"extra":{"required":["anything"]}}}`,
	} {
		if _, err := schema.CompileCondition([]byte(when), []byte(transferTool)); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	for _, tool := range []string{`{"type":"object"}`, `{"properties":{}}`} {
		if _, err := schema.CompileCondition([]byte(`{"required":["x"]}`), []byte(tool)); err == nil {
			t.Errorf("%s has no property x", tool)
		}
	}
	if _, err := schema.CompileCondition([]byte(`{"required":["x"]}`), []byte(`{"type":"object","additionalProperties":{"type":"string"}}`)); err != nil {
		t.Errorf("a map has any property: %v", err)
	}
}

// TestKnowledgeOnlyGrows holds that what is known without a property stays so
// when the property is given.
//
// proves: D5b
func TestKnowledgeOnlyGrows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		when := genCondition(3).Draw(r, "when")
		c, err := schema.CompileCondition([]byte(when), nil)
		if err != nil {
			r.Fatal(err)
		}
		less := genJSON(1).Draw(r, "a")
		before, known := c.Match([]byte(`{"a":` + less + `}`))
		if !known {
			return
		}
		more := `{"a":` + less + `,"b":` + genJSON(1).Draw(r, "b") + `}`
		if after, still := c.Match([]byte(more)); !still || after != before {
			r.Fatalf("%s: %t without b, and with it %s: %t, %t", when, before, more, after, still)
		}
	})
}

// genCondition draws conditions on the properties a and b.
func genCondition(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		words := []string{"properties"}
		if depth > 0 {
			words = append(words, "not", "anyOf")
		}
		chosen := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, len(words), rapid.ID).Draw(t, "words")
		return objectText(chosen, func(word string) string {
			switch word {
			case "not":
				return genCondition(depth-1).Draw(t, word)
			case "anyOf":
				return "[" + strings.Join(rapid.SliceOfN(genCondition(depth-1), 1, 2).Draw(t, word), ",") + "]"
			}
			keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b"}), 1, 2, rapid.ID).Draw(t, "keys")
			return objectText(keys, func(string) string { return genLeafCondition(t) })
		})
	})
}

func genLeafCondition(t *rapid.T) string {
	words := []string{"type", "const", "minimum", "maxLength", "pattern", "minItems"}
	chosen := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 2, rapid.ID).Draw(t, "leaf")
	return objectText(chosen, func(word string) string { return genKeyword(t, word, 0) })
}
