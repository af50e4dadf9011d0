// Command shop is the desk of a small shop. Its staff sees pages, and an agent
// gets the same actions as governed tools:
//
//	shop            serves the pages and prints where
//	shop -chat      talks to a scripted model in the terminal, which may use the tools
//	shop -script    the same, and it plays itself
//
// The shop's own data are a few invented people and orders. With -data it loads
// a folder of users.json, orders.json and products.json, and with -db it keeps
// what is done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/examples/shop/shop"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, errUsage): // the flags have said what is wrong
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

type options struct {
	addr, as     string
	data, db     string
	chat, script bool
	mode         assent.Mode
}

// errUsage is the error of flags that were told to be wrong.
var errUsage = errors.New("wrong flags")

func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (err error) {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	s, closed, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed()) }()
	log := slog.New(slog.NewTextHandler(errs, nil))
	app := shop.App(s, log)
	if o.chat || o.script {
		return converse(ctx, app, o, in, out)
	}
	return serve(ctx, app, o, log, out)
}

// parse reads the flags. What is wrong with them is said already.
func parse(args []string, errs io.Writer) (options, error) {
	o := options{mode: assent.Ask}
	flags := flag.NewFlagSet("shop", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8080", "the `address` of the pages; port 0 is a free one")
	flags.StringVar(&o.as, "as", "you", "the `name` of who is signed in")
	flags.StringVar(&o.data, "data", "", "the `folder` of the data to begin with (default: the shop's own)")
	flags.StringVar(&o.db, "db", "", "keep the shop in this `file`; one that holds a shop is opened as it is (default: a temporary one)")
	flags.BoolVar(&o.chat, "chat", false, "talk to a scripted model in the terminal instead of serving pages")
	flags.BoolVar(&o.script, "script", false, "let that conversation play itself")
	flags.TextVar(&o.mode, "mode", o.mode, "the `mode` in which that conversation begins: off, read_only, ask or auto")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return o, err
	case err != nil:
		return o, errUsage
	case flags.NArg() > 0:
		fmt.Fprintf(errs, "%q is no flag: shop -help lists them\n", flags.Arg(0))
		return o, errUsage
	}
	return o, nil
}
