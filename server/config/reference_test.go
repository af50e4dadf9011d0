package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assentdev/assent/server/config"
)

const (
	page  = "../../docs/guide/reference-config.md"
	begin = "<!-- fields: written by the tests of server/config with -update -->\n"
	end   = "<!-- end -->\n"
)

// TestTheReferencePageIsMadeOfTheSchema writes the tables of the page anew, and
// the example, and holds the rest of it.
func TestTheReferencePageIsMadeOfTheSchema(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the page has lost its marks")
	}
	golden(t, page, head+begin+tables(t)+"## The file to begin with\n\n```yaml\n"+string(config.Example())+"```\n"+end+tail)
}

// field is a property of the schema.
type field struct {
	Type        string          `json:"type"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Enum        []string        `json:"enum"`
	Minimum     *json.Number    `json:"minimum"`
	Maximum     *json.Number    `json:"maximum"`
	Items       *field          `json:"items"`
	Properties  json.RawMessage `json:"properties"`
	Required    []string        `json:"required"`
}

// tables has one table for each object, the outer ones first.
func tables(t *testing.T) string {
	t.Helper()
	var root field
	if err := json.Unmarshal(config.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	type object struct {
		title string
		field *field
	}
	var b strings.Builder
	done := map[string]bool{}
	for queue := []object{{"The file", &root}}; len(queue) > 0; queue = queue[1:] {
		o := queue[0]
		fmt.Fprintf(&b, "## %s\n\n| field | what | |\n|---|---|---|\n", o.title)
		for _, name := range names(t, o.field) {
			f := o.field.property(t, name)
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, f.kind(), f.says(o.field, name))
			inner, title := f, "`"+name+"`"
			if f.Items != nil {
				inner, title = f.Items, "Each of `"+name+"`"
			}
			key := name + string(inner.Properties)
			if len(inner.Properties) > 0 && !done[key] {
				done[key] = true
				queue = append(queue, object{title, inner})
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// names are the properties of an object in their order.
func names(t *testing.T, f *field) (list []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(f.Properties)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		var skip json.RawMessage
		if err != nil || d.Decode(&skip) != nil {
			t.Fatal(err)
		}
		list = append(list, name.(string))
	}
	return list
}

func (f *field) property(t *testing.T, name string) *field {
	t.Helper()
	var all map[string]*field
	if err := json.Unmarshal(f.Properties, &all); err != nil {
		t.Fatal(err)
	}
	return all[name]
}

// kind says what a value is.
func (f *field) kind() string {
	switch f.Type {
	case "":
		return "a schema"
	case "string":
		if len(f.Enum) > 0 {
			return strings.Join(f.Enum, ", ")
		}
		return "text"
	case "integer":
		if f.Maximum != nil {
			return fmt.Sprintf("%s to %s", f.Minimum, f.Maximum)
		}
		return "from " + f.Minimum.String()
	case "boolean":
		return "true, false"
	case "array":
		if f.Items.Type == "object" {
			return "list"
		}
		return "list of: " + f.Items.kind()
	}
	return "object"
}

// says is the description, with whether the field must be there and what stands
// for it where it is not.
func (f *field) says(of *field, name string) string {
	text := f.Description
	for _, r := range of.Required {
		if r == name {
			text = "**Must be there.** " + text
		}
	}
	if d := strings.Trim(string(f.Default), `"`); d != "" {
		text += " Default: `" + d + "`."
	}
	return text
}
