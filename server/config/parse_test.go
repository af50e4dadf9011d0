package config_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/server/config"
	"github.com/assentdev/assent/turn"
)

func parse(t testing.TB, name, text string) *config.Config {
	t.Helper()
	c, err := config.Parse(name, []byte(text), &config.Options{ReadFile: files})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func whole(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/whole.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestEveryFieldArrives reads a file that has them all.
//
// proves: C5 S5 S6 D5 D6 P3 P4 V3
func TestEveryFieldArrives(t *testing.T) {
	c := parse(t, "whole.yaml", whole(t))
	readOnly := policy.ReadOnly
	if want := (config.Server{
		Listen: ":8443", Hosts: []string{"a.example", "b.example"}, Origins: []string{"https://a.example", "https://b.example"},
		RequestBytes: 2048, RequestsPerMinute: 60, OpenSessions: 7, OpenApprovals: 8,
	}); !reflect.DeepEqual(c.Server, want) {
		t.Errorf("%+v", c.Server)
	}
	work := c.Provider("work")
	if work == nil || work.Retries != 0 || work.Timeout != 30*time.Second || work.KeyEnv != "WORK_KEY" || work.BaseURL == "" {
		t.Errorf("%+v", work)
	}
	if demo := c.Provider("demo"); demo.Kind != config.Scripted || len(demo.Script) == 0 {
		t.Errorf("%+v", demo)
	}
	a := c.Agent("acme", "writer")
	got := []any{a.Tenant, a.Name, a.Provider, a.Model, a.Instructions, a.Mode, a.LocalMCP, a.Wait, a.Turn}
	want := []any{"acme", "The writer", "work", "openai/gpt-x", "Be brief.\n", &readOnly, true, 90 * time.Second, turn.Limits{
		Steps: 1, Calls: 2, Tokens: 3, Time: 4 * time.Second, Repeats: 5, ResultBytes: 600, ContextBytes: 7000, Denials: 8,
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if a.Policy().Version() != a.Document.Version || a.Policy().Cap(policy.Write) != policy.ScopeExact {
		t.Error("the policy is not that of the document")
	}
	text, err := policy.Marshal(a.Document)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/whole.policy.json", string(text))
	if len(c.Warnings) != 0 {
		t.Error(c.Warnings)
	}
}

// TestAFileNeedsLittle gives the least file and its defaults.
//
// proves: C4 S5
func TestAFileNeedsLittle(t *testing.T) {
	c := parse(t, "a.yaml", "providers: [{name: demo, kind: scripted}]\nagents: [{slug: a, model: demo/x}]")
	a := c.Agent(config.LocalTenant, "a")
	if a == nil || a.Name != "a" || a.Mode != nil || a.LocalMCP || a.Document.Contract != nil {
		t.Fatalf("%+v", a)
	}
	if c.Agent("other", "a") != nil || c.Agent(config.LocalTenant, "b") != nil || c.Provider("x") != nil {
		t.Error("what is not there was found")
	}
	if c.Server.Listen != "127.0.0.1:4780" || c.Server.RequestBytes != 1<<20 {
		t.Errorf("%+v", c.Server)
	}
}

// TestContractStatesDiffer holds the states of a contract apart (SPEC D8).
//
// proves: D6 D8
func TestContractStatesDiffer(t *testing.T) {
	c := parse(t, "whole.yaml", whole(t))
	for slug, want := range map[string]policy.Verdict{"reader": policy.Run, "closed": policy.Hidden, "writer": policy.Hidden} {
		tool := policy.Tool{Kind: policy.Host, Name: "unlisted", Class: policy.Read, Pin: "x"}
		d, _ := c.Agent("acme", slug).Policy().Offer(&policy.Facts{Tool: tool, Agent: slug, Mode: policy.Ask})
		if d.Verdict != want {
			t.Errorf("%s: %v, want %v (%s)", slug, d.Verdict, want, d.Reason())
		}
	}
	if d := c.Agent("acme", "reader").Document; d.Contract == nil || len(d.Contract.Entries) != 0 {
		t.Error("an empty contract became none")
	}
}

// TestAClassThatIsNoneIsUnknown is lenient in contracts only, and warns.
//
// proves: C7
func TestAClassThatIsNoneIsUnknown(t *testing.T) {
	c := parse(t, "a.yaml", `
providers: [{name: demo, kind: scripted}]
agents: [{slug: a, model: demo/x, contract: {tools: [{tool: t, class: reads}]}}]`)
	if class := c.Agent("local", "a").Document.Contract.Entries[0].Class; class != policy.Unknown {
		t.Error(class)
	}
	if len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0].String(), `a.yaml:3:71: agents[0].contract.tools[0].class: unknown class "reads" counts as unknown`) {
		t.Error(c.Warnings)
	}
}

// TestWarnings says what is allowed and surely not meant.
//
// proves: C4 D5
func TestWarnings(t *testing.T) {
	c, err := config.Parse("a.yaml", []byte(`
providers:
  - {name: p, kind: openai, base_url: "http://models.example/v1", key_env: NOT_THERE}
agents:
  - slug: a
    model: p/x
    mode: auto
    rules: [{id: r, effect: deny, agents: [b]}]
  - {slug: b, model: p/x}
rules: [{id: all, effect: deny, agents: [a, bb]}]
`), &config.Options{LookupEnv: func(string) (string, bool) { return "", false }})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range c.Warnings {
		got = append(got, w.String())
	}
	golden(t, "testdata/warnings.txt", strings.Join(got, "\n")+"\n")
}

// TestTheExampleLoads holds the file that people begin with, also with
// everything in it that is commented out.
func TestTheExampleLoads(t *testing.T) {
	text := string(config.Example())
	if c := parse(t, "assent.yaml", text); len(c.Warnings) > 0 || c.Agent("local", "assistant") == nil {
		t.Error(c.Warnings)
	}
	all := regexp.MustCompile(`(?m)^( +)# ([a-z_]+:|  |- )`).ReplaceAllString(text, "$1$2")
	c := parse(t, "assent.yaml", all)
	if c.Provider("openai") == nil || len(c.Agent("local", "assistant").Document.Contract.Entries) != 2 || len(c.Server.Hosts) != 1 {
		t.Errorf("not all of it was read:\n%s", all)
	}
}

// TestTheFormOfAPolicyIsThatOfPackagePolicy: a document that policy writes is
// read here as policy reads it, and here are no fewer and no more fields.
//
// proves: D5
func TestTheFormOfAPolicyIsThatOfPackagePolicy(t *testing.T) {
	a := parse(t, "whole.yaml", whole(t)).Agent("acme", "writer")
	text, err := policy.Marshal(a.Document)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "version")
	fields["slug"], fields["model"] = json.RawMessage(`"writer"`), json.RawMessage(`"demo/x"`)
	agent, _ := json.Marshal(fields)
	c := parse(t, "a.json", `{"providers": [{"name": "demo", "kind": "scripted"}], "agents": [`+string(agent)+`]}`)
	if got := c.Agent("local", "writer").Document; got.Version != a.Document.Version || len(got.Rules) != 3 {
		t.Errorf("another document came of it: %+v", got)
	}
}

func TestTheFieldsOfRulesAreThoseOfPackagePolicy(t *testing.T) {
	whichFields := regexp.MustCompile(`the fields are (.*)$`)
	for in, out := range map[string]string{
		`{"rules": [{"zz": 1}]}`:                          `"agents": [{"slug": "a", "model": "demo/x", "rules": [{"zz": 1}]}]`,
		`{"rules": [{"source": {"zz": 1}}]}`:              `"agents": [{"slug": "a", "model": "demo/x", "rules": [{"source": {"zz": 1}}]}]`,
		`{"limits": [{"zz": 1}]}`:                         `"agents": [{"slug": "a", "model": "demo/x", "limits": [{"zz": 1}]}]`,
		`{"contract": {"zz": 1}}`:                         `"agents": [{"slug": "a", "model": "demo/x", "contract": {"zz": 1}}]`,
		`{"contract": {"tools": [{"tool":"a","zz": 1}]}}`: `"agents": [{"slug": "a", "model": "demo/x", "contract": {"tools": [{"tool":"a","zz": 1}]}}]`,
	} {
		_, _, theirs := policy.Parse([]byte(in), nil)
		_, ours := config.Parse("a.json", []byte(`{`+out+`}`), nil)
		want := whichFields.FindString(theirs.Error())
		if want == "" || !slices.ContainsFunc(strings.Split(ours.Error(), "\n"), func(l string) bool { return strings.HasSuffix(l, want) }) {
			t.Errorf("%s\npolicy: %s\nconfig: %s", in, theirs, ours)
		}
	}
}

// TestTheSchemaAgrees holds the schema that editors are given, and that it takes
// what Parse takes.
func TestTheSchemaAgrees(t *testing.T) {
	s, err := schema.Compile(config.Schema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Warnings()) > 0 {
		t.Error(s.Warnings())
	}
	for _, text := range []string{whole(t), string(config.Example())} {
		raw, err := json.Marshal(fromYAML(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Check(raw); err != nil {
			t.Error(err)
		}
	}
	var indented strings.Builder
	e := json.NewEncoder(&indented)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(config.Schema()); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/schema.json", indented.String())
}
