// Package rules reads docs/rules.md and finds the tests that name each rule.
package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Rule is one rule of docs/rules.md.
type Rule struct {
	ID      string
	Section string // "4. Arguments are checked first"
	Later   bool   // belongs to a part that is not in this release
}

// In says whether the rule stands in one of the sections first to last.
func (r Rule) In(first, last int) bool {
	var n int
	_, err := fmt.Sscanf(r.Section, "%d.", &n)
	return err == nil && first <= n && n <= last
}

var (
	sectionLine = regexp.MustCompile(`^## (\d+\. .+)$`)
	ruleLine    = regexp.MustCompile(`^\*\*([A-Z]\d+[a-z]?)\.\*\*( \*later\.\*)?`)
)

// Read returns the rules of docs/rules.md in the order in which they stand.
func Read(root fs.FS) ([]Rule, error) {
	text, err := fs.ReadFile(root, "docs/rules.md")
	if err != nil {
		return nil, err
	}
	var list []Rule
	section := ""
	for n, line := range strings.Split(string(text), "\n") {
		if m := sectionLine.FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		m := ruleLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if slices.ContainsFunc(list, func(r Rule) bool { return r.ID == m[1] }) {
			return nil, fmt.Errorf("docs/rules.md:%d: rule %s stands there twice", n+1, m[1])
		}
		list = append(list, Rule{ID: m[1], Section: section, Later: m[2] != ""})
	}
	if len(list) == 0 {
		return nil, errors.New("docs/rules.md: no line begins with a rule such as **A1.**")
	}
	return list, nil
}

// Tests are the tests that name one rule: names by folder. A name is a function,
// or a file for what several tests share.
type Tests map[string][]string

func (t Tests) add(folder, name string) {
	if !slices.Contains(t[folder], name) {
		t[folder] = append(t[folder], name)
	}
}

// String lists folders and names in order: "policy: TestA, TestB; schema: TestC".
func (t Tests) String() string {
	var parts []string
	for folder, names := range t {
		parts = append(parts, folder+": "+strings.Join(slices.Sorted(slices.Values(names)), ", "))
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
