package rules_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assentdev/assent/internal/rules"
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

func TestScanCountsOnlyWhatNamesARule(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             string // "C1=folder: Test"
	}{
		{"a sub-test's name", "p/a_test.go", `func TestX(t *testing.T) { t.Run("C1 table", nil) }`, "C1=p: TestX"},
		{"two rules in one name", "p/a_test.go", `func TestX() { _ = "C1, C2: both" }`, "C1=p: TestX C2=p: TestX"},
		{"in brackets at the end", "p/a_test.go", `func TestX() { _ = "the table (C1)" }`, "C1=p: TestX"},
		{"the function's own name", "p/a_test.go", `func TestD5bAbsent() {}`, "D5b=p: TestD5bAbsent"},
		{"a comment that promises", "p/a_test.go", "// proves: C1 and D5\nfunc TestX() {}", "C1=p: TestX D5=p: TestX"},
		{"a promise ends with its list", "p/a_test.go", "// proves: C1, also of C2 controls\nfunc TestX() {}", "C1=p: TestX"},
		{"a table that tests share", "p/a_test.go", `var rows = []string{"C1 table"}; func rest() { _ = "C2: more" }`, "C1=p: a_test.go C2=p: a_test.go"},
		{"one word that is no rule", "p/a_test.go", `func TestX() { _ = "C0 and C1 controls" }`, ""},
		{"a case beside a rule", "p/a_test.go", "// proves: C1, B16\nfunc TestX() { _ = \"C2, B3: both\" }", "C1=p: TestX C2=p: TestX"},
		{"a longer id is another rule", "p/a_test.go", `func TestX() { _ = "D5b conditions" }`, "D5b=p: TestX"},
		{"an order's id is no rule", "p/a_test.go", `func TestX() { _ = "C1"; _ = "order C1 shipped" }`, ""},
		{"an ordinary comment is no promise", "p/a_test.go", "// like C1\nfunc TestX() {}", ""},
		{"code is no test", "p/a.go", `var x = "C1 table"`, ""},
		{"a test script", "cmd/testdata/script/a.txt", "# C2 both say nothing\nexec x\n", "C2=cmd/testdata/script: a.txt"},
		{"a vector's rule", "conformance/v.json", `[{"name":"x","rule":"C2","args":{"name":1,"id":"C1 x"}}]`, "C2=conformance: v.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.text
			if strings.HasSuffix(tt.file, ".go") {
				text = "package p\n" + text
			}
			root := fstest.MapFS{
				tt.file:                 {Data: []byte(text)},
				"conformance/v_test.go": {Data: []byte("package c // reads v.json")},
			}
			got, err := scanText(t, root)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestScanRefusesPromisesItCannotKeep(t *testing.T) {
	for name, root := range map[string]fstest.MapFS{
		"a rule that does not exist":      {"p/a_test.go": {Data: []byte("package p\n// proves: C9\nfunc TestX() {}")}},
		"vectors that no test ever reads": {"conformance/v.json": {Data: []byte("[]")}},
	} {
		if _, err := scanText(t, root); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// scanText returns who names what in a tree with the rules above: "C1=p: TestX C2=p: TestY".
func scanText(t *testing.T, root fstest.MapFS) (string, error) {
	t.Helper()
	root["docs/rules.md"] = &fstest.MapFile{Data: []byte(rulesText)}
	list, err := rules.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	found, err := rules.Scan(root, list)
	var parts []string
	for _, r := range list {
		if len(found[r.ID]) > 0 {
			parts = append(parts, r.ID+"="+found[r.ID].String())
		}
	}
	return strings.Join(parts, " "), err
}

func TestReadKnowsSectionsAndLaterParts(t *testing.T) {
	list, err := rules.Read(fstest.MapFS{"docs/rules.md": {Data: []byte(rulesText)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if got, want := r.In(2, 8), r.ID != "R1"; got != want {
			t.Errorf("%s stands in sections 2 to 8: %v", r.ID, got)
		}
		if got, want := r.Later, r.ID == "C3" || r.ID == "R1"; got != want {
			t.Errorf("%s is later: %v", r.ID, got)
		}
	}
	for name, text := range map[string]string{"no rule": "# The rules", "one rule twice": "**C1.** a\n**C1.** b"} {
		if _, err := rules.Read(fstest.MapFS{"docs/rules.md": {Data: []byte(text)}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
