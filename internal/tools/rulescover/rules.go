package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// rule is one rule of docs/rules.md.
type rule struct {
	id      string
	section string // "4. Arguments are checked first"
	later   bool   // belongs to a part that is not in this release
}

var (
	sectionLine = regexp.MustCompile(`^## (\d+\. .+)$`)
	ruleLine    = regexp.MustCompile(`^\*\*([A-Z]\d+[a-z]?)\.\*\*( \*later\.\*)?`)
)

// parseRules reads the rules in the order in which they stand.
func parseRules(text string) ([]rule, error) {
	var rules []rule
	section := ""
	seen := map[string]bool{}
	for n, line := range strings.Split(text, "\n") {
		if m := sectionLine.FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		m := ruleLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if seen[m[1]] {
			return nil, fmt.Errorf("docs/rules.md:%d: rule %s stands there twice", n+1, m[1])
		}
		seen[m[1]] = true
		rules = append(rules, rule{id: m[1], section: section, later: m[2] != ""})
	}
	if len(rules) == 0 {
		return nil, fmt.Errorf("docs/rules.md: no line begins with a rule such as **A1.**")
	}
	return rules, nil
}

// required says whether this release must prove the rule: sections 2 to 8, not marked as later.
func (r rule) required() bool {
	return !r.later && len(r.section) > 1 && r.section[1] == '.' && r.section[0] >= '2' && r.section[0] <= '8'
}

// unproven returns the ids of the rules that must have a test and have none.
func unproven(rules []rule, found map[string]tests) []string {
	var ids []string
	for _, r := range rules {
		if r.required() && len(found[r.id]) == 0 {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// render makes the page.
func render(rules []rule, found map[string]tests) []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Generated from docs/rules.md and the tests by ./scripts/generate. Do not edit. -->\n\n# Which tests prove which rule\n")
	section := ""
	for _, r := range rules {
		if r.section != section {
			section = r.section
			fmt.Fprintf(&b, "\n## %s\n\n| rule | tests |\n|---|---|\n", section)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", r.id, cell(r, found[r.id]))
	}
	return b.Bytes()
}

func cell(r rule, t tests) string {
	if len(t) > 0 {
		return t.String()
	}
	if r.later {
		return "waiting for a later part"
	}
	return "**none**"
}

// tests are the tests that name one rule: folder to names.
type tests map[string][]string

func (t tests) add(folder, name string) {
	if !slices.Contains(t[folder], name) {
		t[folder] = append(t[folder], name)
	}
}

// String lists folders and names in order: "policy: TestA, TestB; schema: TestC".
func (t tests) String() string {
	var parts []string
	for folder, names := range t {
		slices.Sort(names)
		parts = append(parts, folder+": "+strings.Join(names, ", "))
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
