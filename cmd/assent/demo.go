package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/cmd/assent/internal/demo"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/chat"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/stage"
	"github.com/assentdev/assent/internal/tui/terminal"
	"github.com/assentdev/assent/policy"
	"github.com/spf13/cobra"
)

type demoFlags struct {
	script  bool
	journal string
	mode    string
	columns int
	noColor bool
}

func newDemo(o *options) *cobra.Command {
	f := &demoFlags{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Talk to a scripted model about a schematic, and decide what it may do",
		Long: "A conversation in the terminal about examples/schematic, whose tools read, write with undo, and\n" +
			"destroy with a preview; one has no class. The model is a script: there is no AI, no account and no\n" +
			"network. Without a terminal, or with --script, the demo plays itself.\n\n" +
			"With --journal the demo survives kill -9: what was asked is asked again, and what became of a call that\n" +
			"was cut off is a question for you. Try it while \"Renumber R from 101\" runs.\n\nIn the conversation:\n  " +
			strings.Join(chat.Help(), "\n  "),
		Example: "  assent demo\n  assent demo --script\n  assent demo --journal demo.log && assent audit verify demo.log",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, o, f) },
	}
	cmd.Flags().BoolVar(&f.script, "script", false, "play a fixed conversation, without a terminal")
	cmd.Flags().StringVar(&f.journal, "journal", "", "keep the log in this file, and go on with a turn that is open in it (default: in memory)")
	cmd.Flags().StringVar(&f.mode, "mode", "ask", "the mode in which the session starts")
	cmd.Flags().IntVar(&f.columns, "columns", 0, "write for this width (default: that of the terminal, or 80)")
	cmd.Flags().BoolVar(&f.noColor, "no-color", false, "write without colours, as with NO_COLOR")
	return cmd
}

func runDemo(cmd *cobra.Command, o *options, f *demoFlags) error {
	mode, err := policy.ParseMode(f.mode)
	if err != nil {
		return unreadable(err, "Write --mode off, read_only, ask or auto.")
	}
	d := stage.Options{Out: cmd.OutOrStdout(), Ink: ink.Ink{Width: f.columns}, Journal: f.journal, Mode: mode}
	if o.json {
		d.Out, d.Events = io.Discard, eventLines(cmd.OutOrStdout())
	}
	if t, ok := terminal.Find(cmd.InOrStdin(), cmd.OutOrStdout()); ok && !f.script && !o.json {
		if err := t.Open(); err != nil {
			return err
		}
		defer t.Close()
		d.At(t)
		d.Ink.Color = !f.noColor && terminal.Colors()
	}
	err = demo.Run(cmd.Context(), d)
	switch fault.CodeOf(err) {
	case fault.Conflict, fault.BadJournal, fault.BadChain:
		return unreadable(err, "Give --journal another file, or look at this one with \"assent audit verify\".")
	}
	return err
}

// eventLines returns a function that writes events as JSON Lines.
func eventLines(w io.Writer) func(assent.Event) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return func(ev assent.Event) {
		name := strings.TrimPrefix(fmt.Sprintf("%T", ev), "assent.")
		_ = enc.Encode(map[string]any{"type": name, "event": ev})
	}
}
