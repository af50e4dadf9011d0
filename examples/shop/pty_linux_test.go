package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/internal/tui/terminal/ptytest"
)

// A person at a terminal cancels an order with two keys, and what was kept of the
// shop is removed at the end.
//
// proves: P14
func TestAPersonAtTheTerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	cmd := exec.CommandContext(t.Context(), self, "-chat", "-as", "ann")
	cmd.Env = append(os.Environ(), asShop+"=1", "TMPDIR="+tmp, "TERM=xterm", "EDITOR=", "NO_COLOR=")
	shown := ptytest.Start(t, cmd)
	shown.Until("The model is a script")
	shown.Until("you> ")
	shown.Press("Cancel order #W1113349 because it was ordered by mistake\r")
	shown.Until("$250.00 -> $369.05")
	shown.Until("answer> ")
	time.Sleep(ptytest.Settle)
	shown.Press("y")
	shown.Until("Press a to do it")
	shown.Press("a")
	shown.Until("= approved by ann")
	shown.Until("#W1113349 is cancelled.")
	shown.Until("you> ")
	shown.Press("/quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the shop ended with %v", err)
	}
	if all := shown.All(); !strings.Contains(all, "\x1b[1;31m[DESTRUCTIVE]\x1b[0m") {
		t.Errorf("without colours:\n%q", all)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
