package main

import (
	"os"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/rules"
)

// A mutant whose place is gone would only be noticed by the nightly run.
func TestEveryMutantStillFitsTheSource(t *testing.T) {
	root := os.DirFS("../..")
	mutants, err := load(root, "conformance/mutants/list")
	if err != nil {
		t.Fatal(err)
	}
	known, err := rules.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range known {
		ids[r.ID] = true
	}
	for _, m := range mutants {
		source, err := os.ReadFile("../../" + m.file)
		if err == nil {
			_, err = m.apply(string(source))
		}
		if err != nil {
			t.Errorf("%s %s: %v", m.rule, m.name, err)
		}
		if !ids[m.rule] {
			t.Errorf("%s: docs/rules.md has no rule %s", m.name, m.rule)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := parse("# why\n\n== D1 a name of words\nfile a.go\ntest p q/r\n-- old\n\tone\n\n\ttwo\n-- new\n\n== D2 other\nfile b.go\ntest p\n-- old\n# x\n-- new\ny\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Fatalf("got %d mutants, want 2", len(got))
	}
	m := got[0]
	if m.rule != "D1" || m.name != "a name of words" || m.file != "a.go" || strings.Join(m.tests, ",") != "p,q/r" {
		t.Errorf("got %+v", m)
	}
	if m.old != "\tone\n\n\ttwo" || m.new != "" {
		t.Errorf("old %q, new %q", m.old, m.new)
	}
	if got[1].old != "# x" || got[1].new != "y" {
		t.Errorf("a line with # inside a text: %+v", got[1])
	}
	for name, text := range map[string]string{
		"a word that is none":  "== D1 x\nfiel a.go\n",
		"no test":              "== D1 x\nfile a.go\n-- old\na\n-- new\nb\n",
		"nothing that changes": "== D1 x\nfile a.go\ntest p\n-- old\na\n-- new\na\n",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestApplyNeedsOnePlace(t *testing.T) {
	m := mutant{old: "a", new: "b"}
	if got, err := m.apply("xax"); err != nil || got != "xbx" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, source := range []string{"xyz", "a a"} {
		if _, err := m.apply(source); err == nil {
			t.Errorf("%q: no error", source)
		}
	}
}
