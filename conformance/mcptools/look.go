package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// report counts what became of the tools.
type report struct {
	out     io.Writer
	verbose bool
	wrong   int

	tools, offered, partly, outputs, plain, sharing int
	held                                            map[string]int // by the keyword that is why
}

func (r *report) mismatch(format string, args ...any) {
	r.wrong++
	fmt.Fprintf(r.out, "MISMATCH "+format+"\n", args...)
}

func (r *report) detail(format string, args ...any) {
	if r.verbose {
		fmt.Fprintf(r.out, format+"\n", args...)
	}
}

// look brings the tools to an agent, each server as a source.
func (r *report) look(ctx context.Context, servers []server) error {
	set, err := setOf(servers)
	if err != nil {
		return err
	}
	infos, reasons, err := r.start(ctx, servers)
	if err != nil {
		return err
	}
	for _, s := range servers {
		for _, d := range s.tools {
			r.tools++
			e, ok := set.Find(s.identity(d))
			if !ok {
				r.mismatch("%s %s: the tool got lost", s.name, d.Name)
				continue
			}
			r.tool(d, e, infos[e.Wire], reasons[e.Wire])
		}
	}
	return r.names(servers, set)
}

func setOf(servers []server) (*tool.Set, error) {
	var lists [][]*tool.Tool
	for _, s := range servers {
		lists = append(lists, s.toolList())
	}
	return tool.NewSet(nil, lists...)
}

func (s server) identity(d descriptor) tool.Identity {
	return tool.Identity{Kind: policy.LocalMCP, Source: s.name, Name: d.Name}
}

// start returns the tools of an agent that has the servers as sources, by wire
// name, and why it holds tools back.
func (r *report) start(ctx context.Context, servers []server) (infos map[string]assent.ToolInfo, reasons map[string]string, err error) {
	var opts []assent.Option
	for _, s := range servers {
		opts = append(opts, assent.WithToolSource(assent.ToolSourceFunc(func(context.Context, assent.SourceContext) ([]*tool.Tool, error) {
			return s.toolList(), nil
		})))
	}
	agent, err := assent.New(opts...)
	if err != nil {
		return nil, nil, err
	}
	defer agent.Close()
	if err := agent.Start(ctx); err != nil {
		return nil, nil, err
	}
	infos, reasons = map[string]assent.ToolInfo{}, map[string]string{}
	for _, t := range agent.Tools() {
		infos[t.Name] = t
	}
	for _, n := range agent.Notices() {
		switch n.Code {
		case "schema_held":
			reasons[n.Params["tool"]] = n.Params["text"]
		case "schema_warning":
			r.partly++
			r.detail("in part  %s: %s", n.Params["tool"], n.Params["text"])
		default:
			r.mismatch("the start says: %s", n)
		}
	}
	return infos, reasons, nil
}

func (r *report) print(servers []server) {
	held := 0
	for _, n := range r.held {
		held += n
	}
	fmt.Fprintf(r.out, "mcptools: %d servers, %d tools\n", len(servers), r.tools)
	fmt.Fprintf(r.out, "  offered %d, %d places of schemas not enforced; held %d\n", r.offered, r.partly, held)
	for _, keyword := range slices.Sorted(maps.Keys(r.held)) {
		fmt.Fprintf(r.out, "  held for the keyword %q: %d\n", keyword, r.held[keyword])
	}
	fmt.Fprintf(r.out, "  output schemas that compile: %d\n", r.outputs)
	fmt.Fprintf(r.out, "  wire names: %d plain, %d with a hash; %d tools share their raw name with another server's\n", r.plain, r.tools-r.plain, r.sharing)
	fmt.Fprintf(r.out, "mcptools: %d mismatches\n", r.wrong)
}
