// Command pictures photographs the pages of a program, as a person sees them at
// a desk and on a phone, in light and in dark colours.
//
//	go run ./internal/tools/pictures -url http://127.0.0.1:8080 / /orders
//	go run ./internal/tools/pictures / /orders -- ./shop -addr 127.0.0.1:0
//
// After -- comes a command that serves the pages. The first line that it prints
// is their address, and it is stopped in the end. Without paths it is / alone.
// What is wrong with a page is printed as well, and is no failure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

func main() {
	// Whatever ends this program has to end the one it started: also a pipe to
	// "head" that closes.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pictures", flag.ContinueOnError)
	folder := flags.String("out", "build/pictures", "the folder to write to")
	base := flags.String("url", "", "the address of a program that runs already")
	var command []string
	if at := slices.Index(args, "--"); at >= 0 {
		args, command = args[:at], args[at+1:]
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	paths := flags.Args()
	if len(paths) == 0 {
		paths = []string{"/"}
	}
	if (*base == "") == (len(command) == 0) {
		return errors.New("give either -url or, after --, a command")
	}
	if len(command) > 0 {
		server, err := serve(ctx, command)
		if err != nil {
			return fmt.Errorf("%s: %w", command[0], err)
		}
		defer server.stop()
		*base = server.url
	}
	return shoot(strings.TrimSuffix(*base, "/"), paths, *folder, out)
}
