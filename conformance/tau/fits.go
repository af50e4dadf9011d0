package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// spec is a JSON Schema as far as the oracle understands it: the keywords that
// SPEC A2 names, at every level.
type spec struct {
	Type       words            `json:"type"`
	Properties map[string]*spec `json:"properties"`
	Required   []string         `json:"required"`
	Enum       []any            `json:"enum"`
	Items      *spec            `json:"items"`
	Closed     *bool            `json:"additionalProperties"`
	Default    any              `json:"default"`
}

// words is one word or several.
type words []string

// UnmarshalJSON reads both forms.
func (w *words) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]string)(w))
	}
	*w = make(words, 1)
	return json.Unmarshal(b, &(*w)[0])
}

// understood are the keywords of spec, and those that check nothing.
var understood = []string{"type", "properties", "required", "enum", "items", "additionalProperties", "description", "title", "default", "examples"}

// readSpec returns a schema, or an error where it has what the oracle does not know.
func readSpec(raw json.RawMessage) (*spec, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	for k := range doc {
		if !slices.Contains(understood, k) {
			return nil, fmt.Errorf("the oracle does not know the keyword %q here", k)
		}
	}
	children := map[string]json.RawMessage{}
	if err := json.Unmarshal(or(doc["properties"], "{}"), &children); err != nil {
		return nil, err
	}
	if items, ok := doc["items"]; ok {
		children["[]"] = items
	}
	for name, child := range children {
		if _, err := readSpec(child); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	s := &spec{}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	return s, d.Decode(s)
}

func or(raw json.RawMessage, otherwise string) json.RawMessage {
	if raw == nil {
		return json.RawMessage(otherwise)
	}
	return raw
}

// arguments reads and checks a call's arguments and returns their canonical
// text (SPEC A1 to A6).
func (s *spec) arguments(raw string) (string, error) {
	v, err := readStrict(raw)
	if err != nil {
		return "", err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return "", errors.New("arguments are an object")
	}
	for _, k := range s.Required {
		if m[k] == nil {
			return "", fmt.Errorf("%s is required and not null", k)
		}
	}
	if err := s.fits(v); err != nil {
		return "", err
	}
	s.fill(v)
	return canonical(v), nil
}

func (s *spec) fits(v any) error {
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(t string) bool { return is(v, t) }) {
		return fmt.Errorf("%s is no %s", canonical(v), strings.Join(s.Type, " or "))
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return same(e, v) }) {
		return fmt.Errorf("%s is none of the values", canonical(v))
	}
	switch v := v.(type) {
	case map[string]any:
		return s.members(v)
	case []any:
		for i, e := range v {
			if s.Items == nil {
				break
			}
			if err := s.Items.fits(e); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
	}
	return nil
}

func (s *spec) members(v map[string]any) error {
	for _, k := range s.Required {
		if _, given := v[k]; !given {
			return fmt.Errorf("%s is required", k)
		}
	}
	for k, e := range v {
		p, known := s.Properties[k]
		if !known {
			if s.Closed != nil && !*s.Closed {
				return fmt.Errorf("%s is not known", k)
			}
			for name := range s.Properties { // SPEC A5: readers disagree about it
				if strings.EqualFold(name, k) {
					return fmt.Errorf("%s differs from %s only by case", k, name)
				}
			}
			continue
		}
		if err := p.fits(e); err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
	}
	return nil
}

// dropNulls removes nulls of properties that are not required and may not be null.
func (s *spec) dropNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, p := range s.Properties {
			if e, given := v[name]; given && e == nil && !slices.Contains(s.Required, name) && p.fits(nil) != nil {
				delete(v, name)
				continue
			}
			p.dropNulls(v[name])
		}
	case []any:
		for _, e := range v {
			if s.Items != nil {
				s.Items.dropNulls(e)
			}
		}
	}
}

// fill puts defaults where nothing was given (SPEC A5, host tools).
func (s *spec) fill(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, p := range s.Properties {
			if _, given := v[name]; !given && p.Default != nil && !slices.Contains(s.Required, name) {
				v[name] = p.Default
			}
			p.fill(v[name])
		}
	case []any:
		for _, e := range v {
			if s.Items != nil {
				s.Items.fill(e)
			}
		}
	}
}

// is says whether a value has a type of JSON Schema.
func is(v any, t string) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case json.Number:
		_, ok := whole(v)
		return t == "number" || t == "integer" && ok
	case []any:
		return t == "array"
	}
	return t == "object"
}
