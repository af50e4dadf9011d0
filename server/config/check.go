package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// checker holds the values of a file against the schema. It goes on after a
// problem; what is wrong is refused, so that the rest can be decoded and looked
// at too.
type checker struct{ *problems }

// check reports whether all is well with n and within it.
func (c checker) check(n *node, s *shape) bool {
	if n.refused {
		return false // that was said already
	}
	ok := !n.bad // a key may have come twice
	if s.typ != "" && !n.is(s.typ) {
		c.at(n, "%s", mismatch(n.kind, s.typ))
		ok, n.refused = false, true
	} else if text := c.wrong(n, s); text != "" {
		c.at(n, "%s", text)
		ok, n.refused = false, true
	} else if s.typ == "object" {
		ok = c.members(n, s) && ok
	} else if s.items != nil {
		for _, e := range n.kids {
			ok = c.check(e, s.items) && ok
		}
	}
	n.bad = !ok
	return ok
}

// maxShown is how long a wrong word may be to be shown: keys are longer.
const maxShown = 16

var typeKinds = map[string]kind{"string": text, "integer": number, "number": number, "boolean": boolean, "array": list, "object": object}

func (n *node) is(typ string) bool { return n.kind == typeKinds[typ] }

func mismatch(found kind, typ string) string {
	want := typeKinds[typ]
	hint := ""
	switch {
	case found == null:
		return fmt.Sprintf("expected %s, found nothing: write it, or leave the field out", want)
	case want == text && found != list && found != object:
		hint = ": put it in quotes"
	case want == list:
		hint = ": write [a, b], or begin each entry with \"- \" on a line of its own"
	case want == number && found == text:
		hint = ": write it without quotes and without a unit"
	}
	return fmt.Sprintf("expected %s, found %s%s", want, found, hint)
}

// wrong says what is wrong with a value of the right type, "" for nothing.
func (c checker) wrong(n *node, s *shape) string {
	switch n.kind {
	case number:
		return wrongNumber(n.text, s)
	case text:
		return wrongWord(n.text, s)
	case list:
		if len(n.kids) < s.minItems {
			return "the list is empty: write an entry, or leave the field out"
		}
	}
	return ""
}

func wrongNumber(value string, s *shape) string {
	if s.typ != "integer" {
		return ""
	}
	n, err := strconv.ParseInt(value, 10, 64)
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if s.minimum != nil {
		low = *s.minimum
	}
	if s.maximum != nil {
		high = *s.maximum
	}
	switch {
	case err != nil && strings.ContainsAny(value, ".eE"):
		return "expected a whole number: write it in plain digits"
	case err != nil || n < low || n > high:
		return fmt.Sprintf("must be from %d to %d", low, high)
	}
	return ""
}

// wrongWord never shows the text, which may be a secret in the wrong place,
// except for a short one where a few words are known.
func wrongWord(value string, s *shape) string {
	switch n := utf8.RuneCountInString(value); {
	case len(s.enum) > 0:
		if !slices.Contains(s.enum, value) {
			shown := ""
			if len(value) <= maxShown {
				shown = " " + show(value)
			}
			return fmt.Sprintf("unknown word%s: write %s", shown, orList(s.enum))
		}
	case n < s.minLength:
		return "the text is empty: write it, or leave the field out"
	case s.maxLength > 0 && n > s.maxLength:
		return fmt.Sprintf("the text has %d characters: at most %d are allowed", n, s.maxLength)
	case s.pattern != nil && !s.pattern.MatchString(value):
		return "not well formed: " + s.description
	case s.format == "date-time":
		if t, err := time.Parse(time.RFC3339, value); err != nil || t.IsZero() {
			return "expected a time such as 2027-01-31T12:00:00Z"
		}
	}
	return ""
}

func (c checker) members(n *node, s *shape) bool {
	ok := true
	for i, k := range n.keys {
		if member, known := s.properties[k.name]; known {
			ok = c.check(n.kids[i], member) && ok
			continue
		}
		c.place(k.line, k.column, n.kids[i].path, c.unknown(k.name, s))
		ok, n.kids[i].refused = false, true
	}
	for _, name := range s.required {
		if n.member(name) == nil && !n.odd {
			c.at(n, "the field %s is missing: add it", name)
			ok = false
		}
	}
	return ok
}

var secretWords = []string{"key", "api_key", "apikey", "token", "secret", "password"}

func (c checker) unknown(name string, s *shape) string {
	if _, provider := s.properties["key_env"]; provider && slices.Contains(secretWords, strings.ToLower(name)) {
		return "keys never stand in this file: name an environment variable with key_env, or a file with key_file"
	}
	return fmt.Sprintf("unknown field %s: the fields are %s", show(name), andList(s.names))
}

func andList(words []string) string { return joinLast(words, " and ") }
func orList(words []string) string  { return joinLast(words, " or ") }

func joinLast(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}
