package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/config"
)

// bomb is a text in which each line stands for nine of the line before.
func bomb(levels int, leaf string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a0: &a0 %s\n", leaf)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return b.String()
}

// TestATextStandsForNoMoreThanItMay meets each bound, in little time.
func TestATextStandsForNoMoreThanItMay(t *testing.T) {
	deep := func(open, shut string, n int) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	for _, one := range []struct{ name, file, text, want string }{
		{"values through aliases", "a.yaml", bomb(12, "x"), "more than 100000 values"},
		{"bytes through aliases", "a.yaml", bomb(3, strings.Repeat("x", 100_000)), "more than 4194304 bytes"},
		{"an alias within itself", "a.yaml", "agents: &x [*x]", "nested more than 64 levels"},
		{"an alias to itself by way of another", "a.yaml", "agents: &x {a: &y [*x, *y]}", "nested more than 64 levels"},
		{"levels of YAML", "a.yaml", "agents: " + deep("[", "]", 70), "nested more than 64 levels"},
		{"levels beyond the parser's", "a.yaml", "agents: " + deep("[", "]", 20_000), "exceeded max depth"},
		{"levels by lines", "a.yaml", strings.Repeat("- ", 100_000), "exceeded max depth"},
		{"levels of JSON", "a.json", `{"agents": ` + deep("[", "]", 70) + "}", "nested more than 64 levels"},
		{"levels beyond the decoder's", "a.json", `{"agents": ` + deep("[", "]", 20_000) + "}", "exceeded max depth"},
		{"values of JSON in one line", "a.json", `{"agents": [` + strings.Repeat("0,", 150_000) + "0]}", "more than 100000 values"},
		{"bytes", "a.yaml", strings.Repeat("#", 1<<20+1), "more than 1 MiB"},
		{"rules for all of many agents", "a.yaml", manyShared(700), "are too many"},
		{"mistakes", "a.yaml", "agents:\n" + strings.Repeat("- {}\n", 50_000), "and 99900 more"},
		{"keys", "a.yaml", strings.Repeat("? []\n", 50_000), "and 49900 more"},
	} {
		t.Run(one.name, func(t *testing.T) {
			start := time.Now()
			_, err := config.Parse(one.file, []byte(one.text), nil)
			if fault.CodeOf(err) != fault.BadConfig || !strings.Contains(fault.TextOf(err), one.want) {
				t.Errorf("%.300v", err)
			}
			if took := time.Since(start); took > 20*time.Second { // seconds would be far too much; CI may be slow
				t.Error(took)
			}
		})
	}
}

func manyShared(n int) string {
	var b strings.Builder
	b.WriteString("providers: [{name: demo, kind: scripted}]\nagents:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {slug: a%d, model: demo/x}\n", i)
	}
	b.WriteString("rules:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {id: r%d, effect: deny}\n", i)
	}
	return b.String()
}

// TestAnAliasStandsForItsValue: within the bounds an anchor can save writing.
func TestAnAliasStandsForItsValue(t *testing.T) {
	long := "providers: [{name: demo, kind: scripted}]\nagents:\n- {slug: a, model: demo/x, turn: {steps: 3}}\n- {slug: b, model: demo/x, turn: {steps: 3}}"
	short := "providers: [{name: demo, kind: scripted}]\nagents:\n- {slug: a, model: &m demo/x, turn: &t {steps: 3}}\n- {slug: b, model: *m, turn: *t}"
	if a, b := parse(t, "a.yaml", long), parse(t, "a.yaml", short); a.Version != b.Version {
		t.Error("the alias changed the content")
	}
}

// FuzzParse holds for any text: no panic; an error has code, place and text; what
// is taken has its policies; and what is taken as JSON and as YAML is the same.
func FuzzParse(f *testing.F) {
	f.Add(config.Example())
	f.Add([]byte(whole(f)))
	for _, text := range []string{
		`{"providers":[{"name":"d","kind":"scripted"}],"agents":[{"slug":"a","model":"d/x","rules":[{"id":"r","effect":"deny","when":{"properties":{"a":{"const":null}}}}]}]}`,
		"agents: &x [*x]", "agents: []\n---\n", "{\"agents\": [], \"a\\u0000\": 1}", "agents: [{slug: a}]\n", "? a\n: b\n", "%YAML 1.2\n---\nagents: []",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		asYAML := fuzzOne(t, "a.yaml", data)
		asJSON := fuzzOne(t, "a.json", data)
		if asYAML != nil && asJSON != nil && asYAML.Version != asJSON.Version {
			t.Errorf("YAML and JSON read different things: %q", data)
		}
	})
}

func fuzzOne(t *testing.T, name string, data []byte) *config.Config {
	c, err := config.Parse(name, data, &config.Options{ReadFile: files})
	if err == nil {
		for _, tenant := range c.Tenants {
			for _, a := range tenant.Agents {
				if v := a.Policy().Version(); len(v) != 64 || v != a.Document.Version || len(a.Version) != 64 {
					t.Errorf("agent %s has policy %q", a.Slug, v)
				}
			}
		}
		return c
	}
	e, ok := errors.AsType[*config.Error](err)
	if !ok || len(e.Problems) == 0 {
		t.Fatalf("%T: %v", err, err)
	}
	lines := strings.Count(string(data), "\n") + 1
	for _, p := range e.Problems {
		if p.File != name || p.Text == "" || p.Line < 1 || p.Line > lines || p.Column < 1 || p.Column > len(data)+1 {
			t.Errorf("%+v", p)
		}
	}
	return nil
}
