// Idle measures what an open question costs while nobody answers: sessions with
// a file journal, each with one call that waits for a person.
//
//	go run ./idle -n 100000 [-gate]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/bench/cpu"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// inbox is a desk that keeps nothing: who wants to see the questions reads the
// journal, and answers by id.
type inbox struct {
	open, closed atomic.Int64
	last         atomic.Pointer[approval.Request]
}

func (d *inbox) Open(r approval.Request, _ approval.Reply) {
	d.last.Store(&r)
	d.open.Add(1)
}

func (d *inbox) Close(string, approval.State, string) { d.closed.Add(1) }

func main() {
	n := flag.Int("n", 100_000, "open approvals")
	dir := flag.String("dir", ".", "folder on the disk to use")
	gate := flag.Bool("gate", false, "fail where the goal is missed")
	flag.Parse()
	if err := run(*n, *dir, *gate); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(n int, dir string, gate bool) error {
	dir, err := os.MkdirTemp(dir, "idle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	j, err := journal.OpenFile(filepath.Join(dir, "journal"), nil)
	if err != nil {
		return err
	}
	defer j.Close()
	desk := &inbox{}
	e, err := governed(j, desk)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := fill(e, 200); err != nil { // whatever the first ones cost once
		return err
	}
	before, goroutines, began, used := resident(), runtime.NumGoroutine(), time.Now(), cpu.Now()
	if err := fill(e, n); err != nil {
		return err
	}
	made, spent := time.Since(began), cpu.Now()-used
	for desk.open.Load() < int64(n) {
		time.Sleep(10 * time.Millisecond)
	}
	each := float64(resident()-before) / float64(n)
	r := desk.last.Load()
	began = time.Now()
	if err := e.Answer(r.ID, r.Digest, approval.Deny("no"), approval.Decided{By: "bench"}); err != nil {
		return err
	}
	fmt.Printf("%d open approvals: %.0f B resident each, %+d goroutines; made in %v (%v CPU each); an answer %v\n",
		n, each, runtime.NumGoroutine()-goroutines, made.Round(time.Millisecond), (spent / time.Duration(n)).Round(time.Microsecond), time.Since(began).Round(time.Microsecond))
	if gate && each > 400 {
		return fmt.Errorf("more than 400 B each")
	}
	return nil
}

func governed(j journal.Journal, desk approval.Desk) (*engine.Engine, error) {
	put := &tool.Tool{
		Name: "put", Description: "Puts.", Class: policy.Write, Source: tool.Source{Kind: policy.Host},
		Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`),
		Run:   func(context.Context, []byte) (tool.Result, error) { return tool.Result{Text: "ok"}, nil },
	}
	set, err := tool.NewSet([]*tool.Tool{put})
	if err != nil {
		return nil, err
	}
	box, _ := engine.NewToolbox(set)
	p, err := policy.Compile(&policy.Document{})
	if err != nil {
		return nil, err
	}
	return engine.New(engine.Options{Journal: j, Tools: box, Governor: engine.Fixed(p), Desk: desk, Keep: 64})
}

// fill opens n sessions with one waiting call each, from 64 callers.
func fill(e *engine.Engine, n int) error {
	var wg sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Pointer[error]
	for range 64 {
		wg.Go(func() {
			for next.Add(1) <= int64(n) && failed.Load() == nil {
				if err := one(e); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func one(e *engine.Engine) error {
	id, err := e.Create(engine.Who{Principal: "somebody"}, policy.Ask)
	if err != nil {
		return err
	}
	_, w, err := e.Begin(id, turn.Direct{Wire: "put", Args: `{"id":"something of a usual length"}`})
	if err == nil {
		w.Stop()
	}
	return err
}

// resident is the memory that the process holds, after a collection.
func resident() int64 {
	debug.FreeOSMemory()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(b)) {
		var kb int64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kb); err == nil {
			return kb << 10
		}
	}
	return 0
}
