package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const rulesText = `# The rules
## 2. Classes
**C1.** A table.

**C2.** Two parties.

**C3.** *later.* Something.

**D5.** Rules.

**D5b.** Conditions.

## 9. Resources
**R1.** *later.* Views.
`

func TestRunChecksThePageAndTheRules(t *testing.T) {
	root := t.TempDir()
	write(t, root, "docs/rules.md", rulesText)
	write(t, root, "p/a_test.go", "package p\nfunc TestC1() {}\nfunc TestC2() {}\nfunc TestD5b() {}\n")
	if err := run([]string{"-root", root}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-root", root, "-check"}, io.Discard); err != nil {
		t.Errorf("the page was just written: %v", err)
	}
	err := run([]string{"-root", root, "-check", "-strict"}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no test names D5:") {
		t.Errorf("strict: got %v, want only D5 to be missing", err)
	}
	write(t, root, "p/b_test.go", "package p\nfunc TestD5() {}\n")
	if err := run([]string{"-root", root, "-check"}, io.Discard); err == nil {
		t.Error("a page that is out of date passes the check")
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
