package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// atTerminal starts the command at a new terminal.
func atTerminal(t *testing.T, args ...string) (*exec.Cmd, *reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	outside, inside := openPTY(t)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asAssent+"=1", "TERM=xterm", "EDITOR=", "NO_COLOR=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	inside.Close()
	return cmd, newReader(outside)
}

// settle is longer than a new card takes no answer. A real terminal has a real
// clock.
const settle = 600 * time.Millisecond

// A person at a real terminal: single keys answer, without Enter, and the
// terminal is given back as it was.
//
// proves: P14
func TestTheDemoAtATerminal(t *testing.T) {
	cmd, shown := atTerminal(t, "demo")
	shown.until(t, "you> ")
	shown.press(t, "Delete page 2\r")
	shown.until(t, "answer> ")
	shown.press(t, "y") // too early: the card is dead at first
	time.Sleep(settle)
	shown.press(t, "y")
	shown.until(t, "Press a to do it")
	shown.until(t, "answer> ")
	shown.press(t, "a")
	shown.until(t, "Deleted page 2, Controller.")
	shown.until(t, "you> ")
	shown.press(t, "/quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
	if all := shown.all(); !strings.Contains(all, "\x1b[1;31m[DESTRUCTIVE]\x1b[0m") || strings.Contains(strings.ReplaceAll(all, "\r\n", ""), "\n") {
		t.Errorf("not drawn as a terminal needs it:\n%q", all)
	}
}

// A program that is killed while a tool runs comes back with the question what
// became of the call, and does not run it again by itself.
//
// proves: S2
func TestTheDemoIsKilled(t *testing.T) {
	log := filepath.Join(t.TempDir(), "demo.log")
	cmd, shown := atTerminal(t, "demo", "--journal", log)
	shown.until(t, "you> ")
	shown.press(t, "Renumber R from 101\r")
	shown.until(t, "answer> ")
	time.Sleep(settle)
	shown.press(t, "y")
	shown.until(t, "page 1 of 3")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	cmd, shown = atTerminal(t, "demo", "--journal", log)
	shown.until(t, "What became of this?")
	shown.until(t, "answer> ")
	time.Sleep(settle)
	shown.press(t, "g")
	shown.until(t, "Renumbered R1 to R101, R2 to R102.")
	shown.until(t, "you> ")
	shown.press(t, "/verify\r")
	shown.until(t, "every chain holds")
	shown.press(t, "/quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
}

// reader collects what a terminal shows.
type reader struct {
	keys   *os.File
	pieces chan []byte
	text   bytes.Buffer
	from   int // what was waited for already
}

func newReader(f *os.File) *reader {
	r := &reader{keys: f, pieces: make(chan []byte, 1000)}
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

func (r *reader) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := r.keys.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (r *reader) all() string {
	for p := range r.pieces {
		r.text.Write(p)
	}
	return r.text.String()
}
