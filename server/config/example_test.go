package config_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/config"
)

// A file that is refused names everything that is wrong, with its place.
func ExampleParse() {
	_, err := config.Parse("assent.yaml", []byte(`
providers:
  - {name: demo, kind: scripted}
agents:
  - slug: assistant
    model: dmeo/script
    mode: readonly
    rules:
      - {id: no-refunds, effekt: deny, tools: [refund]}
`), nil)
	fmt.Println(fault.CodeOf(err))
	fmt.Println(fault.TextOf(err))
	// Output:
	// bad_config
	// assent.yaml:6:12: agents[0].model: there is no provider "dmeo": write one of demo, or add it to providers
	// assent.yaml:7:11: agents[0].mode: unknown word "readonly": write off, read_only, ask or auto
	// assent.yaml:9:9: agents[0].rules[0]: the field effect is missing: add it
	// assent.yaml:9:26: agents[0].rules[0].effekt: unknown field "effekt": the fields are id, effect, shadow, source, tools, except, classes, agents, groups, modes, tainted, when, expires, wait_seconds, reason and pins
}

// An agent of the application itself runs by the same file as a server's: its
// profile, contract, rules and limits come from there.
func ExampleAuthority() {
	c, err := config.Parse("assent.yaml", []byte(`
providers:
  - {name: demo, kind: scripted}
agents:
  - slug: assistant
    model: demo/script
    instructions: Be brief.
    rules:
      - {id: no-refunds, effect: deny, tools: [refund], reason: Refunds are made by people.}
`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := c.Agent(config.LocalTenant, "assistant")
	refund := assent.Define("refund", "Pays an order back.",
		func(context.Context, struct{}) (string, error) { return "done", nil }, &assent.ToolOptions[struct{}]{Class: assent.Write})
	agent, err := assent.Start(context.Background(), append(a.Options(),
		assent.WithAuthority(config.Authority(a)), assent.WithTools(refund))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer agent.Close()
	fmt.Println(agent.Profile().Slug)
	for _, t := range agent.Tools() {
		fmt.Println(t.Name, t.Verdicts[assent.Auto])
	}
	// Output:
	// assistant
	// refund deny
}

// A file is followed: what is good in it counts within two seconds.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "assent.yaml")
	if err := os.WriteFile(path, config.Example(), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	file, err := config.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- file.Watch(ctx, func(c *config.Config, err error) {
			// c counts now; err says why it is still the old one
		})
	}()
	agent := file.Config().Agent(config.LocalTenant, "assistant")
	fmt.Println(agent.Name, len(agent.Document.Rules))
	stop()
	fmt.Println(<-ended)
	// Output:
	// Assistant 2
	// context canceled
}

// TestADefaultModeOnlyTightens runs agents by a file: a default of auto starts in
// ask, one of read_only in read_only; limits of groups narrow.
//
// proves: C4 C5
func TestADefaultModeOnlyTightens(t *testing.T) {
	c := parse(t, "a.yaml", `
providers: [{name: demo, kind: scripted}]
agents:
  - {slug: wide, model: demo/x, mode: auto}
  - {slug: narrow, model: demo/x, mode: read_only}
  - {slug: grouped, model: demo/x, limits: [{id: l, groups: [guests], mode: "off"}]}
`)
	for slug, want := range map[string]assent.Mode{"wide": assent.Ask, "narrow": assent.ReadOnly, "grouped": assent.Off} {
		agent, err := assent.Start(t.Context(), assent.WithAuthority(config.Authority(c.Agent("local", slug))),
			assent.WithPrincipal("ann", "guests"), assent.WithModel(must(c.Provider("demo").Model("x", nil, nil))))
		if err != nil {
			t.Fatal(err)
		}
		s, err := agent.StartSession(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.EffectiveMode(); got != want {
			t.Errorf("%s begins in %s, want %s", slug, got, want)
		}
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
