// Command policy compares a decision of package policy with two expression
// engines, CEL and expr, in one run: same scenario, same answers, CPU time.
//
//	go run ./policy          prints the figures
//	go run ./policy -gate    fails where a goal is missed
//
// Each engine is measured three times: over the whole list of rules, strictest
// first, as its users write it; over only those rules whose name pattern meets
// the tool; and over these rewritten by hand without that pattern. The hosts
// around the engines do what the engines cannot, in Go: contract, table, order of
// the steps, and the index by tool. They leave out what package policy does
// beside: limits, sources, expiry, grants, category and reason.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/assentdev/assent/bench/cpu"
	"github.com/assentdev/assent/policy"
)

// engines are measured in this order; the first one is what the others are
// compared with. goal is the least ratio at 1,000 rules, 0 for none.
var engines = []struct {
	name string
	make func(*scenario) (decider, error)
	goal float64
}{
	{"assent", newAssent, 0},
	{"cel, whole list", func(s *scenario) (decider, error) { return newCEL(s, whole) }, 200},
	{"expr, whole list", func(s *scenario) (decider, error) { return newExpr(s, whole) }, 200},
	{"cel, matching rules", func(s *scenario) (decider, error) { return newCEL(s, matching) }, 5},
	{"expr, matching rules", func(s *scenario) (decider, error) { return newExpr(s, matching) }, 5},
	{"cel, stripped rules", func(s *scenario) (decider, error) { return newCEL(s, stripped) }, 0},
	{"expr, stripped rules", func(s *scenario) (decider, error) { return newExpr(s, stripped) }, 0},
}

// The other goals.
const (
	growth   = 5 // from 10 to 10,000 rules, at most
	loadCPU  = 10 * time.Millisecond
	loadHeap = 2e6 // bytes
)

func main() {
	gate := flag.Bool("gate", false, "fail where a goal is missed")
	rounds := flag.Int("rounds", 5, "how often each engine is measured; the least counts")
	each := flag.Duration("each", 100*time.Millisecond, "how long each measurement takes")
	flag.Parse()
	runtime.GOMAXPROCS(1) // so that what collects garbage counts as the engine's
	missed, err := compare(*rounds, *each)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, m := range missed {
		fmt.Println("missed:", m)
	}
	if *gate && len(missed) > 0 {
		os.Exit(1)
	}
}

func compare(rounds int, each time.Duration) (missed []string, err error) {
	ours := make(map[int]time.Duration)
	for _, n := range []int{10, 1000, 10000} {
		s := newScenario(n)
		deciders, err := agreeing(s)
		if err != nil {
			return nil, fmt.Errorf("%d rules: %w", n, err)
		}
		took := measure(s, deciders, rounds, each)
		ours[n] = took[0]
		fmt.Printf("%d rules, %.1f looked at for each call\n", n, examined(s))
		for i, e := range engines {
			ratio := float64(took[i]) / float64(took[0])
			fmt.Printf("  %-22s %10s CPU a decision  %8.1fx\n", e.name, perCall(took[i], s), ratio)
			if n == 1000 && ratio < e.goal {
				missed = append(missed, fmt.Sprintf("%s at %d rules takes %.1fx, the goal is %.0fx", e.name, n, ratio, e.goal))
			}
		}
	}
	grown := float64(ours[10000]) / float64(ours[10])
	fmt.Printf("growth from 10 to 10,000 rules: %.1fx\n", grown)
	if grown > growth {
		missed = append(missed, fmt.Sprintf("growth %.1fx, the goal is at most %dx", grown, growth))
	}
	return append(missed, load(10000)...), nil
}

// agreeing makes the engines and proves that they answer alike, rule and all.
func agreeing(s *scenario) ([]decider, error) {
	var out []decider
	for _, e := range engines {
		d, err := e.make(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		out = append(out, d)
	}
	for i := range s.calls {
		want, rule := out[0](&s.calls[i])
		for k, d := range out {
			if got, by := d(&s.calls[i]); got != want || by != rule {
				return nil, fmt.Errorf("call %d: %s says %s by %q, %s says %s by %q", i, engines[k].name, got, by, engines[0].name, want, rule)
			}
		}
	}
	return out, nil
}

// measure returns the CPU time of all calls of the scenario once, for each engine.
func measure(s *scenario, deciders []decider, rounds int, each time.Duration) []time.Duration {
	var functions []func()
	for _, d := range deciders {
		functions = append(functions, func() {
			for i := range s.calls {
				d(&s.calls[i])
			}
		})
	}
	return cpu.Fastest(rounds, each, functions...)
}

func perCall(all time.Duration, s *scenario) time.Duration {
	return all / time.Duration(len(s.calls))
}

func examined(s *scenario) float64 {
	p, err := policy.Compile(s.doc)
	if err != nil {
		return 0 // cannot be: the engines were made from it
	}
	sum := 0
	for i := range s.calls {
		d := p.Decide(&s.calls[i])
		sum += d.Examined
	}
	return float64(sum) / float64(len(s.calls))
}

// load measures what it takes to compile n rules, and what stays in memory.
func load(n int) (missed []string) {
	s := newScenario(n)
	took := cpu.Fastest(5, 50*time.Millisecond, func() { _, _ = policy.Compile(s.doc) })[0]
	before := heap()
	p, err := policy.Compile(s.doc)
	kept := heap() - before
	runtime.KeepAlive(p)
	runtime.KeepAlive(s)
	fmt.Printf("loading %d rules: %s CPU, %.2f MB kept\n", n, took.Round(10*time.Microsecond), float64(kept)/1e6)
	if err != nil || took > loadCPU || kept > loadHeap {
		missed = append(missed, fmt.Sprintf("loading %d rules takes %s and %d bytes (%v)", n, took, kept, err))
	}
	return missed
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
