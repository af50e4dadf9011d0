package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a module with one rule, one function that keeps it, and a test that
// names the rule beside one that doesn't.
var tree = map[string]string{
	"go.mod":        "module example.com/m\n\ngo 1.26\n",
	"docs/rules.md": "## 5. Deciding\n**D1.** Sums are right.\n\n**D2.** *later.* More.\n",
	"p/p.go":        "package p\n\nfunc Sum(a, b int) int { return a + b }\n\nfunc Free() int { return 1 }\n\nfunc Three() int { return 3 }\n",
	"p/q_test.go":   "package p\n\nimport \"testing\"\n\n// Of this file.\n//\n// proves: D1\n\nfunc TestThree(t *testing.T) {\n\tif Three() != 3 {\n\t\tt.Fail()\n\t}\n}\n",
	"p/p_test.go": `package p
import "testing"
func TestSum(t *testing.T) {
	t.Run("D1 sums are right", func(t *testing.T) { if Sum(1, 2) != 3 { t.Fail() } })
}
func TestFree(t *testing.T) { if Free() != 1 { t.Fail() } }
`,
}

func TestRun(t *testing.T) {
	mutant := func(old, new string) string {
		return "== D1 broken\nin p\ntest p\n-- old\n" + old + "\n-- new\n" + new + "\n"
	}
	for _, tt := range []struct{ name, list, out, err string }{
		{"a test that names the rule kills", mutant("a + b", "a - b"), "killed   D1   p: broken: by p TestSum/D1_sums_are_right", ""},
		{"a test of a file that proves the rule kills", mutant("return 3", "return 4"), "killed   D1   p: broken: by p TestThree", ""},
		{"a change that no test sees survives", mutant("a + b", "b + a"), "SURVIVED D1   p: broken: every test that names the rule passes", "must be killed"},
		{"a test of something else does not count", mutant("return 1", "return 2"), "every test that names the rule passes", "must be killed"},
		{"what does not compile is not killed", mutant("a + b", "c"), "it does not compile", "must be killed"},
		{"a place that is gone", mutant("a * b", "a"), "stands 0 times", "must be killed"},
		{"a rule without a mutant", "", "without one: D1", "each rule needs one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range tree {
				write(t, root, name, text)
			}
			write(t, root, "conformance/mutants/list/all.txt", tt.list)
			var out strings.Builder
			err := run(context.Background(), []string{"-root", root}, &out)
			if !strings.Contains(out.String(), tt.out) {
				t.Errorf("printed\n%s\nwant %q", out.String(), tt.out)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if source, _ := os.ReadFile(filepath.Join(root, "p/p.go")); string(source) != tree["p/p.go"] {
				t.Error("the tree itself was changed")
			}
		})
	}
}

func TestATestThatTakesTheRunDownFailed(t *testing.T) {
	r, err := read([]byte(`{"Action":"run","Test":"TestA"}
{"Action":"pass","Test":"TestA"}
{"Action":"run","Test":"TestB"}
{"Action":"run","Test":"TestB/D1_x"}
{"Action":"fail"}
`))
	if err != nil || strings.Join(r.failed, ",") != "TestB/D1_x,TestB," {
		t.Errorf("got %q, %v", r.failed, err)
	}
}

func TestRunRefusesASickTree(t *testing.T) {
	root := t.TempDir()
	for name, text := range tree {
		write(t, root, name, strings.ReplaceAll(text, "!= 3", "!= 4"))
	}
	write(t, root, "conformance/mutants/list/all.txt", "== D1 x\nin p\ntest p\n-- old\na + b\n-- new\na - b\n")
	err := run(context.Background(), []string{"-root", root}, new(strings.Builder))
	if err == nil || !strings.Contains(err.Error(), "before any change") {
		t.Errorf("got %v", err)
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
