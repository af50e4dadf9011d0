package schema

import (
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// numberKeywords are the keywords of the tags that take a number.
var numberKeywords = map[string]string{
	"min": "minimum", "max": "maximum", "exclusiveMin": "exclusiveMinimum", "exclusiveMax": "exclusiveMaximum", "multipleOf": "multipleOf",
}

// ordered are pairs of keywords of which the first may not be above the second,
// nor equal to it where one of them is exclusive.
var ordered = []struct {
	low, high string
	strict    bool
}{
	{"minimum", "maximum", false}, {"exclusiveMinimum", "maximum", true}, {"minimum", "exclusiveMaximum", true},
	{"exclusiveMinimum", "exclusiveMaximum", true}, {"minLength", "maxLength", false}, {"minItems", "maxItems", false},
	{"minProperties", "maxProperties", false},
}

var (
	plainNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$`)
	plainInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
)

// maxNumberText bounds a number in a tag: the digits that SPEC A5 allows, and a
// fraction. The patterns do not count, because counting makes them huge.
const maxNumberText = 2000

func isNumber(text string) bool { return len(text) <= maxNumberText && plainNumber.MatchString(text) }

func (t *tagging) number(tag, text string) error {
	if err := t.want(t.one, tag, "integer", "number"); err != nil {
		return err
	}
	if !isNumber(text) || t.one.kind == "integer" && !plainInteger.MatchString(text) {
		return t.errorf("the tag %s is %q: write %s", tag, text, map[string]string{"integer": "an integer", "number": "a number"}[t.one.kind])
	}
	key := numberKeywords[tag]
	value := rational([]byte(text))
	if tag == "multipleOf" && value.Sign() <= 0 {
		return t.errorf("the tag multipleOf is %s: it must be more than 0", text)
	}
	// The bounds that are there already are those of the Go type.
	if was := t.one.keys[key]; was != nil {
		if c := value.Cmp(rational(was)); key == "minimum" && c < 0 || key == "maximum" && c > 0 {
			return t.errorf("the tag %s is %s, but the type ends at %s", tag, text, was)
		}
	}
	t.one.set(key, text)
	return t.inOrder(t.one)
}

// count applies a tag that takes a number of characters, items or properties.
func (t *tagging) count(s *shape, kind, tag, text string) error {
	if err := t.want(s, tag, kind); err != nil {
		return err
	}
	if n, err := strconv.ParseUint(text, 10, 31); err != nil || strconv.FormatUint(n, 10) != text {
		return t.errorf("the tag %s is %q: write a number of 0 or more", tag, text)
	}
	if t.field.typ.Kind() == reflect.Array && kind == "array" {
		return t.errorf("the tag %s contradicts the array, which has a fixed length", tag)
	}
	s.set(tag, text)
	return t.inOrder(s)
}

// inOrder refuses limits that no value can keep.
func (t *tagging) inOrder(s *shape) error {
	for _, pair := range ordered {
		low, high := s.keys[pair.low], s.keys[pair.high]
		if low == nil || high == nil {
			continue
		}
		if c := rational(low).Cmp(rational(high)); c > 0 || c == 0 && pair.strict {
			return t.errorf("%s %s and %s %s leave no value", pair.low, low, pair.high, high)
		}
	}
	return nil
}

// rational reads a JSON number exactly.
func rational(raw []byte) *big.Rat {
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// enum reads the values of an enum tag in the field's type.
func (t *tagging) enum(text string) error {
	if err := t.want(t.one, "enum", "string", "integer", "number"); err != nil {
		return err
	}
	if t.one.keys["enum"] != nil {
		return t.errorf("enum contradicts ,string, which has the values true and false")
	}
	var values []string
	for word := range strings.SplitSeq(text, ",") {
		raw, err := t.scalarValue(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		for _, v := range values {
			if v == raw {
				return t.errorf("enum names %s twice", raw)
			}
		}
		values = append(values, raw)
	}
	if t.one.nullable {
		values = append(values, "null")
	}
	t.one.set("enum", "["+strings.Join(values, ",")+"]")
	return nil
}

// scalarValue returns the bare text of a tag as a JSON value that the field allows.
func (t *tagging) scalarValue(text string) (string, error) {
	raw := text
	if t.one.kind == "string" {
		raw = string(AppendString(nil, text))
	}
	if t.one.kind != "string" && !isNumber(text) {
		return "", t.errorf("the value %q is no %s", text, t.one.kind)
	}
	return raw, t.allows(t.one, raw)
}

// fallback applies the tag default.
func (t *tagging) fallback(text string) error {
	if t.prop.required {
		return t.errorf("a default for a required field is never used: add omitempty or make it a pointer")
	}
	raw := text
	if t.whole.kind == "string" && !strings.HasPrefix(text, `"`) {
		raw = string(AppendString(nil, text))
	}
	if !json.Valid([]byte(raw)) {
		return t.errorf("the default %s is no JSON", text)
	}
	if err := t.allows(t.whole, raw); err != nil {
		return err
	}
	t.whole.set("default", raw)
	return nil
}
