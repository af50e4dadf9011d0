// Package terminal is the terminal at which a person sits: single keys, what is
// shown, and an editor.
package terminal

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/assentdev/assent/internal/tui/keys"
	"golang.org/x/term"
)

// Terminal is a terminal at both ends. As a writer it ends lines as a terminal
// needs them that gives single keys.
type Terminal struct {
	in, out *os.File
	before  *term.State  // nil: it gives lines
	keys    *keys.Source // nil: it was never opened
}

// Find returns the terminal, if reader and writer are one.
func Find(in io.Reader, out io.Writer) (*Terminal, bool) {
	i, ok1 := in.(*os.File)
	o, ok2 := out.(*os.File)
	if !ok1 || !ok2 || !term.IsTerminal(int(i.Fd())) || !term.IsTerminal(int(o.Fd())) {
		return nil, false
	}
	return &Terminal{in: i, out: o}, true
}

// Open lets the terminal give single keys, until Close.
func (t *Terminal) Open() (err error) {
	if t.keys == nil {
		t.keys = keys.NewSource(t.in)
	}
	t.before, err = term.MakeRaw(int(t.in.Fd()))
	return err
}

// Close gives the terminal back as it was before Open.
func (t *Terminal) Close() {
	if t.before != nil {
		_ = term.Restore(int(t.in.Fd()), t.before)
		t.before = nil
	}
}

// Keys are the keys that are pressed; nil before Open.
func (t *Terminal) Keys() *keys.Source { return t.keys }

// Columns returns the terminal's width, 0 where it does not say.
func (t *Terminal) Columns() int {
	w, _, err := term.GetSize(int(t.out.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// Write writes text whose lines end with "\n".
func (t *Terminal) Write(p []byte) (int, error) {
	if _, err := t.out.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Colors says whether the person wants colours (https://no-color.org).
func Colors() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// Editor returns what lets the person change text in $EDITOR; nil without one.
func (t *Terminal) Editor() func(ctx context.Context, text string) (string, error) {
	words := strings.Fields(os.Getenv("EDITOR"))
	if len(words) == 0 {
		return nil
	}
	return func(ctx context.Context, text string) (string, error) { return t.edit(ctx, words, text) }
}

// edit writes the text to a file for the editor. The file is the person's alone
// and is removed afterwards: arguments may be confidential.
func (t *Terminal) edit(ctx context.Context, editor []string, text string) (string, error) {
	f, err := os.CreateTemp("", "assent-*.json")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text + "\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", err
	}
	t.Close()
	defer t.Open() //nolint:errcheck // without it keys come by line, which still works
	cmd := exec.CommandContext(ctx, editor[0], append(editor[1:], f.Name())...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.in, t.out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	changed, err := os.ReadFile(f.Name())
	return strings.TrimSpace(string(changed)), err
}
