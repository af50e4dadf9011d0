package main

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/assentdev/assent"
)

// ledger is what the tools did.
type ledger struct {
	mu      sync.Mutex
	runs    []ran
	store   *store
	deeds   map[key]deed
	invents bool // a call without a recorded result gets an invented one
}

// ran is one run of a tool.
type ran struct{ call, tool, args string }

func (s *set) ledger(sc *scenario) *ledger {
	l := &ledger{store: sc.results.store(sc.kind != "replay"), deeds: map[key]deed{}, invents: sc.kind != "replay"}
	specs, _ := s.specs()
	for _, t := range sc.turns {
		for _, p := range t.steps {
			for _, c := range p.calls {
				if spec := specs[c.Name]; spec != nil && c.does != "" {
					if args, err := spec.arguments(c.Args); err == nil {
						l.deeds[key{c.Name, args}] = c.does
					}
				}
			}
		}
	}
	return l
}

// define makes the set's tools, which write into the ledger.
func (l *ledger) define(tools []toolSpec) []*assent.Tool {
	var list []*assent.Tool
	for _, t := range tools {
		list = append(list, assent.DefineRaw(t.name, t.description, t.input, func(ctx context.Context, args []byte) (any, error) {
			return l.run(ctx, key{t.name, string(args)})
		}, &assent.RawOptions{Class: t.class}))
	}
	return list
}

var errNotRecorded = errors.New("there is no recorded call with these arguments")

func (l *ledger) run(ctx context.Context, k key) (any, error) {
	l.mu.Lock()
	l.runs = append(l.runs, ran{assent.CallFrom(ctx).ID, k.tool, k.args})
	text, ok := l.store.take(k)
	l.mu.Unlock()
	switch l.deeds[k] {
	case hangs:
		<-ctx.Done()
		return nil, ctx.Err()
	case fails:
		return nil, errors.New(failure(k))
	case panics:
		panic("a tool that panics")
	}
	switch {
	case ok:
		return text, nil
	case l.invents:
		return invented(k), nil
	}
	return nil, errNotRecorded
}

func (l *ledger) all() []ran {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.runs)
}
