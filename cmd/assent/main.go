// Command assent decides calls, checks tool descriptions, verifies logs, and
// shows all of it in a demo.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command and returns its exit code; see exits.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := &options{}
	root := newRoot(o)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	return report(stderr, cmd, err, o.json)
}

// options are the flags of every command.
type options struct {
	json bool
}

func newRoot(o *options) *cobra.Command {
	root := &cobra.Command{
		Use:           "assent",
		Short:         "Makes an application's tools safe for AI agents",
		Long:          "Assent checks, decides, asks, runs and records the calls that a model makes of an application's tools.",
		Example:       "  assent demo\n  assent decide --mode ask --class write",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVar(&o.json, "json", false, "write JSON")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%s", err) })
	root.AddCommand(newDemo(o), newDecide(o), newTools(o), newAudit(o), newVersion(o), newExitCodes())
	return root
}

// group is a command that only has others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("unknown command %q", cmd.CommandPath()+" "+args[0])
		}
		return cmd.Help()
	}}
	cmd.AddCommand(commands...)
	return cmd
}
