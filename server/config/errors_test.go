package config_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/config"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares a text with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run the test with -update and read the difference\ngot:\n%s", path, got)
	}
}

// files are what the texts of the tests may name.
func files(name string) ([]byte, error) {
	switch name {
	case "good.md":
		return []byte("Be brief.\n"), nil
	case "latin1.md":
		return []byte("a\nb\xe4"), nil
	case "long.md":
		return []byte(strings.Repeat("a", 256<<10+1)), nil
	case "script.json":
		return os.ReadFile("testdata/errors/script.json.txt")
	case "demo.json":
		return []byte(`{"name": "demo", "otherwise": "Hello."}`), nil
	}
	return nil, fs.ErrNotExist
}

// TestEveryMistakeIsNamedWithItsPlace holds the whole text of each error: file,
// line, column, path, and what to do.
//
// proves: C7 D5 V3
func TestEveryMistakeIsNamedWithItsPlace(t *testing.T) {
	list, err := filepath.Glob("testdata/errors/*.[yj][as]*[ln]")
	if err != nil || len(list) < 20 {
		t.Fatal(len(list), err)
	}
	for _, path := range list {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = config.Parse(filepath.Base(path), data, &config.Options{ReadFile: files})
			if fault.CodeOf(err) != fault.BadConfig {
				t.Fatalf("code %s of %v", fault.CodeOf(err), err)
			}
			golden(t, path+".txt", fault.TextOf(err)+"\n")
		})
	}
}

// TestASecretIsNeverRepeated puts a key where people put keys by mistake.
//
// proves: V3
func TestASecretIsNeverRepeated(t *testing.T) {
	const secret = "sk-live-0123456789ABCDEFGHIJ"
	for _, field := range []string{"name", "kind", "base_url", "key_env", "key_file", "timeout_seconds", "retries", "script_file", "api_key", "key", "token"} {
		for _, value := range []string{secret, "https://" + secret + "@host/", `"` + secret + "\n" + `"`, "[" + secret + "]", "!" + secret + " x"} {
			text := "agents: []\nproviders:\n  - {kind: openai, name: p}\n  - " + field + ": " + value + "\n    kind: openai\n"
			_, err := config.Parse("a.yaml", []byte(text), &config.Options{ReadFile: files})
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %s: %v", field, value, err)
			}
		}
	}
}

// TestErrorsAreBounded keeps the text of an error short, however bad a file is.
func TestErrorsAreBounded(t *testing.T) {
	text := "agents:\n" + strings.Repeat("  - {slgu: a}\n", 500)
	_, err := config.Parse("a.yaml", []byte(text), nil)
	e, ok := errors.AsType[*config.Error](err)
	if !ok || len(e.Problems) != 100 || e.More != 1400 {
		t.Fatalf("%d problems and %d more", len(e.Problems), e.More)
	}
	if !strings.HasSuffix(e.Error(), "\nand 1400 more") {
		t.Error(e.Error()[len(e.Error())-40:])
	}
}
