package main

import (
	"bytes"
	"fmt"

	"github.com/assentdev/assent/internal/rules"
)

// unproven returns the ids of the rules that this release must prove, those of
// sections 2 to 8 that are not marked as later, and that no test names.
func unproven(list []rules.Rule, found map[string]rules.Tests) []string {
	var ids []string
	for _, r := range list {
		if r.In(2, 8) && !r.Later && len(found[r.ID]) == 0 {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// render makes the page.
func render(list []rules.Rule, found map[string]rules.Tests) []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Generated from docs/rules.md and the tests by ./scripts/generate. Do not edit. -->\n\n# Which tests prove which rule\n")
	section := ""
	for _, r := range list {
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(&b, "\n## %s\n\n| rule | tests |\n|---|---|\n", section)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", r.ID, cell(r, found[r.ID]))
	}
	return b.Bytes()
}

func cell(r rules.Rule, t rules.Tests) string {
	switch {
	case len(t) > 0:
		return t.String()
	case r.Later:
		return "waiting for a later part"
	}
	return "**none**"
}
