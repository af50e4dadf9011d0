package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// retailOptions are what the command line says after the word retail.
type retailOptions struct {
	data, tasks, tools string
	repeat, parallel   int
	wait               time.Duration
}

func parseRetail(args []string) (*retailOptions, error) {
	o := &retailOptions{}
	flags := flag.NewFlagSet("tau retail", flag.ContinueOnError)
	flags.StringVar(&o.data, "data", "", "the folder with tools.json, or the one above; empty: ASSENT_DATA or ../shared/data. Without users.json in it the shop's own data is taken")
	flags.StringVar(&o.tasks, "tasks", "", "the tasks; empty: tasks.jsonl of the data")
	flags.StringVar(&o.tools, "tools", "", "the tools; empty: tools.json of the data")
	flags.IntVar(&o.repeat, "repeat", 1, "run the tasks so many times over")
	flags.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "tasks at once")
	flags.DurationVar(&o.wait, "wait", time.Minute, "how long a task may take before it counts as stuck")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("what is %q? Flags come after the set's name", flags.Arg(0))
	}
	if o.repeat < 1 {
		return nil, errors.New("repeat the tasks once at least")
	}
	return o, nil
}

// retail replays recorded tasks in the shop: each task on a fresh copy of the
// store, as one conversation of an agent with the shop's tools.
func retail(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseRetail(args)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "tau-retail")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	began := time.Now()
	s, err := openRetail(ctx, o, temp)
	if err != nil {
		return err
	}
	defer s.close()
	t := &retailTally{out: out}
	if err := s.runAll(ctx, o, t); err != nil {
		return err
	}
	t.print(s, time.Since(began))
	if t.differences > 0 {
		return fmt.Errorf("%d differences", t.differences)
	}
	return nil
}

// retailSet is what all tasks start from.
type retailSet struct {
	system string
	specs  []retailSpec
	tasks  []*retailTask
	*retailStore
}

// openRetail reads all files. What is wrong with a task is known before one runs.
func openRetail(ctx context.Context, o *retailOptions, temp string) (*retailSet, error) {
	dir := folder(&options{set: "retail", data: o.data})
	s := &retailSet{}
	system, err := os.ReadFile(filepath.Join(dir, "policy.md"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	s.system = string(system)
	if s.specs, err = readRetailTools(cmp.Or(o.tools, filepath.Join(dir, "tools.json"))); err != nil {
		return nil, err
	}
	if s.tasks, err = readTasks(within(o.tasks, dir, "tasks.jsonl"), s.specs); err != nil {
		return nil, err
	}
	s.retailStore, err = openStore(ctx, dir, temp)
	return s, err
}

// runAll plays all tasks, several at once, and reports in their order.
func (s *retailSet) runAll(ctx context.Context, o *retailOptions, t *retailTally) error {
	n := o.repeat * len(s.tasks)
	done := make([]*retailOutcome, n)
	var wg sync.WaitGroup
	work := make(chan int)
	for range max(1, o.parallel) {
		wg.Go(func() {
			for i := range work {
				own, cancel := context.WithTimeout(ctx, o.wait)
				done[i] = s.play(own, s.tasks[i%len(s.tasks)])
				cancel()
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, o := range done {
		t.add(o)
	}
	return nil
}

// retailTally counts what happened.
type retailTally struct {
	out                                   io.Writer
	tasks, calls, stores, differences     int
	asks, previews, wantAsks, wantPreview int
	equal, refused, worded                int
}

func (t *retailTally) add(o *retailOutcome) {
	t.tasks++
	t.calls += len(o.calls)
	for _, c := range o.calls {
		t.asks += len(c.asked)
		t.previews += c.previews
		t.wantAsks += count(c.want.asks)
		t.wantPreview += count(c.want.previews)
		t.equal += count(c.verdict == equalResult)
		t.refused += count(c.verdict == refusedEarlier)
		t.worded += count(c.verdict == wordedOtherwise)
	}
	t.stores += count(o.equalStore)
	t.differences += len(o.wrong)
	for _, w := range o.wrong {
		fmt.Fprintf(t.out, "DIFFERENCE %s: %s\n", o.task, w)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (t *retailTally) print(s *retailSet, took time.Duration) {
	shop := ""
	if s.own {
		shop = "; the shop's own data"
	}
	fmt.Fprintf(t.out, "tau retail: %d tasks, %d calls; %d tools; mode auto%s\n", t.tasks, t.calls, len(s.specs), shop)
	fmt.Fprintf(t.out, "  asked                %d/%d, of them with a preview %d/%d\n", t.asks, t.wantAsks, t.previews, t.wantPreview)
	fmt.Fprintf(t.out, "  equal results        %d/%d\n", t.equal, t.calls)
	if t.refused > 0 {
		fmt.Fprintf(t.out, "  refused by the check %d, where the recorded tool failed, too\n", t.refused)
	}
	if t.worded > 0 {
		fmt.Fprintf(t.out, "  worded otherwise     %d errors of the calculator\n", t.worded)
	}
	fmt.Fprintf(t.out, "  equal stores         %d/%d\n", t.stores, t.tasks)
	fmt.Fprintf(t.out, "tau retail: %d differences; %.1f s\n", t.differences, took.Seconds())
}
