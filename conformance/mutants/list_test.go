package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

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
		if _, _, err := m.find(root); err != nil {
			t.Errorf("%s %s: %v", m.rule, m.name, err)
		}
		if !ids[m.rule] {
			t.Errorf("%s: docs/rules.md has no rule %s", m.name, m.rule)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := parse("# why\n\n== D1 a name of words\nin a\ntest p q/r\n-- old\n\tone\n\n\ttwo\n-- new\n\n== D2 other\nin b\ntest p\n-- old\n# x\n-- new\ny\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Fatalf("got %d mutants, want 2", len(got))
	}
	m := got[0]
	if m.rule != "D1" || m.name != "a name of words" || m.in != "a" || strings.Join(m.tests, ",") != "p,q/r" {
		t.Errorf("got %+v", m)
	}
	if m.old != "\tone\n\n\ttwo" || m.new != "" {
		t.Errorf("old %q, new %q", m.old, m.new)
	}
	if got[1].old != "# x" || got[1].new != "y" {
		t.Errorf("a line with # inside a text: %+v", got[1])
	}
	for name, text := range map[string]string{
		"a word that is none":  "== D1 x\ninn a\n",
		"no test":              "== D1 x\nin a\n-- old\na\n-- new\nb\n",
		"nothing that changes": "== D1 x\nin a\ntest p\n-- old\na\n-- new\na\n",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestFindNeedsOnePlace(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	root := fstest.MapFS{"p/a.go": file("x one x"), "p/b.go": file("two two"), "p/a_test.go": file("one"), "q/c.go": file("one")}
	m := mutant{in: "p", old: "one", new: "1"}
	name, source, err := m.find(root)
	if err != nil || name != "p/a.go" || m.apply(source) != "x 1 x" {
		t.Errorf("got %s, %q, %v", name, source, err)
	}
	for _, old := range []string{"two", "three"} {
		if _, _, err := (mutant{in: "p", old: old}).find(root); err == nil {
			t.Errorf("%q: no error", old)
		}
	}
}
