package config_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/server/config"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// fromYAML decodes a text by the library alone; times stay texts.
func fromYAML(t testing.TB, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return plain(doc.Content[0])
}

func plain(n *yaml.Node) any {
	switch {
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return m
	case n.Kind == yaml.SequenceNode:
		l := []any{}
		for _, e := range n.Content {
			l = append(l, plain(e))
		}
		return l
	case n.ShortTag() == "!!int" || n.ShortTag() == "!!float" || n.ShortTag() == "!!bool":
		return json.RawMessage(n.Value)
	}
	return n.Value
}

// printer writes a value in some order and layout.
type printer struct {
	t    *rapid.T
	yaml bool
}

func (p *printer) coin() bool { return rapid.Bool().Draw(p.t, "coin") }

func (p *printer) print(v any, indent string, ordered bool) string {
	switch v := v.(type) {
	case map[string]any:
		keys := rapid.Permutation(slices.Sorted(maps.Keys(v))).Draw(p.t, "keys")
		if p.yaml && len(v) > 0 && indent != "-" && p.coin() {
			return p.block(v, keys, indent)
		}
		var parts []string
		for _, k := range keys {
			parts = append(parts, quote(k)+": "+p.print(v[k], "-", k == "required"))
		}
		return "{" + strings.Join(parts, p.comma()) + "}"
	case []any:
		list := v
		if !ordered && len(v) > 1 {
			list = rapid.Permutation(v).Draw(p.t, "list")
		}
		var parts []string
		for _, e := range list {
			parts = append(parts, p.print(e, "-", false))
		}
		return "[" + strings.Join(parts, p.comma()) + "]"
	case string:
		return quote(v)
	default:
		return string(v.(json.RawMessage))
	}
}

// block writes a mapping in lines of their own, with comments.
func (p *printer) block(v map[string]any, keys []string, indent string) string {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "\n%s# about %s\n%s%s: %s", indent, k, indent, k, p.print(v[k], indent+"  ", k == "required"))
	}
	return b.String()
}

func (p *printer) comma() string {
	if p.coin() {
		return ",\n "
	}
	return ", "
}

func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}

// TestOrderAndLayoutAreNoContent prints one content in many orders, as YAML and
// as JSON: each has the same versions.
func TestOrderAndLayoutAreNoContent(t *testing.T) {
	first := parse(t, "whole.yaml", whole(t))
	content := fromYAML(t, whole(t))
	rapid.Check(t, func(t *rapid.T) {
		p := &printer{t: t, yaml: rapid.Bool().Draw(t, "yaml")}
		name := "a.json"
		if p.yaml {
			name = "a.yaml"
		}
		text := p.print(content, "", false)
		c, err := config.Parse(name, []byte(text), &config.Options{ReadFile: files})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if c.Version != first.Version {
			t.Fatalf("another version of\n%s", text)
		}
	})
}

// TestWhatChangesAVersion: each change of the content makes another version of
// what has it, and of nothing else.
func TestWhatChangesAVersion(t *testing.T) {
	text := whole(t)
	old := parse(t, "whole.yaml", text)
	agent := func(c *config.Config) *config.Agent { return c.Agent("acme", "writer") }
	for _, one := range []struct {
		name, from, to string
		agent, policy  bool
	}{
		{"a comment", "# Every field", "# Each field", false, false},
		{"the server", "request_bytes: 2048", "request_bytes: 2049", false, false},
		{"another agent", "instructions: Read.", "instructions: Read!", false, false},
		{"a provider", "timeout_seconds: 30", "timeout_seconds: 31", false, false},
		{"the model", "model: work/openai/gpt-x", "model: house/openai/gpt-x", true, false},
		{"a limit of the turn", "steps: 1,", "steps: 2,", true, false},
		{"the default mode", "mode: read_only\n        local", "mode: ask\n        local", true, false},
		{"the default mode is gone", "mode: read_only\n        local", "local", true, false},
		{"a rule", "effect: ask_each", "effect: deny", true, true},
		{"a number's text", "minimum: 100.50", "minimum: 100.51", true, true},
		{"a rule of the tenant", "tools: [mail_send]", "tools: [mail_sent]", true, true},
		{"a limit of the tenant", "mode: auto, agents", "mode: ask, agents", true, true},
		{"a pin", "pins: [b, a]", "pins: [b, c]", true, true},
		{"a cap", "write: exact", "write: once", true, true},
	} {
		t.Run(one.name, func(t *testing.T) {
			if strings.Count(text, one.from) != 1 {
				t.Fatal("the text does not have it once")
			}
			next := strings.Replace(text, one.from, one.to, 1)
			if one.name == "a rule" {
				next = strings.Replace(next, "            wait_seconds: 60\n", "", 1) // a rule that denies cannot wait
			}
			c := parse(t, "whole.yaml", next)
			if same := c.Version == old.Version; same != (one.name == "a comment") {
				t.Error("the version of the whole: same is", same)
			}
			if changed := agent(c).Version != agent(old).Version; changed != one.agent {
				t.Error("the agent's version: changed is", changed)
			}
			if changed := agent(c).Document.Version != agent(old).Document.Version; changed != one.policy {
				t.Error("the policy's version: changed is", changed)
			}
		})
	}
}
