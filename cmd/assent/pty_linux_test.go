package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// openPTY returns both ends of a new terminal.
func openPTY(t *testing.T) (outside, inside *os.File) {
	t.Helper()
	outside, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { outside.Close() })
	ioctl := func(request, arg uintptr) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, outside.Fd(), request, arg); e != 0 {
			t.Skipf("no terminals here: %v", e)
		}
	}
	var unlock, number int32
	ioctl(syscall.TIOCSPTLCK, uintptr(unsafe.Pointer(&unlock)))
	ioctl(syscall.TIOCGPTN, uintptr(unsafe.Pointer(&number)))
	inside, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return outside, inside
}

// A person at a real terminal: single keys answer, without Enter, and the
// terminal is given back as it was.
//
// proves: P14
func TestTheDemoAtATerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	outside, inside := openPTY(t)
	cmd := exec.CommandContext(t.Context(), self, "demo")
	cmd.Env = append(os.Environ(), asAssent+"=1", "TERM=xterm", "EDITOR=", "NO_COLOR=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	inside.Close()
	shown := newReader(outside)

	for _, step := range []struct{ wait, then string }{
		{"you> ", "Delete page 2\r"},
		{"answer> ", ""},
		{"", "y"}, // too early: the card is dead at first
		{"", "pause"},
		{"", "y"},
		{"Press a to do it", ""},
		{"answer> ", "a"},
		{"Deleted page 2, Controller.", ""},
		{"you> ", "/quit\r"},
	} {
		if step.wait != "" {
			shown.until(t, step.wait)
		}
		switch step.then {
		case "":
		case "pause":
			time.Sleep(600 * time.Millisecond) // a real terminal has a real clock
		default:
			if _, err := outside.WriteString(step.then); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
	if all := shown.all(); !strings.Contains(all, "\x1b[1;31m[DESTRUCTIVE]\x1b[0m") || strings.Contains(strings.ReplaceAll(all, "\r\n", ""), "\n") {
		t.Errorf("not drawn as a terminal needs it:\n%q", all)
	}
}

// reader collects what a terminal shows.
type reader struct {
	pieces chan []byte
	text   bytes.Buffer
	from   int // what was waited for already
}

func newReader(f *os.File) *reader {
	r := &reader{pieces: make(chan []byte, 1000)}
	go func() {
		defer close(r.pieces)
		for {
			buf := make([]byte, 4096)
			n, err := f.Read(buf)
			if err != nil {
				return // EIO: the other end is closed
			}
			r.pieces <- buf[:n]
		}
	}()
	return r
}

// until waits for text behind what was waited for before.
func (r *reader) until(t *testing.T, text string) {
	t.Helper()
	for {
		if i := strings.Index(r.text.String()[r.from:], text); i >= 0 {
			r.from += i + len(text)
			return
		}
		select {
		case p, ok := <-r.pieces:
			if !ok {
				t.Fatalf("the demo ended before it showed %q:\n%q", text, r.text.String())
			}
			r.text.Write(p)
		case <-time.After(30 * time.Second):
			t.Fatalf("the demo does not show %q:\n%q", text, r.text.String())
		}
	}
}

func (r *reader) all() string {
	for p := range r.pieces {
		r.text.Write(p)
	}
	return r.text.String()
}
