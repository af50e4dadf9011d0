package rules

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A rule's id inside a text that names what it proves.
const id = `[A-Z]\d+[a-z]?`

var (
	idWord    = regexp.MustCompile(`\b` + id + `\b`)
	nameStart = regexp.MustCompile(`^(?:SPEC )?` + id + `(?:(?:, ?|/| and | )` + id + `)*[ :,/(]`)
	nameEnd   = regexp.MustCompile(`\(` + id + `(?:(?:, ?|/| and )` + id + `)*\)$`)
	testName  = regexp.MustCompile(`^(?:Test|Fuzz|Example)(?:[^a-z]|$)`)
	funcName  = regexp.MustCompile(`^(?:Test|Fuzz|Example)_?(` + id + `)(?:_|[A-Z]|$)`)
	proves    = regexp.MustCompile(`proves: (` + id + `(?:(?:, ?|/| and | )` + id + `)*)`)
	scriptRow = regexp.MustCompile(`^#+ *(.*)$`)
)

// scanner collects who names which rule.
type scanner struct {
	known   map[string]bool
	letters map[byte]bool // with which a rule's id begins
	found   map[string]Tests
	sources strings.Builder   // the text of all test files
	vectors map[string][]byte // path to content of conformance/*.json
}

// Scan looks through the tests, the test scripts and the vector files of a
// repository, and returns the tests that name each rule.
//
// A test names a rule in its own name (TestP7MixedBatch), in the name of a
// sub-test ("A5 duplicate keys are invalid"), or in a comment "// proves: A5". A
// vector file under conformance names it in a field "rule" or at the start of a
// field "name". Mentions elsewhere don't count: an order's id may look like a rule's.
func Scan(root fs.FS, list []Rule) (map[string]Tests, error) {
	s := &scanner{known: map[string]bool{}, letters: map[byte]bool{}, found: map[string]Tests{}, vectors: map[string][]byte{}}
	for _, r := range list {
		s.known[r.ID], s.letters[r.ID[0]] = true, true
	}
	if err := fs.WalkDir(root, ".", s.visit(root)); err != nil {
		return nil, err
	}
	for name, text := range s.vectors {
		if err := s.vector(name, text); err != nil {
			return nil, err
		}
	}
	return s.found, nil
}

func (s *scanner) visit(root fs.FS) fs.WalkDirFunc {
	return func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			// This package's own test is full of rules that it does not prove.
			if base := d.Name(); name != "." && (base[0] == '.' || base == "node_modules") || name == "internal/rules" {
				return fs.SkipDir
			}
			return nil
		}
		read := func(f func(string, []byte) error) error {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			return f(name, text)
		}
		switch {
		case strings.HasSuffix(name, "_test.go"):
			return read(s.goTest)
		case strings.HasSuffix(name, ".txtar"), strings.Contains(name, "testdata/script/"):
			return read(s.script)
		case path.Dir(name) == "conformance" && path.Ext(name) == ".json":
			return read(func(name string, text []byte) error { s.vectors[name] = text; return nil })
		}
		return nil
	}
}

// name notes that a test names the rules in text. An id that looks like a rule's
// and is none shows that the text speaks of something else, such as "C0 and C1
// controls"; after "proves:" it is a promise that nobody can keep, and an error.
// Ids with other letters are those of cases, such as B16, and mean nothing here.
func (s *scanner) name(folder, test, text string, promise bool) error {
	words := slices.DeleteFunc(idWord.FindAllString(text, -1), func(w string) bool { return !s.letters[w[0]] })
	for _, word := range words {
		if s.known[word] {
			continue
		}
		if promise {
			return fmt.Errorf("%s: %s proves %s, which docs/rules.md does not have", folder, test, word)
		}
		return nil
	}
	for _, word := range words {
		if s.found[word] == nil {
			s.found[word] = Tests{}
		}
		s.found[word].add(folder, test)
	}
	return nil
}

// goTest looks at a test file: names of functions, string literals that are
// names of sub-tests, and comments with "proves:".
func (s *scanner) goTest(name string, text []byte) error {
	s.sources.Write(text)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	at := func(pos token.Pos) string { return enclosing(file, pos, path.Base(name)) }

	for _, group := range file.Comments {
		for _, c := range group.List {
			if m := proves.FindStringSubmatch(c.Text); m != nil {
				if err := s.name(folder, at(c.Pos()), m[1], true); err != nil {
					return err
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if m := funcName.FindStringSubmatch(n.Name.Name); m != nil {
				s.name(folder, n.Name.Name, m[1], false)
			}
		case *ast.BasicLit:
			s.name(folder, at(n.Pos()), namedIn(n), false)
		}
		return true
	})
	return nil
}

// namedIn returns the part of a string literal in which a test's name tells its rules.
func namedIn(lit *ast.BasicLit) string {
	if lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return nameStart.FindString(text) + " " + nameEnd.FindString(text)
}

// enclosing returns the test that holds pos or has it in its doc comment, and
// fallback for what stands elsewhere, such as a table that several tests share.
func enclosing(file *ast.File, pos token.Pos, fallback string) string {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !testName.MatchString(f.Name.Name) {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if start <= pos && pos < f.End() {
			return f.Name.Name
		}
	}
	return fallback
}

// script looks at the comments of a test script.
func (s *scanner) script(name string, text []byte) error {
	for line := range strings.Lines(string(text)) {
		row := scriptRow.FindStringSubmatch(strings.TrimSpace(line))
		if row == nil {
			continue
		}
		if m := proves.FindStringSubmatch(row[1]); m != nil {
			if err := s.name(path.Dir(name), path.Base(name), m[1], true); err != nil {
				return err
			}
			continue
		}
		s.name(path.Dir(name), path.Base(name), nameStart.FindString(row[1]+" "), false)
	}
	return nil
}

// vector looks at a file of vectors. One that no test opens proves nothing.
func (s *scanner) vector(name string, text []byte) error {
	if !strings.Contains(s.sources.String(), path.Base(name)) {
		return fmt.Errorf("%s: no test reads this file", name)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.walk(name, value)
	return nil
}

// walk finds the fields "rule", "rules" and "proves" of vectors, and "name"s
// that begin with a rule.
func (s *scanner) walk(name string, value any) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			s.walk(name, e)
		}
	case map[string]any:
		for key, e := range v {
			switch key {
			case "rule", "rules", "proves":
				s.name(path.Dir(name), path.Base(name), fmt.Sprint(e), false)
			case "name":
				s.name(path.Dir(name), path.Base(name), nameStart.FindString(fmt.Sprint(e)), false)
			default:
				s.walk(name, e)
			}
		}
	}
}
