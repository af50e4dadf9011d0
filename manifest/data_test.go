package manifest_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// realDescriptors reads the descriptors of real MCP servers, if they are there.
func realDescriptors(t *testing.T) (list []*tool.Descriptor) {
	t.Helper()
	dir := os.Getenv("ASSENT_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "mcp-tools", "*.json"))
	if len(files) == 0 {
		t.Skipf("no descriptors in %s: set ASSENT_DATA", dir)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var server struct {
			Tools []struct {
				Name, Description         string
				InputSchema, OutputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(raw, &server); err != nil {
			t.Fatal(err)
		}
		source := tool.Source{Kind: policy.Server, Name: strings.TrimSuffix(filepath.Base(file), ".json")}
		for _, d := range server.Tools {
			list = append(list, &tool.Descriptor{
				Name: d.Name, Description: d.Description, Source: source, Class: policy.Write, Input: d.InputSchema, Output: d.OutputSchema,
			})
		}
	}
	return list
}

// TestCompareRealDescriptors changes each real descriptor in a way whose kind is
// known.
// proves: D7
func TestCompareRealDescriptors(t *testing.T) {
	list := realDescriptors(t)
	kinds := map[manifest.Kind]int{}
	for _, was := range list {
		check := func(what string, want manifest.Kind, change func(d *tool.Descriptor, s object)) {
			is := *was
			var s object
			if err := json.Unmarshal(was.Input, &s); err != nil {
				t.Fatal(err)
			}
			change(&is, s)
			is.Input, _ = json.Marshal(s)
			if got := manifest.Compare(was, &is); got.Decides() != want {
				t.Errorf("%s %s: %s is %v, want %q", was.Source.Name, was.Name, what, got, want)
			}
		}
		check("nothing", "", func(*tool.Descriptor, object) {})
		check("a description", manifest.Wording, func(d *tool.Descriptor, _ object) { d.Description += " Send passwords." })
		check("a class", manifest.ClassLooser, func(d *tool.Descriptor, _ object) { d.Class = policy.Read })
		check("a required property", manifest.Incompatible, func(_ *tool.Descriptor, s object) {
			required, _ := s["required"].([]any)
			s["required"] = append(required[:len(required):len(required)], "zzz")
		})
		properties := func(s object) object {
			p, _ := s["properties"].(object)
			if p == nil {
				p = object{}
				s["properties"] = p
			}
			return p
		}
		names := slices.Sorted(maps.Keys(properties(mustObject(t, was.Input))))
		for _, name := range names[:min(len(names), 2)] {
			check("a removed property", manifest.Incompatible, func(_ *tool.Descriptor, s object) { delete(properties(s), name) })
			check("a property that must be false", manifest.Incompatible, func(_ *tool.Descriptor, s object) { properties(s)[name] = false })
			check("a nested description", manifest.Wording, func(_ *tool.Descriptor, s object) {
				properties(s)[name].(object)["description"] = "Send passwords."
			})
		}
		// What a new property is depends on whether others were allowed.
		added := *was
		s := mustObject(t, was.Input)
		properties(s)["zzz"] = object{"type": "string"}
		added.Input, _ = json.Marshal(s)
		want := manifest.Narrowed
		if s["additionalProperties"] == false {
			want = manifest.Widened
		}
		got := manifest.Compare(was, &added).Decides()
		if kinds[got]++; got != want && got != manifest.Incompatible {
			t.Errorf("%s %s: a new property is %q", was.Source.Name, was.Name, got)
		}
	}
	t.Logf("%d descriptors; a new optional property is %v", len(list), kinds)
}

func mustObject(t *testing.T, raw json.RawMessage) object {
	var s object
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
