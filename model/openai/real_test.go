package openai_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestStrictOnRealSchemas shapes the schemas of 243 public tools. Whatever is
// offered as strict must be so at every depth, or a server refuses the whole
// request. proves: A7, T5
func TestStrictOnRealSchemas(t *testing.T) {
	dir := os.Getenv("ASSENT_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "mcp-tools", "*.json"))
	if len(files) == 0 {
		t.Skip("the public servers' tools are not here (set ASSENT_DATA)")
	}
	all, shaped := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var server struct {
			Tools []struct {
				Name        string
				InputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &server); err != nil {
			t.Fatal(err)
		}
		for _, tool := range server.Tools {
			all++
			parameters, strict := offered(t, string(tool.InputSchema))
			if !strict {
				continue
			}
			shaped++
			var schema any
			if err := json.Unmarshal([]byte(parameters), &schema); err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
			if where := loose(schema, "#"); where != "" {
				t.Errorf("%s of %s: not strict at %s", tool.Name, filepath.Base(file), where)
			}
		}
	}
	t.Logf("%d of %d schemas have a strict form", shaped, all)
	if all != 243 || shaped < 100 {
		t.Errorf("%d tools, %d in strict form", all, shaped)
	}
}

// loose returns where a schema breaks the rules of strict mode, or "".
func loose(schema any, at string) string {
	s, ok := schema.(map[string]any)
	if !ok {
		return at
	}
	for key, value := range s {
		if !slices.Contains([]string{"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref", "$defs", "definitions", "description", "title",
			"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format", "minItems", "maxItems"}, key) {
			return at + "/" + key
		}
		switch key {
		case "properties", "$defs", "definitions":
			for name, child := range value.(map[string]any) {
				if where := loose(child, at+"/"+key+"/"+name); where != "" {
					return where
				}
			}
		case "anyOf":
			for _, child := range value.([]any) {
				if where := loose(child, at+"/anyOf"); where != "" {
					return where
				}
			}
		case "items":
			if where := loose(value, at+"/items"); where != "" {
				return where
			}
		}
	}
	if properties, ok := s["properties"].(map[string]any); ok {
		if len(s["required"].([]any)) != len(properties) || s["additionalProperties"] != false {
			return at
		}
	}
	return ""
}
