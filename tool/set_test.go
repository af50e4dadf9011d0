package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

var noInput = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)

func run(context.Context, []byte) (tool.Result, error) { return tool.Result{}, nil }

func host(name string) *tool.Tool { return &tool.Tool{Name: name, Input: noInput, Run: run} }

func plugin(source, name string) *tool.Tool {
	t := host(name)
	t.Source = tool.Source{Kind: policy.Host, Name: source}
	return t
}

func foreign(kind policy.SourceKind, source, name string) *tool.Tool {
	return &tool.Tool{Name: name, Input: noInput, Source: tool.Source{Kind: kind, Name: source}}
}

func wires(s *tool.Set) []string {
	var names []string
	for e := range s.All() {
		names = append(names, e.Wire)
	}
	return names
}

func TestNewSet(t *testing.T) {
	for _, c := range []struct {
		name    string
		host    []*tool.Tool
		sources [][]*tool.Tool
		want    []string
		notices []tool.Notice
	}{
		{name: "nothing"},
		{
			name: "T7 a host tool wins over a source's tool of the same name",
			host: []*tool.Tool{host("save"), host("load")}, sources: [][]*tool.Tool{{plugin("p", "load"), plugin("p", "print")}},
			want:    []string{"save", "load", "print"},
			notices: []tool.Notice{{Code: tool.ShadowedByHost, Params: map[string]string{"tool": "load", "source": "p"}}},
		},
		{
			name:    "T7 source against source: the first registered wins",
			sources: [][]*tool.Tool{{plugin("z", "load")}, {plugin("a", "load"), plugin("a", "save")}},
			want:    []string{"load", "save"},
			notices: []tool.Notice{{Code: tool.ShadowedBySource, Params: map[string]string{"tool": "load", "source": "a", "by": "z"}}},
		},
		{
			name: "T7 host against server: the server's tool has a prefix",
			host: []*tool.Tool{host("load")}, sources: [][]*tool.Tool{{foreign(policy.Server, "files", "load")}},
			want: []string{"load", "files__load"},
		},
		{
			name: "T7 host against local MCP",
			host: []*tool.Tool{host("load")}, sources: [][]*tool.Tool{{foreign(policy.LocalMCP, "files", "load")}},
			want: []string{"load", "files__load"},
		},
		{
			name: "T3b one list, in a stable order",
			host: []*tool.Tool{host("z"), host("a")},
			sources: [][]*tool.Tool{
				{foreign(policy.Server, "s2", "b"), foreign(policy.Server, "s2", "a")}, {plugin("p", "m")}, {foreign(policy.LocalMCP, "s1", "c")},
			},
			want: []string{"z", "a", "m", "s1__c", "s2__a", "s2__b"},
		},
		{
			name:    "a source with two tools of one name",
			sources: [][]*tool.Tool{{foreign(policy.Server, "s", "x"), foreign(policy.Server, "s", "x")}, {plugin("p", "y"), plugin("p", "y")}},
			want:    []string{"y", "s__x"},
			notices: []tool.Notice{
				{Code: tool.Doubled, Params: map[string]string{"tool": "y", "source": "p"}},
				{Code: tool.Doubled, Params: map[string]string{"tool": "x", "source": "s"}},
			},
		},
		{
			name:    "T6 twins among code tools are kept and noted",
			host:    []*tool.Tool{host("get_page"), host("getPage"), host("other")},
			want:    []string{"get_page", "getPage", "other"},
			notices: []tool.Notice{{Code: tool.Twins, Params: map[string]string{"tools": "getPage, get_page"}}},
		},
		{
			name:    "A3 a stranger's broken descriptor leaves its tool out",
			host:    []*tool.Tool{host("a")},
			sources: [][]*tool.Tool{{{Name: "bad", Source: tool.Source{Kind: policy.Server, Name: "s"}, Input: json.RawMessage(`[]`)}, foreign(policy.Server, "s", "good")}},
			want:    []string{"a", "s__good"},
			notices: []tool.Notice{{Code: tool.Unusable, Params: map[string]string{
				"tool": "bad", "source": "s", "reason": `tool "bad": its input schema is not a JSON object`,
			}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := tool.NewSet(c.host, c.sources...)
			if err != nil {
				t.Fatal(err)
			}
			if got := wires(s); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := fmt.Sprint(s.Notices()); got != fmt.Sprint(c.notices) {
				t.Errorf("got  %v\nwant %v", got, c.notices)
			}
			if s.Len() != len(c.want) {
				t.Errorf("Len is %d", s.Len())
			}
			for e := range s.All() {
				byWire, _ := s.Lookup(e.Wire)
				byID, _ := s.Find(e.Tool.Identity())
				if digest, _ := e.Descriptor.Digest(); byWire != e || byID != e || digest != e.Digest {
					t.Errorf("%s is not found by its names, or has another digest", e.Wire)
				}
			}
		})
	}
}

// TestNewSetWrongDefinitions: all are reported together, each names its tool.
func TestNewSetWrongDefinitions(t *testing.T) {
	cause := errors.New("cause")
	with := func(name string, change func(*tool.Tool)) *tool.Tool {
		d := host(name)
		change(d)
		return d
	}
	_, err := tool.NewSet([]*tool.Tool{
		host("good"), nil, host("read page"), host("good"),
		with("norun", func(d *tool.Tool) { d.Run = nil }),
		with("slow", func(d *tool.Tool) { d.Timeout = -time.Second }),
		with("noschema", func(d *tool.Tool) { d.Input = nil }),
		with("junk", func(d *tool.Tool) { d.Output = json.RawMessage(`{"a":1,"a":2}`) }),
		with("binary", func(d *tool.Tool) { d.Description = "\xff" }),
		with("broken", func(d *tool.Tool) { d.Err = fault.Wrap(cause, fault.BadTool, "main.Args.X: no") }),
		with("place", func(d *tool.Tool) { d.Title = "Read {pgae}" }),
		with("secret", func(d *tool.Tool) {
			d.Title, d.Input = "Log in with {pin}", json.RawMessage(`{"properties":{"pin":{"writeOnly":true}}}`)
		}),
		foreign(policy.Server, "s", "stranger"),
	}, []*tool.Tool{plugin("p", "ä"), nil})
	want := []string{
		"a tool is nil: leave it out or define it",
		`tool "read page": a name has 1 to 64 of A-Z, a-z, 0-9, _ and -`,
		`tool "good": there are two tools of this name: rename one`,
		`tool "norun": it has no Run`,
		`tool "slow": its time-out is negative: zero is without limit`,
		`tool "noschema": its input schema is not a JSON object`,
		`tool "junk": its descriptor cannot be read: Invalid arguments: not strict JSON: `,
		`tool "binary": its description is not UTF-8`,
		`tool "broken": main.Args.X: no`,
		`tool "place": the place {pgae} of its title is none of its arguments`,
		`tool "secret": the place {pin} of its title would show a secret argument`,
		`tool "stranger": a tool of a server source is not one of the application's own`,
		`tool "ä": a name has 1 to 64`,
		"a tool is nil",
	}
	lines := strings.Split(fault.TextOf(err), "\n")
	if len(lines) != len(want) || fault.CodeOf(err) != fault.BadTool || !errors.Is(err, cause) {
		t.Fatalf("%d lines, want %d:\n%v", len(lines), len(want), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("line %d:\ngot  %s\nwant %s", i, line, want[i])
		}
	}
}

func TestNilSet(t *testing.T) {
	var s *tool.Set
	if _, ok := s.Lookup("x"); ok || s.Len() != 0 || len(wires(s)) != 0 || s.Notices() != nil {
		t.Error("a nil set has tools")
	}
	if _, ok := s.Find(tool.Identity{}); ok {
		t.Error("a nil set finds a tool")
	}
}

func ExampleNewSet() {
	save := &tool.Tool{
		Name: "save", Class: policy.Write,
		Input: json.RawMessage(`{"type":"object"}`),
		Run:   func(context.Context, []byte) (tool.Result, error) { return tool.Result{Text: "saved"}, nil },
	}
	plugin := *save
	plugin.Source = tool.Source{Kind: policy.Host, Name: "plugins"}
	remote := *save
	remote.Source = tool.Source{Kind: policy.Server, Name: "wiki"}

	set, err := tool.NewSet([]*tool.Tool{save}, []*tool.Tool{&plugin}, []*tool.Tool{&remote})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e := range set.All() {
		fmt.Println(e.Wire, e.Digest[:8])
	}
	for _, n := range set.Notices() {
		fmt.Println(n.Code, n.Params)
	}
	// Output:
	// save 84b5273f
	// wiki__save 20119fbc
	// tool_shadowed_by_host map[source:plugins tool:save]
}
