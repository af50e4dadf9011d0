// Command fuzz runs every fuzz target of the module for a while, one after the
// other.
//
//	go run ./internal/tools/fuzz -time 1m
//	go run ./internal/tools/fuzz -list
//
// "go test -fuzz" passes silently where no target matches. So targets are found
// by reading the sources, each is run in its own package by its exact name, and
// one that executed nothing is a failure, as is finding no target at all.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	root := flags.String("root", ".", "the top folder of the module")
	each := flags.Duration("time", time.Minute, "how long each target runs")
	list := flags.Bool("list", false, "list the targets and stop")
	if err := flags.Parse(args); err != nil {
		return err
	}
	targets, err := find(os.DirFS(*root))
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return errors.New("found no fuzz target: a run that fuzzes nothing proves nothing")
	}
	var failed error
	for _, t := range targets {
		if *list {
			fmt.Fprintln(out, t)
			continue
		}
		n, err := t.fuzz(*root, *each, out)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", t, err))
			continue
		}
		fmt.Fprintf(out, "fuzz: %s: %d executions\n", t, n)
	}
	return failed
}

// fuzz runs one target and returns how many inputs it executed.
func (t target) fuzz(root string, each time.Duration, out io.Writer) (int, error) {
	fmt.Fprintf(out, "fuzz: %s for %s\n", t, each)
	cmd := exec.Command("go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+each.String(), "./"+t.folder)
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	if err != nil {
		out.Write(text)
		return 0, err
	}
	return executions(text)
}

var execs = regexp.MustCompile(`\bexecs: (\d+)`)

// executions reads the last count that "go test -fuzz" reported. The baseline
// run of the seeds is not in it.
func executions(text []byte) (int, error) {
	all := execs.FindAllSubmatch(text, -1)
	if len(all) == 0 {
		return 0, errors.New("it fuzzed nothing: no count of executions in the output")
	}
	n, err := strconv.Atoi(string(all[len(all)-1][1]))
	if err == nil && n == 0 {
		err = errors.New("it fuzzed nothing: 0 executions")
	}
	return n, err
}
