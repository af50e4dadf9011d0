package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/spf13/cobra"
)

type exportFlags struct {
	filter      audit.Filter
	from, until string
	mask        []string
	key, out    string
}

func newAuditExport(o *options) *cobra.Command {
	f := &exportFlags{}
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a part of a log that can be verified by itself",
		Long: "Writes records of a journal file as JSON Lines, and behind them a checkpoint that covers them. Streams are\n" +
			"exported whole, so that their chains can be verified; records that --turn, --from and --until leave out are\n" +
			"there without their content. With --key the checkpoint is signed; without, it proves nothing to strangers.",
		Example: "  assent audit export demo.log --key log.key -o export.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return export(cmd, o, f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.filter.Streams, "stream", nil, "only this stream, such as session/ID; may be given again")
	fl.StringVar(&f.filter.Turn, "turn", "", "with the content of this turn only")
	fl.StringVar(&f.from, "from", "", "with the content from this time on, such as 2027-01-31T00:00:00Z")
	fl.StringVar(&f.until, "until", "", "with the content before this time")
	fl.StringArrayVar(&f.mask, "mask", nil, "a JSON Pointer of what is replaced by *** in every content; * stands for any step; may be given again")
	fl.StringVar(&f.key, "key", "", "a file with the private key that signs")
	fl.StringVarP(&f.out, "out", "o", "", "the file to write, which must not exist (default: the standard output)")
	return cmd
}

func export(cmd *cobra.Command, o *options, f *exportFlags, path string) error {
	opts, err := f.options(cmd)
	if err != nil {
		return err
	}
	var signed *audit.Signed
	write := func(w io.Writer) (err error) {
		buf := bufio.NewWriter(w)
		if signed, err = journal.ExportFile(buf, path, opts); err != nil {
			return err
		}
		return buf.Flush()
	}
	if err := f.write(cmd.OutOrStdout(), write); err != nil {
		return exportFailed(path, err)
	}
	return f.tell(cmd, o, signed)
}

func (f *exportFlags) options(cmd *cobra.Command) (*audit.ExportOptions, error) {
	opts := &audit.ExportOptions{Filter: f.filter}
	for _, t := range []struct {
		flag, text string
		to         *time.Time
	}{{"--from", f.from, &opts.Filter.From}, {"--until", f.until, &opts.Filter.Until}} {
		if t.text == "" {
			continue
		}
		var err error
		if *t.to, err = time.Parse(time.RFC3339, t.text); err != nil {
			return nil, unreadable(fmt.Errorf("%s %q is no time", t.flag, t.text), "Write it as 2027-01-31T00:00:00Z.")
		}
	}
	if len(f.mask) > 0 {
		if _, _, err := audit.Mask([]byte("{}"), f.mask); err != nil {
			return nil, unreadable(err, "Write a JSON Pointer, such as /args/password.")
		}
		opts.Secrets = func(*audit.Record) []string { return f.mask }
	}
	if f.key != "" {
		key, err := signer(cmd, f.key)
		if err != nil {
			return nil, err
		}
		opts.Key = key
	}
	return opts, nil
}

// exportFailed says whether the log or the output is to blame.
func exportFailed(path string, err error) error {
	return logFailed(path, err, "Run \"assent audit verify\" to see what is wrong with it.")
}

// logFailed is a log that cannot be read, or is not sound; any other error is itself.
func logFailed(path string, err error, next string) error {
	if perr, ok := errors.AsType[*fs.PathError](err); ok {
		return unreadable(perr, "Give a file that can be read.")
	}
	switch fault.CodeOf(err) {
	case fault.BadJournal:
		return unreadable(fmt.Errorf("%s: %s", path, fault.TextOf(err)), next)
	case fault.BadChain:
		return &failure{exit: exitNo, err: fmt.Errorf("%s: %s", path, fault.TextOf(err)), next: next}
	}
	return err
}

// write calls f with the output. A file that could not be written whole is removed.
func (f *exportFlags) write(stdout io.Writer, to func(io.Writer) error) error {
	if f.out == "" {
		return to(stdout)
	}
	file, err := create(f.out)
	if err != nil {
		return err
	}
	err = to(file)
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.out)
	}
	return err
}

// create creates a file that only its owner can read, and never replaces one.
func create(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, unreadable(err, "Give a path where a new file can be written.")
	}
	return file, nil
}

// tell says what was exported, where the standard output is free for it.
func (f *exportFlags) tell(cmd *cobra.Command, o *options, signed *audit.Signed) error {
	c := signed.Checkpoint
	if f.out == "" {
		return nil
	}
	if o.json {
		return writeJSON(cmd.OutOrStdout(), signed)
	}
	by := "not signed"
	if signed.Key != "" {
		by = "signed by key " + signed.Key
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%d lines of %d streams in %s, %s\n", c.Lines.Count, len(c.Heads), f.out, by)
	return err
}
