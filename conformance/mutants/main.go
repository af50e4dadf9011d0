// Command mutants shows that the tests notice when a rule is broken.
//
//	go run ./conformance/mutants                every mutant
//	go run ./conformance/mutants -rule D1,P5    those of some rules
//	go run ./conformance/mutants -list          print them and stop
//
// A mutant is a small change of the source that breaks one rule; the files in
// list hold them. Each is applied in a copy of the tree, one at a time, and a
// test that names the rule must then fail. A mutant that nobody notices, that
// does not compile, or whose place in the source is gone is a failure, and so is
// a rule of SPEC 4, 5 or 6 without a mutant.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assentdev/assent/internal/rules"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	root := flags.String("root", ".", "the top folder of the repository")
	only := flags.String("rule", "", "the rules to look at, with commas; empty for all")
	list := flags.Bool("list", false, "print the mutants and stop")
	if err := flags.Parse(args); err != nil {
		return err
	}
	tree := os.DirFS(*root)
	known, err := rules.Read(tree)
	if err != nil {
		return err
	}
	proofs, err := rules.Scan(tree, known)
	if err != nil {
		return err
	}
	mutants, err := load(tree, "conformance/mutants/list")
	if err != nil {
		return err
	}
	if *only != "" {
		mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return !slices.Contains(strings.Split(*only, ","), m.rule) })
	}
	if *list {
		for _, m := range mutants {
			fmt.Fprintf(out, "%-4s %s: %s\n", m.rule, m.in, m.name)
		}
		return nil
	}

	lab, err := newLab(ctx, *root, proofs)
	if err != nil {
		return err
	}
	defer lab.close()
	survivors, err := lab.try(mutants, out)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "mutants: %d of %d killed\n", len(mutants)-survivors, len(mutants))
	var missing []string
	if *only == "" {
		missing = without(known, mutants)
		fmt.Fprintf(out, "mutants: rules of SPEC 4, 5, 6 without one: %s\n", cmp.Or(strings.Join(missing, " "), "none"))
	}
	if survivors+len(missing) > 0 {
		return errors.New("see above: each mutant must be killed, and each rule needs one")
	}
	return nil
}

// try applies the mutants one after the other and says what became of each.
func (l *lab) try(mutants []mutant, out io.Writer) (survivors int, err error) {
	if err := l.healthy(mutants); err != nil {
		return 0, err
	}
	for _, m := range mutants {
		verdict, err := l.kill(m)
		if l.ctx.Err() != nil {
			return survivors, l.ctx.Err()
		}
		if err != nil {
			survivors++
			fmt.Fprintf(out, "SURVIVED %-4s %s: %s: %v\n", m.rule, m.in, m.name, err)
			continue
		}
		fmt.Fprintf(out, "killed   %-4s %s: %s: by %s\n", m.rule, m.in, m.name, verdict)
	}
	return survivors, nil
}

// without returns the rules of sections 4 to 6, of this release, that no mutant breaks.
func without(known []rules.Rule, mutants []mutant) []string {
	var ids []string
	for _, r := range known {
		if r.In(4, 6) && !r.Later && !slices.ContainsFunc(mutants, func(m mutant) bool { return m.rule == r.ID }) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// data returns the folder of real inputs that tests may read, or "".
func data(root string) string {
	if dir := os.Getenv("ASSENT_DATA"); dir != "" {
		return dir
	}
	dir, err := filepath.Abs(filepath.Join(root, "..", "shared", "data"))
	if err != nil {
		return ""
	}
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}
