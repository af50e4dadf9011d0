package layout_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// welcome are strangers' types that an exported name may mention, each for a reason.
var welcome = map[string]string{
	"go.opentelemetry.io/otel/trace": "an interface of the field's standard, made to be passed in",
}

// public says whether users can import a package.
func public(p *pkg) bool {
	return p.Name != "main" && !within(p.path(), "internal") && !strings.Contains(p.path(), "/internal")
}

func TestExportedNamesMentionNoStrangersTypes(t *testing.T) {
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		p := packages(t)[path]
		if p == nil || p.Export == "" {
			return nil, fmt.Errorf("no types of %s", path)
		}
		return os.Open(p.Export)
	})
	for _, p := range ours(t) {
		if !public(p) || len(p.GoFiles) == 0 {
			continue
		}
		compiled, err := imp.Import(p.ImportPath)
		if err != nil {
			t.Errorf("%s: %v", p.path(), err)
			continue
		}
		for _, name := range compiled.Scope().Names() {
			obj := compiled.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			for stranger := range strangers(t, obj) {
				if welcome[stranger] == "" {
					t.Errorf("%s.%s mentions a type of %s", p.path(), name, stranger)
				}
			}
		}
	}
}

// strangers returns the packages of others whose types a user of obj meets.
func strangers(t *testing.T, obj types.Object) map[string]bool {
	w := &walker{found: map[string]bool{}, seen: map[types.Type]bool{}, own: func(path string) bool {
		p := packages(t)[path]
		return p == nil || p.Standard || p.path() != ""
	}}
	if named, ok := obj.Type().(*types.Named); ok && obj.Pkg() == named.Obj().Pkg() {
		for m := range named.Methods() {
			if m.Exported() {
				w.walk(m.Type())
			}
		}
		w.walk(named.Underlying())
		return w.found
	}
	w.walk(obj.Type())
	return w.found
}

// walker goes through a type as far as a user can see it: not into unexported
// fields, and not into named types, which are looked at under their own name.
type walker struct {
	own   func(path string) bool
	found map[string]bool
	seen  map[types.Type]bool
}

func (w *walker) walk(typ types.Type) {
	if w.seen[typ] {
		return
	}
	w.seen[typ] = true
	switch typ := typ.(type) {
	case *types.Named:
		w.name(typ.Obj())
		for arg := range typ.TypeArgs().Types() {
			w.walk(arg)
		}
	case *types.Alias:
		w.walk(types.Unalias(typ))
	case *types.Signature:
		w.walk(typ.Params())
		w.walk(typ.Results())
	case *types.Tuple:
		for v := range typ.Variables() {
			w.walk(v.Type())
		}
	case *types.Struct:
		for f := range typ.Fields() {
			if f.Exported() {
				w.walk(f.Type())
			}
		}
	case *types.Interface:
		for m := range typ.Methods() {
			w.walk(m.Type())
		}
	case *types.Map:
		w.walk(typ.Key())
		w.walk(typ.Elem())
	case *types.Pointer, *types.Slice, *types.Array, *types.Chan:
		w.walk(typ.(interface{ Elem() types.Type }).Elem())
	}
}

func (w *walker) name(obj *types.TypeName) {
	if p := obj.Pkg(); p != nil && !w.own(p.Path()) {
		w.found[p.Path()] = true
	}
}

func TestEveryExportedNameHasADocComment(t *testing.T) {
	for _, p := range ours(t) {
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if len(files) == 0 {
			continue // a folder that holds tests only
		}
		d, err := doc.NewFromFiles(fset, files, p.ImportPath)
		if err != nil {
			t.Fatal(err)
		}
		if d.Doc == "" {
			t.Errorf("package %s has no comment", p.path())
		}
		if public(p) {
			for _, name := range undocumented(d) {
				t.Errorf("%s.%s has no doc comment", p.path(), name)
			}
		}
	}
}

// undocumented returns the exported names of a package without a comment.
func undocumented(d *doc.Package) []string {
	var names []string
	note := func(name, text string) {
		if text == "" {
			names = append(names, name)
		}
	}
	funcs := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			note(prefix+f.Name, f.Doc)
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			names = append(names, bareValues(v)...)
		}
	}
	values(d.Consts)
	values(d.Vars)
	funcs("", d.Funcs)
	for _, typ := range d.Types {
		note(typ.Name, typ.Doc)
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
	}
	return names
}

// bareValues returns the exported constants or variables of a group for which
// neither the group, nor the line above, nor the end of the line says anything.
func bareValues(v *doc.Value) []string {
	if v.Doc != "" {
		return nil
	}
	var names []string
	for _, spec := range v.Decl.Specs {
		s := spec.(*ast.ValueSpec)
		if s.Doc == nil && s.Comment == nil {
			for _, n := range s.Names {
				if n.IsExported() {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}
