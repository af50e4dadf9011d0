package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assentdev/assent/internal/rules"
)

// lab is a copy of the tree in which mutants live for the length of one test run.
type lab struct {
	ctx    context.Context
	dir    string
	data   string
	proofs map[string]rules.Tests
}

func newLab(ctx context.Context, root string, proofs map[string]rules.Tests) (*lab, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, dir: dir, data: data(root), proofs: proofs}
	if err := copyTree(dir, os.DirFS(root)); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.dir) }

// copyTree copies a repository without its history, other hidden folders, and
// the failures that rapid has saved for whoever works on the code.
func copyTree(dir string, tree fs.FS) error {
	return fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name != "." && d.Name()[0] == '.' || strings.HasSuffix(name, "testdata/rapid")):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
}

// healthy makes sure that the tests which are to notice pass before anything is broken.
func (l *lab) healthy(mutants []mutant) error {
	for folder, functions := range l.witnesses(mutants) {
		result, err := l.test(folder, functions)
		if err != nil {
			return err
		}
		if len(result.failed) > 0 {
			return fmt.Errorf("%s fails before any change:\n%s", folder, result.story())
		}
	}
	return nil
}

// witnesses returns the test functions that the mutants need, by folder; nil for all of a folder.
func (l *lab) witnesses(mutants []mutant) map[string][]string {
	need := map[string][]string{}
	whole := map[string]bool{}
	for _, m := range mutants {
		for _, folder := range m.tests {
			if len(l.proofs[m.rule][folder]) == 0 {
				continue
			}
			names := l.functions(m.rule, folder)
			whole[folder] = whole[folder] || len(names) == 0
			need[folder] = append(need[folder], names...)
		}
	}
	for folder, names := range need {
		slices.Sort(names)
		need[folder] = slices.Compact(names)
		if whole[folder] {
			need[folder] = nil
		}
	}
	return need
}

// kill applies a mutant, runs the tests that name its rule, and takes it out
// again. It returns the test that noticed.
func (l *lab) kill(m mutant) (killer string, err error) {
	name, source, err := m.find(os.DirFS(l.dir))
	if err != nil {
		return "", err
	}
	file := filepath.Join(l.dir, name)
	if err := os.WriteFile(file, []byte(m.apply(source)), 0o644); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, []byte(source), 0o644)) }()

	var others []string
	for _, folder := range m.tests {
		if len(l.proofs[m.rule][folder]) == 0 {
			continue // nobody there names the rule
		}
		result, err := l.test(folder, l.functions(m.rule, folder))
		if err != nil {
			return "", err
		}
		for _, name := range result.failed {
			if l.names(m.rule, folder, name) {
				return folder + " " + name, nil
			}
		}
		others = append(others, result.failed...)
	}
	if len(others) > 0 {
		return "", fmt.Errorf("only tests that do not name %s fail: %s", m.rule, strings.Join(others, ", "))
	}
	return "", errors.New("every test that names the rule passes")
}

// functions returns the test functions of a folder that name a rule, and those
// of a file that does. It is nil, for all of the folder, where there are none.
func (l *lab) functions(rule, folder string) []string {
	var all []string
	for _, name := range l.proofs[rule][folder] {
		switch {
		case strings.HasSuffix(name, "_test.go"):
			all = append(all, l.declared(folder, name)...)
		case !strings.Contains(name, "."): // a file of vectors is run by a test that names them
			all = append(all, name)
		}
	}
	return all
}

var declaration = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)

// declared returns the test functions of a file.
func (l *lab) declared(folder, file string) (names []string) {
	text, err := os.ReadFile(filepath.Join(l.dir, folder, file))
	if err != nil {
		return nil
	}
	for _, m := range declaration.FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// names says whether a test that failed names the rule: its function does, the
// file that it stands in, or the sub-test's own name.
func (l *lab) names(rule, folder, test string) bool {
	function, sub, _ := strings.Cut(test, "/")
	// Sub-tests have _ for spaces, which counts as part of a word.
	return slices.Contains(l.functions(rule, folder), function) ||
		regexp.MustCompile(`(^|[^A-Za-z0-9])`+rule+`([^A-Za-z0-9]|$)`).MatchString(sub)
}

func (l *lab) usesRapid(folder string) bool {
	files, _ := filepath.Glob(filepath.Join(l.dir, folder, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && bytes.Contains(text, []byte(`"pgregory.net/rapid"`))
	})
}

// result is what a test run said.
type result struct {
	failed []string          // tests and sub-tests, the most exact first
	output map[string]string // by test
}

// story is what the failed tests printed.
func (r *result) story() string {
	var b strings.Builder
	for _, name := range r.failed {
		b.WriteString(r.output[name])
	}
	return b.String()
}

// test runs the tests of one folder, all of them if functions is empty. An error
// means that they did not compile or could not be run.
func (l *lab) test(folder string, functions []string) (*result, error) {
	args := []string{"test", "-json", "-vet=off", "-timeout=5m"}
	if len(functions) > 0 {
		args = append(args, "-failfast", "-run=^("+strings.Join(functions, "|")+")$")
	}
	args = append(args, "./"+folder)
	if l.usesRapid(folder) { // to look for the smallest failure takes half a minute, and any will do
		args = append(args, "-rapid.shrinktime=1ms", "-rapid.nofailfile")
	}
	cmd := exec.CommandContext(l.ctx, "go", args...)
	cmd.Dir = l.dir
	cmd.Env = append(os.Environ(), "ASSENT_DATA="+l.data, "PWD="+l.dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("go test: %w: %s", err, stderr.String())
	}
	return read(out)
}

// read reads the events of "go test -json". A test that began and never ended
// took the whole run down with it, so it failed.
func read(out []byte) (*result, error) {
	r := &result{output: map[string]string{}}
	var open []string
	broken := false
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var e struct{ Action, Test, Output string }
		if err := dec.Decode(&e); err != nil {
			return nil, err
		}
		r.output[e.Test] += e.Output
		switch e.Action {
		case "build-fail":
			return nil, fmt.Errorf("it does not compile: %s", r.output[""])
		case "run":
			open = append(open, e.Test)
		case "pass", "skip", "fail":
			open = slices.DeleteFunc(open, func(name string) bool { return name == e.Test })
			if e.Action == "fail" && e.Test != "" {
				r.failed = append(r.failed, e.Test)
			}
			broken = broken || e.Action == "fail"
		}
	}
	if broken && len(r.failed) == 0 {
		slices.Reverse(open) // the most exact first
		r.failed = append(open, "")
	}
	return r, nil
}
