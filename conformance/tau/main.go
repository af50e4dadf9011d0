// Command tau runs recorded conversations of a tau-bench agent through the SDK.
//
//	go run ./conformance/tau airline                       the recordings in each mode
//	go run ./conformance/tau airline -mutate 1             and harder ones made of them
//	go run ./conformance/tau airline -data DIR -conversations FILE
//
// The word names the set: its data is in the folder tau-airline of the data, its
// classes in classes_airline.json beside this program. A tool that the classes
// leave out is unclassified.
//
// The recorded messages are served by a real HTTP server, streamed; a tool gives
// its recorded result only for the recorded arguments. So the conversation goes
// on as it was recorded only if every message that the model is sent is the
// recorded one. What must happen to each call is computed from the rules by a
// small model of them (oracle.go), which shares no code with what is tested.
//
//	go run ./conformance/tau retail                        recorded tasks in examples/shop
//	go run ./conformance/tau retail -data DIR -tasks FILE
//
// The word retail stands for another form: calls that the original tools of a shop
// answered one after another, each task on a fresh copy of the store. The shop of
// examples/shop must answer the same and be left the same (retail.go).
//
// docs/guide/conformance.md explains the output. The exit code is 1 where
// anything differs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tau:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	set, data, conversations, tools, classes string
	mutate                                   seeds
	kinds                                    string
	limit, parallel                          int
	wait                                     time.Duration
}

func parse(args []string) (*options, error) {
	o := &options{}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil, errors.New("name the set first: tau airline [flags]")
	}
	o.set = args[0]
	flags := flag.NewFlagSet("tau "+o.set, flag.ContinueOnError)
	flags.StringVar(&o.data, "data", "", "the folder with tools.json and policy.md, or the one above; empty: ASSENT_DATA or ../shared/data")
	flags.StringVar(&o.conversations, "conversations", "", "the recordings; empty: conversations.jsonl of the data")
	flags.StringVar(&o.tools, "tools", "", "the tools; empty: tools.json of the data")
	flags.StringVar(&o.classes, "classes", "", "a JSON object of tool names and classes; empty: those of the set")
	flags.Var(&o.mutate, "mutate", "derive harder conversations from this `seed`; may be repeated")
	flags.StringVar(&o.kinds, "kinds", "", "derive only these kinds, with commas; empty: all")
	flags.IntVar(&o.limit, "limit", 0, "take only so many conversations; 0: all")
	flags.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "conversations at once")
	flags.DurationVar(&o.wait, "wait", time.Minute, "how long a conversation may stand still before it counts as stuck")
	if err := flags.Parse(args[1:]); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("what is %q? Flags come after the set's name", flags.Arg(0))
	}
	return o, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "retail" {
		return retail(ctx, args[1:], out)
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	set, err := load(o)
	if err != nil {
		return err
	}
	r := &report{out: out}
	scenarios := set.replays()
	for _, seed := range o.mutate {
		more, err := set.mutants(seed, o.kinds)
		if err != nil {
			return err
		}
		scenarios = append(scenarios, more...)
	}
	began := time.Now()
	if err := runAll(ctx, o, set, scenarios, r); err != nil {
		return err
	}
	r.print(set, time.Since(began))
	if r.mismatches > 0 {
		return fmt.Errorf("%d mismatches", r.mismatches)
	}
	return nil
}
