package manifest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

func viewer(t testing.TB) *manifest.Manifest {
	run := func(context.Context, []byte) (tool.Result, error) { return tool.Result{}, nil }
	define := func(name string, class policy.Class, source tool.Source) *tool.Tool {
		return &tool.Tool{Name: name, Class: class, Source: source, Run: run, Input: json.RawMessage(`{"type": "object"}`)}
	}
	set, err := tool.NewSet(
		[]*tool.Tool{define("read_page", policy.Read, tool.Source{}), define("mystery", policy.NotGiven, tool.Source{})},
		[]*tool.Tool{define("print", policy.Destructive, tool.Source{Kind: policy.Host, Name: "plugins"})},
		[]*tool.Tool{define("fetch", policy.Read, tool.Source{Kind: policy.LocalMCP, Name: "web"})},
		[]*tool.Tool{define("search", policy.Read, tool.Source{Kind: policy.Server, Name: "wiki"})},
	)
	if err != nil {
		t.Fatal(err)
	}
	return manifest.New(manifest.App{
		Name: "Schematic viewer", Version: "2.4.0", Greeting: "Ask me.", Suggestions: []string{"What is on this page?"},
		Context: []manifest.ContextItem{{ID: "page:current", Title: "The open page", Kind: "page"}},
	}, set)
}

const viewerJSON = `{"app":{"context":[{"id":"page:current","kind":"page","title":"The open page"}],"greeting":"Ask me.","name":"Schematic viewer",` +
	`"suggestions":["What is on this page?"],"version":"2.4.0"},"tools":[` +
	`{"class":"read","input":{"type":"object"},"name":"read_page","source":{"kind":"host"}},` +
	`{"input":{"type":"object"},"name":"mystery","source":{"kind":"host"}},` +
	`{"class":"destructive","input":{"type":"object"},"name":"print","source":{"kind":"host","name":"plugins"}}]}`

// TestManifest: every host tool with the class given, no tools of others; and it
// can be read again.
// proves: M1
func TestManifest(t *testing.T) {
	got, err := viewer(t).Canonical()
	if err != nil || string(got) != viewerJSON {
		t.Fatalf("got  %s\nwant %s\n%v", got, viewerJSON, err)
	}
	again, notices, err := manifest.Parse(got)
	if err != nil || len(notices) > 0 {
		t.Fatal(err, notices)
	}
	if twice, err := again.Canonical(); err != nil || string(twice) != viewerJSON {
		t.Errorf("got %s, %v", twice, err)
	}
	empty, err := manifest.New(manifest.App{}, nil).Canonical()
	if err != nil || string(empty) != `{"tools":[]}` {
		t.Errorf("got %s, %v", empty, err)
	}
}

func TestManifestCannotBeWritten(t *testing.T) {
	m := viewer(t)
	m.Tools[1].Input = json.RawMessage(`{"a":1,"a":2}`)
	if _, err := m.Canonical(); fault.CodeOf(err) != fault.BadTool || !strings.Contains(fault.TextOf(err), `tool "mystery"`) {
		t.Errorf("got %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"an unknown key":            {`"app":`, `"apps":`, "/apps: unknown property"},
		"an unknown key of the app": {`"greeting":`, `"hello":`, "/app/hello: unknown property"},
		"a doubled key":             {`"app":`, `"tools":[],"app":`, "not strict JSON"},
		"a list for a text":         {`"Ask me."`, `["Ask me."]`, "/app/greeting: expected a string"},
		"an unknown key of a tool":  {`"class":"read"`, `"cls":"read"`, "/tools/0: descriptor: Invalid arguments: /cls"},
		"a tool of a server":        {`{"kind":"host","name":"plugins"}`, `{"kind":"server","name":"x"}`, `/tools/2: "print" is a tool of a server source`},
		"a tool that is no object":  {`"tools":[`, `"tools":[1,`, "/tools/0: descriptor: Invalid arguments: expected an object"},
		"text after the manifest":   {`"tools":`, `"tools":[]}{"tools":`, "not strict JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			raw := strings.Replace(viewerJSON, c.old, c.new, 1)
			if raw == viewerJSON {
				t.Fatal("the case changes nothing")
			}
			_, _, err := manifest.Parse([]byte(raw))
			if fault.CodeOf(err) != fault.BadTool || !strings.Contains(fault.TextOf(err), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestParseUnknownClass. proves: C7
func TestParseUnknownClass(t *testing.T) {
	m, notices, err := manifest.Parse([]byte(strings.Replace(viewerJSON, "destructive", "harmless", 1)))
	if err != nil || m.Tools[2].Class != policy.Unknown || len(notices) != 1 || notices[0].Code != tool.UnknownClass {
		t.Errorf("got %v, %v", notices, err)
	}
}

// FuzzParse: what is read has one canonical form, and reviewing it, or comparing
// its tools with each other, never fails and never takes long.
func FuzzParse(f *testing.F) {
	f.Add([]byte(viewerJSON))
	f.Add([]byte(`{"tools":[{"name":"x","source":{"kind":"host"},"input":{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#/$defs/a"}}}}},` +
		`{"name":"y","source":{"kind":"host"},"input":{"properties":{"a":{"type":["integer","null"],"enum":[1,null],"minimum":1e2}}}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, _, err := manifest.Parse(raw)
		if err != nil {
			if fault.CodeOf(err) != fault.BadTool {
				t.Fatalf("%v", err)
			}
			return
		}
		once, err := m.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		again, notices, err := manifest.Parse(once)
		if err != nil || len(notices) > 0 {
			t.Fatalf("%s: %v %v", once, notices, err)
		}
		if twice, err := again.Canonical(); err != nil || string(twice) != string(once) {
			t.Fatalf("%s\n%s\n%v", once, twice, err)
		}
		a := manifest.Review(m, nil, nil, nil)
		if len(a.Tools) != len(m.Tools) || a.Accepted+a.Waiting+a.Held != len(m.Tools) {
			t.Fatalf("%d tools, %+v", len(m.Tools), a)
		}
		for i := range m.Tools {
			if c := manifest.Compare(m.Tools[i], again.Tools[i]); c.Decides() != "" {
				t.Fatalf("a tool differs from itself: %v", c)
			}
			manifest.Compare(m.Tools[0], m.Tools[i])
		}
	})
}

func ExampleNew() {
	read := &tool.Tool{
		Name: "read_page", Class: policy.Read, Input: json.RawMessage(`{"type":"object"}`),
		Run: func(context.Context, []byte) (tool.Result, error) { return tool.Result{}, nil },
	}
	set, err := tool.NewSet([]*tool.Tool{read})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := manifest.New(manifest.App{Name: "Schematic viewer", Version: "2.4.0"}, set)
	text, _ := m.Canonical()
	fmt.Println(string(text))
	// Output: {"app":{"name":"Schematic viewer","version":"2.4.0"},"tools":[{"class":"read","input":{"type":"object"},"name":"read_page","source":{"kind":"host"}}]}
}

func ExampleApp_Fit() {
	app := manifest.App{Greeting: "Ask me about the schematic.", Suggestions: []string{"Visit https://example.org"}}
	fit, left := app.Fit(nil)
	fmt.Println(fit.Greeting, len(fit.Suggestions), left)
	// Output: Ask me about the schematic. 0 [/app/suggestions/0]
}
