// Command rulescover writes docs/rules-coverage.md: for each rule of
// docs/rules.md the tests that name it.
//
//	go run ./internal/tools/rulescover          write the file
//	go run ./internal/tools/rulescover -check   fail if it would change
//	go run ./internal/tools/rulescover -strict  fail if a rule of sections 2 to 8 has no test and is not marked as later
//
// Package rules says how a test names a rule.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assentdev/assent/internal/rules"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "rulescover:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("rulescover", flag.ContinueOnError)
	root := flags.String("root", ".", "the top folder of the repository")
	check := flags.Bool("check", false, "compare with the file instead of writing it")
	strict := flags.Bool("strict", false, "fail if a rule of this release has no test")
	if err := flags.Parse(args); err != nil {
		return err
	}

	tree := os.DirFS(*root)
	list, err := rules.Read(tree)
	if err != nil {
		return err
	}
	found, err := rules.Scan(tree, list)
	if err != nil {
		return err
	}

	page := render(list, found)
	target := filepath.Join(*root, "docs", "rules-coverage.md")
	if *check {
		err = compare(target, page)
	} else {
		err = os.WriteFile(target, page, 0o644)
	}
	missing := unproven(list, found)
	fmt.Fprintf(out, "rulescover: %d rules, %d named by a test; of this release without one: %s\n",
		len(list), len(found), cmp.Or(strings.Join(missing, " "), "none"))
	if *strict && len(missing) > 0 {
		err = errors.Join(err, fmt.Errorf("no test names %s: name the rule in a test, or mark it as later in docs/rules.md", strings.Join(missing, ", ")))
	}
	return err
}

func compare(target string, page []byte) error {
	have, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, page) {
		return fmt.Errorf("%s is not what the tests give: run ./scripts/generate", target)
	}
	return nil
}
