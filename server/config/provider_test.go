package config_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/server/config"
)

// TestTheKeyComesFromElsewhere: from the environment or a file, anew each time.
//
// proves: V3
func TestTheKeyComesFromElsewhere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "assent.yaml")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("assent.yaml", `
providers:
  - {name: env, kind: openai, key_env: CONFIG_TEST_KEY}
  - {name: file, kind: openai, key_file: the.key}
  - {name: open, kind: openai}
agents: []`)
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"env", "file"} {
		if _, err := c.Provider(name).Key(); fault.CodeOf(err) != fault.BadConfig {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("CONFIG_TEST_KEY", "one")
	write("the.key", "two\n")
	for name, want := range map[string]string{"env": "one", "file": "two", "open": ""} {
		if got, err := c.Provider(name).Key(); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, bad := range []string{"", "\n", "two\nthree", "a b", "ä", strings.Repeat("a", 20<<10)} {
		write("the.key", bad)
		if _, err := c.Provider("file").Key(); fault.CodeOf(err) != fault.BadConfig || bad != "" && len(bad) > 3 && strings.Contains(err.Error(), bad) {
			t.Errorf("%.10q: %v", bad, err)
		}
	}
}

// TestModels makes a model of each kind of provider.
func TestModels(t *testing.T) {
	t.Setenv("CONFIG_TEST_KEY", "the-key")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer the-key" || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s with %q", r.URL, r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer server.Close()
	c := parse(t, "a.yaml", `
providers:
  - {name: mute, kind: scripted}
  - {name: demo, kind: scripted, script_file: demo.json}
  - {name: real, kind: openai, base_url: "`+server.URL+`/v1", key_env: CONFIG_TEST_KEY, retries: 0}
  - {name: keyless, kind: openai, key_env: CONFIG_TEST_NO_KEY}
agents: []`)
	ask := func(name string) (string, error) {
		m, err := c.Provider(name).Model("m", nil, nil)
		if err != nil {
			return "", err
		}
		a, err := m.Generate(context.Background(), &model.Request{Messages: []model.Message{{Role: model.User, Text: "Hi"}}}, nil)
		if err != nil {
			return "", err
		}
		return a.Message.Text, nil
	}
	if text, err := ask("mute"); err != nil || !strings.HasSuffix(text, "I have no answer to that.") {
		t.Error(text, err)
	}
	if text, err := ask("demo"); err != nil || !strings.HasSuffix(text, "Hello.") {
		t.Error(text, err)
	}
	if _, err := ask("real"); fault.CodeOf(err) != fault.ModelFailed {
		t.Error(err)
	}
	if _, err := ask("keyless"); fault.CodeOf(err) != fault.BadConfig {
		t.Error(err)
	}
}
