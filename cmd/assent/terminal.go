package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/assentdev/assent/cmd/assent/internal/demo"
	"github.com/assentdev/assent/internal/tui/chat"
	"github.com/assentdev/assent/internal/tui/keys"
	"golang.org/x/term"
)

// terminal is a terminal at both ends, which gives single keys while it is raw.
type terminal struct {
	in, out *os.File
	before  *term.State // nil: not raw
	keys    *keys.Source
}

// findTerminal returns the terminal, if reader and writer are one.
func findTerminal(in io.Reader, out io.Writer) (*terminal, bool) {
	i, ok1 := in.(*os.File)
	o, ok2 := out.(*os.File)
	if !ok1 || !ok2 || !term.IsTerminal(int(i.Fd())) || !term.IsTerminal(int(o.Fd())) {
		return nil, false
	}
	return &terminal{in: i, out: o}, true
}

// use gives the terminal to the demo.
func (t *terminal) use(d *demo.Options, f *demoFlags) error {
	if err := t.raw(); err != nil {
		return err
	}
	t.keys = keys.NewSource(t.in)
	d.Keys, d.Out, d.Pace, d.Arm = t.keys, crlf{t.out}, pace, chat.DefaultArm
	d.Live = true
	d.Ink.Color = colors(f)
	if w, _, err := term.GetSize(int(t.out.Fd())); err == nil && f.columns == 0 {
		d.Ink.Width = w
	}
	if os.Getenv("EDITOR") != "" {
		d.Edit = t.edit
	}
	return nil
}

func (t *terminal) raw() (err error) {
	t.before, err = term.MakeRaw(int(t.in.Fd()))
	return err
}

// restore gives the terminal back as it was.
func (t *terminal) restore() {
	if t.before != nil {
		_ = term.Restore(int(t.in.Fd()), t.before)
		t.before = nil
	}
}

// edit lets the person change text in $EDITOR. The file is theirs alone and is
// removed afterwards: arguments may be confidential.
func (t *terminal) edit(ctx context.Context, text string) (string, error) {
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
	t.restore()
	defer t.raw() //nolint:errcheck // without it keys come by line, which still works
	words := strings.Fields(os.Getenv("EDITOR"))
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], f.Name())...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.in, t.out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	changed, err := os.ReadFile(f.Name())
	return strings.TrimSpace(string(changed)), err
}

// crlf ends lines as a raw terminal needs it.
type crlf struct{ w io.Writer }

func (c crlf) Write(p []byte) (int, error) {
	if _, err := c.w.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}
