package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/spf13/cobra"
)

// The exit codes. docs/guide/reference-cli.md lists them too.
const (
	exitOK     = 0
	exitNo     = 1
	exitUsage  = 2
	exitAsk    = 3
	exitFailed = 4
)

const exitText = `Every command ends with one of these codes:

  0  Fine.
  1  The answer is no: problems were found, a log's chain does not hold, or,
     for "decide --exit-code", the call would be refused.
  2  The command line is wrong, or its input cannot be read.
  3  For "decide --exit-code": a person would be asked.
  4  Something else failed, such as writing the output.

Data goes to the standard output. What went wrong goes to the standard error:
one line says what and where, one says what next. With --json both are JSON.`

func newExitCodes() *cobra.Command {
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: exitText}
}

// failure is an error with an exit code and what to do next. A nil err says that
// the output has told it all.
type failure struct {
	exit int
	err  error
	next string
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// usage is a command line that makes no sense.
func usage(format string, args ...any) error {
	return &failure{exit: exitUsage, err: fmt.Errorf(format, args...)}
}

// unreadable is input that cannot be read: err says what, next what to do.
func unreadable(err error, next string) error {
	return &failure{exit: exitUsage, err: err, next: next}
}

// no is the answer no, which the output has told.
func no() error { return &failure{exit: exitNo} }

// report writes an error and returns the exit code.
func report(w io.Writer, cmd *cobra.Command, err error, asJSON bool) int {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{exit: exitFailed, err: err}
		if isUsage(err) {
			f.exit = exitUsage
		}
	}
	if f.err == nil {
		return f.exit
	}
	if f.next == "" && f.exit == exitUsage {
		f.next = fmt.Sprintf("Run %q for what it takes.", cmd.CommandPath()+" --help")
	}
	if f.next == "" {
		f.next = "Nothing was decided or changed by this; run it again when the cause is gone."
	}
	if asJSON {
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"exit": f.exit, "text": text(f.err), "next": f.next}})
		return f.exit
	}
	fmt.Fprintf(w, "%s: %s\n%s\n", cmd.CommandPath(), strings.TrimSuffix(text(f.err), "."), f.next)
	return f.exit
}

// isUsage says whether the error is cobra's own word on the command line.
func isUsage(err error) bool {
	for _, begin := range []string{"unknown command", "accepts ", "requires ", "required flag", "unknown flag", "if any flags in the group"} {
		if strings.HasPrefix(err.Error(), begin) {
			return true
		}
	}
	return false
}

// text is what a person is told of an error: the text for people where it has
// one, with what led to it.
func text(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Error()
	}
	if fault.CodeOf(err) != fault.Internal {
		return fault.TextOf(err)
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}
