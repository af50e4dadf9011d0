package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// realTool is a descriptor as a public MCP server gave it.
type realTool struct {
	Name         string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
}

func realTools(t testing.TB) map[string]realTool {
	files, err := filepath.Glob(filepath.Join(dataDir(t, "mcp-tools"), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]realTool{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var server struct{ Tools []realTool }
		if err := json.Unmarshal(raw, &server); err != nil {
			t.Fatal(err)
		}
		for _, tool := range server.Tools {
			tools[filepath.Base(file)+" "+tool.Name] = tool
		}
	}
	return tools
}

// TestRealDescriptors compiles every schema of real MCP servers, and compares
// both checkers on arguments that fit and that do not.
//
// proves: A3, A4
func TestRealDescriptors(t *testing.T) {
	tools := realTools(t)
	if len(tools) != 243 {
		t.Errorf("there are %d descriptors, not 243", len(tools))
	}
	kinds := map[schema.Kind]int{}
	for name, tool := range tools {
		s, err := schema.Compile(tool.InputSchema, &schema.Options{Foreign: true})
		if err != nil {
			if text := fault.TextOf(err); !strings.Contains(text, "keyword") {
				t.Errorf("%s is refused without naming a keyword: %s", name, text)
			}
			t.Logf("%s is refused: %v", name, err)
			continue
		}
		kinds[s.Kind()]++
		for _, w := range s.Warnings() {
			t.Logf("%s: %s", name, w)
		}
		if _, err := s.Check([]byte(`{"surely not a property": 1}`)); err == nil {
			kinds["open"]++
		}
		if tool.OutputSchema != nil {
			if _, err := schema.Compile(tool.OutputSchema, &schema.Options{AnyValue: true}); err != nil {
				t.Errorf("%s: its output schema: %v", name, err)
			}
		}
	}
	t.Logf("input schemas by checker: %v", kinds)
	if kinds[schema.Own]*100 < 95*len(tools) {
		t.Errorf("the own checker takes %d of %d, fewer than 95 %%", kinds[schema.Own], len(tools))
	}
}
