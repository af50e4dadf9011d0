// Command mcptools brings the tools of public MCP servers to an agent and says
// what became of them.
//
//	go run ./conformance/mcptools                 the descriptors of the data
//	go run ./conformance/mcptools -dir DIR        others, one JSON file for each server
//	go run ./conformance/mcptools -v              name every tool that is held
//
// A file is what a server answered to tools/list: {"tools": [{name, description,
// inputSchema, …}]}. The exit code is 1 where a tool got lost, where one is held
// for a reason that names no keyword of its schema, or where two have names that
// a model could mix up. docs/guide/conformance.md explains the output.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mcptools:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mcptools", flag.ContinueOnError)
	dir := flags.String("dir", "", "the folder with the descriptors; empty: mcp-tools of ASSENT_DATA or ../shared/data")
	verbose := flags.Bool("v", false, "name every tool that is held or checked in part")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		data := os.Getenv("ASSENT_DATA")
		if data == "" {
			data = filepath.Join("..", "shared", "data")
		}
		*dir = filepath.Join(data, "mcp-tools")
	}
	servers, err := load(*dir)
	if err != nil {
		return err
	}
	r := &report{out: out, verbose: *verbose, held: map[string]int{}}
	if err := r.look(ctx, servers); err != nil {
		return err
	}
	r.print(servers)
	if r.wrong > 0 {
		return fmt.Errorf("%d mismatches", r.wrong)
	}
	return nil
}
