package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// mutant is one change of the source that breaks one rule.
type mutant struct {
	rule  string
	name  string   // what it breaks, in words
	in    string   // the folder of the package that it changes
	tests []string // the folders whose tests must notice
	old   string   // stands in the package exactly once
	new   string
}

// load reads the mutants from the text files of a folder. A mutant looks like
// this; lines before it that begin with # are comments.
//
//	== D1 a grant overrides a deny rule
//	in policy
//	test policy
//	-- old
//	the text to replace
//	-- new
//	what stands there instead
func load(root fs.FS, folder string) ([]mutant, error) {
	names, err := fs.Glob(root, path.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		list, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s:%w", name, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

func parse(text string) ([]mutant, error) {
	var list []mutant
	var part *string // where lines of old or new go
	for n, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if word == "==" {
			rule, name, _ := strings.Cut(rest, " ")
			list, part = append(list, mutant{rule: rule, name: name}), nil
			continue
		}
		if len(list) == 0 || part == nil && (line == "" || word == "#") {
			continue
		}
		m := &list[len(list)-1]
		switch {
		case line == "-- old":
			part = &m.old
		case line == "-- new":
			part = &m.new
		case part != nil:
			*part += line + "\n"
		case word == "in":
			m.in = rest
		case word == "test":
			m.tests = strings.Fields(rest)
		default:
			return nil, fmt.Errorf("%d: %q is neither in, test, -- old nor -- new", n+1, line)
		}
	}
	for i := range list {
		m := &list[i]
		m.old, m.new = strings.Trim(m.old, "\n"), strings.Trim(m.new, "\n")
		if m.rule == "" || m.in == "" || len(m.tests) == 0 || m.old == "" || m.old == m.new {
			return nil, fmt.Errorf(" mutant %q needs a rule, a folder, a test, and an old text that differs from the new one", m.rule+" "+m.name)
		}
	}
	return list, nil
}

// find returns the file whose text the mutant changes, with that text. Which
// file of the package it is does not matter, so that moving code to another one
// breaks nothing here.
func (m mutant) find(root fs.FS) (file, source string, err error) {
	names, err := fs.Glob(root, path.Join(m.in, "*.go"))
	if err != nil {
		return "", "", err
	}
	places := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return "", "", err
		}
		if n := strings.Count(string(text), m.old); n > 0 {
			places, file, source = places+n, name, string(text)
		}
	}
	if places != 1 {
		return "", "", fmt.Errorf("its old text stands %d times in %s: change the mutant with the code", places, m.in)
	}
	return file, source, nil
}

// apply returns the source with the mutant in it.
func (m mutant) apply(source string) string { return strings.Replace(source, m.old, m.new, 1) }
