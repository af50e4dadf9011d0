package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

const source = `package p

// Add adds.
func Add(a, b int) int { return a + b }

func ExampleAdd() {
	// snippet: inner
	if true {
		fmt.Println(Add(1, 2))
	}
	// end snippet

	// Output: 3
}

func other() {
	before()
	// snippet: middle
	one()
	two()
	// end snippet
	after()
}
`

func TestFill(t *testing.T) {
	root := fstest.MapFS{"a.go": {Data: []byte(source)}, "x.json": {Data: []byte("{}\n")}}
	for _, tt := range []struct{ name, ref, want string }{
		{"an Example shows its body", "a.go#ExampleAdd", "if true {\n\tfmt.Println(Add(1, 2))\n}\n\n// Output: 3\n"},
		{"a function is shown with its comment", "a.go#Add", "// Add adds.\nfunc Add(a, b int) int { return a + b }\n"},
		{"a region is shown without its marks", "a.go#middle", "one()\ntwo()\n"},
		{"a region without the empty line at its end", "a.go#inner", "if true {\n\tfmt.Println(Add(1, 2))\n}\n"},
		{"a whole file", "x.json", "{}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := "text\n<!-- snippet: " + tt.ref + " -->\n```go\nold\n```\nmore\n"
			got, err := fill(root, page)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(page, "old\n", tt.want, 1)
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if again, _ := fill(root, got); again != got {
				t.Error("filling twice changes the page")
			}
		})
	}
}

func TestFillRefuses(t *testing.T) {
	root := fstest.MapFS{"a.go": {Data: []byte(source)}}
	for name, page := range map[string]string{
		"a file that is not there":   "<!-- snippet: b.go#X -->\n```\n```\n",
		"a name that is not there":   "<!-- snippet: a.go#Nothing -->\n```\n```\n",
		"a mark without a block":     "<!-- snippet: a.go#Add -->\ntext\n",
		"a block that is never shut": "<!-- snippet: a.go#Add -->\n```\n",
	} {
		if _, err := fill(root, page); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRunChecksAndWrites(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go":          source,
		"README.md":     "plain\n",
		"docs/guide.md": "<!-- snippet: a.go#middle -->\n```go\n```\n",
	} {
		file := filepath.Join(root, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run([]string{"-root", root, "-check"}); err == nil || !strings.Contains(err.Error(), "docs/guide.md") {
		t.Errorf("check of an empty block: got %v", err)
	}
	if err := run([]string{"-root", root}); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-root", root, "-check"}); err != nil {
		t.Errorf("check after writing: %v", err)
	}
}
