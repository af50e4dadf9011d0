package policy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// condition is SPEC D5b for the few keywords that these tests use: properties
// with const, enum, minimum or maximum, and not. Package schema has the whole.
type condition struct {
	Not        *condition           `json:"not"`
	Properties map[string]condition `json:"properties"`
	Const      any                  `json:"const"`
	Enum       []any                `json:"enum"`
	Minimum    *float64             `json:"minimum"`
	Maximum    *float64             `json:"maximum"`
}

func compileCondition(when json.RawMessage, _ *policy.Rule) (policy.Condition, error) {
	var c condition
	if err := json.Unmarshal(when, &c); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	return &c, nil
}

func (c *condition) Match(args []byte) (match, known bool) {
	var v any
	if args == nil || json.Unmarshal(args, &v) != nil {
		return false, false
	}
	return c.of(v)
}

func (c *condition) of(v any) (match, known bool) {
	switch {
	case c.Not != nil:
		match, known = c.Not.of(v)
		return known && !match, known
	case c.Properties != nil:
		return c.properties(v)
	case c.Const != nil:
		return v == c.Const, true
	case c.Enum != nil:
		return slices.Contains(c.Enum, v), true
	}
	n, ok := v.(float64)
	return ok && (c.Minimum == nil || n >= *c.Minimum) && (c.Maximum == nil || n <= *c.Maximum), ok
}

// properties joins its members: one that is known not to match decides.
func (c *condition) properties(v any) (match, known bool) {
	object, ok := v.(map[string]any)
	if !ok {
		return false, false
	}
	match, known = true, true
	for name, p := range c.Properties {
		member, ok := object[name]
		m, k := false, false
		if ok {
			m, k = p.of(member)
		}
		if k && !m {
			return false, true
		}
		known = known && k
	}
	return match && known, known
}

// TestConditionsAgreeWithPackageSchema keeps what stands for conditions here
// true to the whole of SPEC D5b.
//
// proves: D5b
func TestConditionsAgreeWithPackageSchema(t *testing.T) {
	for _, when := range whens {
		whole, err := schema.CompileCondition(json.RawMessage(when), nil)
		if err != nil {
			t.Fatal(when, err)
		}
		for _, args := range append(argTexts, "") {
			text := []byte(args)
			if args == "" {
				text = nil
			}
			match, known := conditionOf(when).Match(text)
			if m, k := whole.Match(text); m != match || k != known {
				t.Errorf("%s on %q: %v %v here, %v %v there", when, args, match, known, m, k)
			}
		}
	}
}
