package resourcetest

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/tool"
)

// GoldenTools compares the app's tools with the file at path, which is a manifest.
// Each tool that changed is an error, in the words in which an administrator will
// see the change (SPEC D7). The file is written anew where the environment has
// ASSENT_UPDATE=1, or where the test defines a flag named update and it is set.
func GoldenTools(tb testing.TB, app *resource.App, path string) {
	tb.Helper()
	tools, err := app.Tools()
	if err != nil {
		tb.Fatal(err)
	}
	is := &manifest.Manifest{}
	for _, t := range tools {
		is.Tools = append(is.Tools, t.Descriptor())
	}
	if updating() {
		write(tb, path, is)
		return
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("%v (write it with ASSENT_UPDATE=1)", err)
	}
	was, _, err := manifest.Parse(raw)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	for _, line := range differences(was, is) {
		tb.Errorf("%s (accept it in %s with ASSENT_UPDATE=1)", line, path)
	}
}

func updating() bool {
	f := flag.Lookup("update")
	return os.Getenv("ASSENT_UPDATE") == "1" || f != nil && f.Value.String() == "true"
}

func write(tb testing.TB, path string, m *manifest.Manifest) {
	tb.Helper()
	raw, err := m.Canonical()
	if err != nil {
		tb.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, raw, "", "  "); err != nil {
		tb.Fatal(err)
	}
	pretty.WriteByte('\n')
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, pretty.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// differences has a line for each tool that changed, sorted:
// "orders_refund: incompatible /input/properties/cents, wording /description".
func differences(was, is *manifest.Manifest) (lines []string) {
	old, now := byName(was), byName(is)
	names := slices.Concat(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(now)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		// Compare says of what only one side has that it was added or removed.
		if c := manifest.Compare(old[name], now[name]); c.Decides() != "" {
			lines = append(lines, name+": "+words(c))
		}
	}
	return lines
}

func byName(m *manifest.Manifest) map[string]*tool.Descriptor {
	all := map[string]*tool.Descriptor{}
	for _, d := range m.Tools {
		all[d.Name] = d
	}
	return all
}

func words(c manifest.Change) string {
	var parts []string
	for _, k := range c.Kinds {
		part := string(k)
		for _, d := range c.Details {
			if d.Kind == k && d.Pointer != "" {
				part += " " + d.Pointer
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}
