package ptytest

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

// Settle is longer than a new card takes no answer. A real terminal has a real
// clock.
const Settle = 600 * time.Millisecond

// patience is how long a program may take to show something.
const patience = 30 * time.Second

// Start starts a program at a new terminal. It skips the test where there are
// none.
func Start(t testing.TB, cmd *exec.Cmd) *Screen {
	t.Helper()
	outside, inside := open(t)
	defer inside.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return newScreen(t, outside)
}

// open returns both ends of a new terminal.
func open(t testing.TB) (outside, inside *os.File) {
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

// Screen is a terminal as a person sees it.
type Screen struct {
	t      testing.TB
	keys   *os.File
	pieces chan []byte
	text   bytes.Buffer
	from   int // what was waited for already
}

func newScreen(t testing.TB, f *os.File) *Screen {
	s := &Screen{t: t, keys: f, pieces: make(chan []byte, 1000)}
	go func() {
		defer close(s.pieces)
		for {
			buf := make([]byte, 4096)
			n, err := f.Read(buf)
			if err != nil {
				return // EIO: the other end is closed
			}
			s.pieces <- buf[:n]
		}
	}()
	return s
}

// Until waits for text behind what was waited for before.
func (s *Screen) Until(text string) {
	s.t.Helper()
	for {
		if i := strings.Index(s.text.String()[s.from:], text); i >= 0 {
			s.from += i + len(text)
			return
		}
		select {
		case p, ok := <-s.pieces:
			if !ok {
				s.t.Fatalf("the program ended before it showed %q:\n%q", text, s.text.String())
			}
			s.text.Write(p)
		case <-time.After(patience):
			s.t.Fatalf("the program does not show %q:\n%q", text, s.text.String())
		}
	}
}

// Press presses keys, all at once.
func (s *Screen) Press(keys string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// All returns everything that was shown, once the program has ended.
func (s *Screen) All() string {
	for p := range s.pieces {
		s.text.Write(p)
	}
	return s.text.String()
}
