package schema

import (
	"reflect"
	"strconv"
	"strings"
)

// The texts that encoding/json reads for a field with ,string.
const (
	floatPattern = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
	// Escapes of surrogates come in pairs.
	stringPattern = `^"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u([0-9abcefABCEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}|` +
		`[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})))*"$`
)

// quotedShape describes a field with ,string: the JSON text of s as a string.
func (r *reflector) quotedShape(t reflect.Type, s *shape, path string) (*shape, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if implements(t, jsonUnmarshaler) || implements(t, textUnmarshaler) || t == numberType {
		return nil, r.errorf(path, ",string does not work with %s, which has a form of its own: leave it out", t)
	}
	q := newShape("string")
	q.nullable = s.nullable
	if doc := s.keys["description"]; doc != nil {
		q.keys["description"] = doc
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		q.set("enum", `["true","false"]`)
	case isInteger(k):
		q.quote("pattern", integerPattern(integerBounds(t)))
	case k == reflect.String:
		q.quote("pattern", stringPattern).quote("contentMediaType", "application/json")
	default:
		q.quote("pattern", floatPattern)
	}
	return q, nil
}

// integerPattern returns a pattern for the integers between the bounds of an
// integer type in their plain form: no leading zeros, no plus, no minus zero.
func integerPattern(low, high string) string {
	positive := strings.Join(upTo(high), "|")
	if low == "0" {
		return "^(0|" + positive + ")$"
	}
	// The smallest value of a signed type is the only one without a positive twin.
	return "^(0|-?(" + positive + ")|" + low + ")$"
}

// upTo returns patterns for the integers from 1 to limit: those with fewer
// digits, then for each digit of the limit those that are smaller at that digit,
// then the limit itself.
func upTo(limit string) []string {
	var alternatives []string
	if n := len(limit); n > 1 {
		alternatives = append(alternatives, "[1-9]"+digitRun(n-2, true))
	}
	for i := range len(limit) {
		first := byte('0')
		if i == 0 {
			first = '1'
		}
		if limit[i] > first {
			alternatives = append(alternatives, limit[:i]+digitRange(first, limit[i]-1)+digitRun(len(limit)-i-1, false))
		}
	}
	return append(alternatives, limit)
}

func digitRange(first, last byte) string {
	if first == last {
		return string(first)
	}
	return "[" + string(first) + "-" + string(last) + "]"
}

// digitRun returns a pattern for n digits, or for up to n.
func digitRun(n int, fewer bool) string {
	switch {
	case n == 0:
		return ""
	case n == 1 && fewer:
		return "[0-9]?"
	case n == 1:
		return "[0-9]"
	case fewer:
		return "[0-9]{0," + strconv.Itoa(n) + "}"
	default:
		return "[0-9]{" + strconv.Itoa(n) + "}"
	}
}
