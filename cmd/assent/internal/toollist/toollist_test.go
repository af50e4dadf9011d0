package toollist_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/cmd/assent/internal/toollist"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

var server = tool.Source{Kind: policy.Server, Name: "hub"}

const schema = `"inputSchema":{"type":"object"}`

func TestRead(t *testing.T) {
	for _, test := range []struct{ name, in, pointers string }{
		{"an answer to tools/list", `{"tools":[{"name":"a",` + schema + `},{"name":"b",` + schema + `}]}`, "/tools/0 /tools/1"},
		{"the whole JSON-RPC message", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a",` + schema + `}]}}`, "/result/tools/0"},
		{"an array", ` [{"name":"a",` + schema + `}]`, "/0"},
		{"one tool", `{"name":"a",` + schema + `}`, ""},
		{"a manifest", `{"app":{"name":"x"},"tools":[{"name":"a","source":{"kind":"host"},"input":{"type":"object"}}]}`, "/tools/0"},
		{"an empty list", `{"tools":[]}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			items, err := toollist.Read([]byte(test.in), server)
			if err != nil {
				t.Fatal(err)
			}
			var pointers []string
			for _, i := range items {
				if i.Err != nil {
					t.Errorf("%s: %v", i.Pointer, i.Err)
				}
				pointers = append(pointers, i.Pointer)
			}
			if got := strings.Join(pointers, " "); got != test.pointers {
				t.Errorf("at %q, want %q", got, test.pointers)
			}
		})
	}
	for _, in := range []string{``, `1`, `{}`, `{"tools":1}`, `{"tools":[]`, `{"name":"a","name":"b"}`, `null`} {
		if _, err := toollist.Read([]byte(in), server); err == nil {
			t.Errorf("%s is read as a list of tools", in)
		}
	}
}

// proves: C3 C7 T6 A3 D7
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     func(t toollist.Tool) bool
	}{
		{"C3 a hint is a claim and decides nothing", `{"name":"a",` + schema + `,"annotations":{"readOnlyHint":true}}`,
			func(t toollist.Tool) bool {
				return t.Class == policy.Unknown && t.Claim == "read" && !t.Held && t.Problems == nil
			}},
		{"D7 hints that contradict each other are flagged", `{"name":"a",` + schema + `,"annotations":{"readOnlyHint":true,"destructiveHint":true}}`,
			func(t toollist.Tool) bool { return t.Claim == "" && problem(t, "/annotations", "contradict") }},
		{"D7 a hint that contradicts the class is flagged", `{"name":"a","source":{"kind":"server","name":"s"},"class":"destructive","input":{"type":"object"},"hints":{"readOnlyHint":true}}`,
			func(t toollist.Tool) bool {
				return t.Class == policy.Destructive && problem(t, "/annotations", "claim read")
			}},
		{"C3 a class for a tool of a local MCP server counts for nothing", `{"name":"a","source":{"kind":"local-mcp","name":"s"},"class":"read","input":{"type":"object"}}`,
			func(t toollist.Tool) bool { return t.Class == policy.Unknown }},
		{"C7 a class that does not exist is unknown", `{"name":"a","source":{"kind":"host"},"class":"safe","input":{"type":"object"}}`,
			func(t toollist.Tool) bool {
				return t.Class == policy.Unknown && problem(t, "/class", "safe") && !t.Held
			}},
		{"T6 a name that is not plain gets one that is", `{"name":"a b",` + schema + `}`,
			func(t toollist.Tool) bool { return tool.ValidName(t.Wire) && t.Wire != t.Name }},
		{"T6 a code tool of a bad name is held", `{"name":"a b","source":{"kind":"host"},"input":{"type":"object"}}`,
			func(t toollist.Tool) bool { return t.Held && problem(t, "/name", "cannot have a name") }},
		{"A3 a schema that cannot be understood holds", `{"name":"a","inputSchema":{"type":"objekt"}}`,
			func(t toollist.Tool) bool { return t.Held && problem(t, "/inputSchema", "objekt") }},
		{"A3 a pattern that Go cannot express does not hold", `{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string","pattern":"^(?=a)b"}}}}`,
			func(t toollist.Tool) bool { return !t.Held }},
		{"an output schema that cannot be understood is only said", `{"name":"a",` + schema + `,"outputSchema":{"type":"objekt"}}`,
			func(t toollist.Tool) bool { return !t.Held && problem(t, "/outputSchema", "objekt") }},
		{"a tool without a schema is held", `{"name":"a"}`, func(t toollist.Tool) bool { return t.Held }},
		{"a tool without a name is held", `[{` + schema + `}]`, func(t toollist.Tool) bool { return t.Held && problem(t, "", "no name") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			items, err := toollist.Read([]byte(test.in), server)
			if err != nil {
				t.Fatal(err)
			}
			r := toollist.Check(items)
			if len(r.Tools) != 1 || !test.want(r.Tools[0]) || (r.Held == 1) != r.Tools[0].Held {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func problem(t toollist.Tool, pointer, text string) bool {
	for _, p := range t.Problems {
		if p.Pointer == t.Pointer+pointer && strings.Contains(p.Text, text) {
			return true
		}
	}
	return false
}

// The tools of real servers are read, and hardly any is held.
//
// proves: A3 T6
func TestRealServers(t *testing.T) {
	dir := filepath.Join(cmp.Or(os.Getenv("ASSENT_DATA"), "../../../../../shared/data"), "mcp-tools")
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(files) == 0 {
		t.Skipf("no descriptions of real servers in %s: set ASSENT_DATA", dir)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		items, err := toollist.Read(data, server)
		if err != nil || len(items) == 0 {
			t.Errorf("%s: %d tools, %v", file, len(items), err)
			continue
		}
		wires := map[string]bool{}
		for _, one := range toollist.Check(items).Tools {
			if one.Held {
				t.Errorf("%s: %s is held: %v", filepath.Base(file), one.Name, one.Problems)
			}
			if wires[one.Wire] || !tool.ValidName(one.Wire) {
				t.Errorf("%s: wire name %q", filepath.Base(file), one.Wire)
			}
			wires[one.Wire] = true
		}
	}
}

// Whatever a file holds, the report is safe to print.
//
// proves: P14
func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a\u202e","description":"\u200b","inputSchema":{"type":"\u001b[2J"}}]}`))
	f.Add([]byte(`[{"name":"a","source":{"kind":"host"},"class":"\u0007","input":{}}]`))
	f.Add([]byte(`{"result":{"tools":[{"inputSchema":[]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := toollist.Read(data, server)
		if err != nil {
			return
		}
		r := toollist.Check(items)
		for _, one := range r.Tools {
			texts := []string{one.Name, one.Wire}
			for _, p := range one.Problems {
				texts = append(texts, p.Text)
			}
			for _, text := range append(texts, r.Notices...) {
				if look := safetext.Look(text); look.Hidden+look.Broken > 0 {
					t.Errorf("%q is not safe to print", text)
				}
			}
		}
	})
}
