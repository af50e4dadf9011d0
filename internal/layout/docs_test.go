package layout_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	link  = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	named = regexp.MustCompile("`(\\w+)`\\s+in\\s+\\[`([^`]+\\.go)`\\]")
)

// pages returns the project's own pages by their path from the top.
func pages(t *testing.T, top fs.FS) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(top, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != "." && (base[0] == '.' || base == "testdata" || base == "node_modules") {
			return fs.SkipDir
		}
		if path.Ext(name) == ".md" {
			text, err := fs.ReadFile(top, name)
			if err != nil {
				return err
			}
			found[name] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	top := os.DirFS("../..")
	for name, text := range pages(t, top) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := fs.Stat(top, path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s: link to %s: %v", name, m[1], err)
			}
		}
	}
}

// docs/path.md shows a stranger the way of a call by the names of functions:
// "`claim` in [`turn/next.go`]". They have to be there.
func TestTheFunctionsOfPathExist(t *testing.T) {
	text, err := os.ReadFile("../../docs/path.md")
	if err != nil {
		t.Fatal(err)
	}
	all := named.FindAllStringSubmatch(string(text), -1)
	if len(all) == 0 {
		t.Fatal("docs/path.md names no function")
	}
	for _, m := range all {
		if !declares(t, "../../"+m[2], m[1]) {
			t.Errorf("docs/path.md: %s has no function %s", m[2], m[1])
		}
	}
}

func declares(t *testing.T, file, function string) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return false
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == function {
			return true
		}
	}
	return false
}
