// Turn measures a whole turn over loopback streaming: one tool call, two
// requests. It compares the SDK, with check, decision and log, to a loop written
// by hand on openai-go, in one run, each in a process of its own.
//
//	go run ./turn            prints both and their ratios
//	go run ./turn -gate      also fails where a goal is missed
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/assentdev/assent/bench/cpu"
)

// shape is what a run offers and has behind it.
type shape struct {
	Name           string
	Tools, History int
}

var shapes = []shape{{"1 tool", 1, 0}, {"200 tools", 200, 0}, {"100 earlier exchanges", 1, 100}}

// figure is what one process measured.
type figure struct {
	CPU time.Duration // of one turn
	RSS int64         // peak, bytes
}

func main() {
	loop := flag.String("loop", "", "run as a child: hand, assent or file")
	url := flag.String("url", "", "the model server's address")
	serve := flag.Bool("serve", false, "run as the model server")
	tools := flag.Int("tools", 1, "tools offered")
	history := flag.Int("history", 0, "earlier exchanges")
	turns := flag.Int("turns", 200, "turns measured")
	rounds := flag.Int("rounds", 5, "processes of each kind; the least counts")
	gate := flag.Bool("gate", false, "fail where a goal is missed")
	flag.Parse()
	switch {
	case *serve:
		server()
	case *loop != "":
		child(*loop, *url, *tools, *history, *turns)
	default:
		os.Exit(compare(*rounds, *turns, *gate))
	}
}

// child runs one loop and prints its figure.
func child(loop, url string, tools, history, turns int) {
	turn, end, err := loops[loop](url, tools, history)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	run := func(n int) {
		for range n {
			text, err := turn()
			if err != nil || text != answer {
				fmt.Fprintf(os.Stderr, "got %q, %v\n", text, err)
				os.Exit(1)
			}
		}
	}
	run(max(5, turns/10))
	before := cpu.Now()
	run(turns)
	f := figure{CPU: (cpu.Now() - before) / time.Duration(turns)}
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) == nil {
		f.RSS = r.Maxrss << 10
	}
	end()
	_ = json.NewEncoder(os.Stdout).Encode(f)
}

func compare(rounds, turns int, gate bool) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	srv := exec.Command(self, "-serve")
	out, err := srv.StdoutPipe()
	if err == nil {
		err = srv.Start()
	}
	if err != nil {
		panic(err)
	}
	defer srv.Process.Kill()
	lines := bufio.NewScanner(out)
	lines.Scan()
	url := lines.Text()

	missed := 0
	var base map[string]figure
	fmt.Printf("%-24s %-8s %12s %10s %10s\n", "", "loop", "CPU a turn", "to hand", "peak RSS")
	for _, s := range shapes {
		least := map[string]figure{}
		for range rounds {
			for _, loop := range order {
				f := measure(self, loop, url, s, turns)
				if was, ok := least[loop]; !ok || f.CPU < was.CPU {
					least[loop] = f
				}
			}
		}
		if base == nil {
			base = least
		}
		for _, loop := range order {
			f := least[loop]
			ratio := float64(f.CPU) / float64(least["hand"].CPU)
			growth := float64(f.CPU-base[loop].CPU) / float64(max(1, least["hand"].CPU-base["hand"].CPU))
			fmt.Printf("%-24s %-8s %12v %9.2fx %7.1f MB", s.Name, loop, f.CPU.Round(time.Microsecond), ratio, float64(f.RSS)/1e6)
			if s.Name != shapes[0].Name {
				fmt.Printf("   growth %.2f of hand's", growth)
			}
			fmt.Println()
			if missedGoal(loop, s.Name == shapes[0].Name, ratio, growth, f) {
				missed++
			}
		}
	}
	if gate && missed > 0 {
		fmt.Println(missed, "goals missed")
		return 1
	}
	return 0
}

// missedGoal says whether a figure is worse than it may be: CPU with the log in
// memory against the loop by hand, its growth with tools and history, and the
// memory where the log is a file. A log in memory grows with every turn.
func missedGoal(loop string, plain bool, ratio, growth float64, f figure) bool {
	switch loop {
	case "assent":
		return ratio > 1.15 || !plain && growth > 1
	case "file":
		return plain && f.RSS > 25e6
	}
	return false
}

func measure(self, loop, url string, s shape, turns int) figure {
	cmd := exec.Command(self, "-loop", loop, "-url", url, "-tools", fmt.Sprint(s.Tools), "-history", fmt.Sprint(s.History), "-turns", fmt.Sprint(turns))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		panic(err)
	}
	var f figure
	if err := json.Unmarshal(out, &f); err != nil {
		panic(err)
	}
	return f
}
