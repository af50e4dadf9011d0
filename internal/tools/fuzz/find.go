package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// target is one fuzz target and the folder of its package, relative to the module.
type target struct{ folder, name string }

func (t target) String() string { return "./" + t.folder + " " + t.name }

// find returns the fuzz targets of a module, in the order of their files. Nested
// modules are not part of it.
func find(root fs.FS) ([]target, error) {
	var targets []target
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if skip(root, name) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		names, err := inFile(root, name)
		for _, n := range names {
			targets = append(targets, target{path.Dir(name), n})
		}
		return err
	})
	return targets, err
}

func skip(root fs.FS, folder string) bool {
	if folder == "." {
		return false
	}
	base := path.Base(folder)
	_, err := fs.Stat(root, path.Join(folder, "go.mod"))
	return err == nil || base == "testdata" || base[0] == '.' || base[0] == '_'
}

// inFile returns the names of the functions FuzzX(*testing.F) in a file.
func inFile(root fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && isTarget(f) {
			names = append(names, f.Name.Name)
		}
	}
	return names, nil
}

func isTarget(f *ast.FuncDecl) bool {
	if f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Fuzz") || f.Type.Params.NumFields() != 1 {
		return false
	}
	star, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "F"
}
