package layout_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/assentdev/assent"

// pkg is what "go list" says of a package.
type pkg struct {
	ImportPath string
	Name       string
	Dir        string
	Export     string // the file with its exported types
	GoFiles    []string
	Imports    []string
	Deps       []string
	Standard   bool
	Module     *struct{ Path string }
}

// listed is the one run of "go list" that all tests share.
var listed = sync.OnceValues(func() (map[string]*pkg, error) {
	cmd := exec.Command("go", "list", "-deps", "-export", "-e", "-json=ImportPath,Name,Dir,Export,GoFiles,Imports,Deps,Standard,Module", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	all := map[string]*pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(pkg)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
})

// packages returns every package of the module and of its dependencies.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return all
}

// ours returns the module's own packages in order.
func ours(t *testing.T) []*pkg {
	t.Helper()
	var own []*pkg
	for _, p := range packages(t) {
		if p.path() != "" {
			own = append(own, p)
		}
	}
	slices.SortFunc(own, func(a, b *pkg) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	if len(own) == 0 {
		t.Fatal("go list names no package of this module")
	}
	return own
}

// path returns the package's folder in the module: "." for the root, "" for a package that is not ours.
func (p *pkg) path() string {
	if p.ImportPath == module {
		return "."
	}
	rest, ok := strings.CutPrefix(p.ImportPath, module+"/")
	if !ok {
		return ""
	}
	return rest
}

// within says whether a folder is one of the given ones or below it.
func within(folder string, tops ...string) bool {
	return slices.ContainsFunc(tops, func(top string) bool {
		return folder == top || strings.HasPrefix(folder, top+"/")
	})
}
