package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/internal/tui/terminal/ptytest"
)

// atTerminal starts the command at a new terminal.
func atTerminal(t *testing.T, editor string, args ...string) (*exec.Cmd, *ptytest.Screen) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asAssent+"=1", "TERM=xterm", "EDITOR="+editor, "NO_COLOR=")
	return cmd, ptytest.Start(t, cmd)
}

// A person at a real terminal: single keys answer, without Enter, and the
// terminal is given back as it was.
//
// proves: P14
func TestTheDemoAtATerminal(t *testing.T) {
	cmd, shown := atTerminal(t, "", "demo")
	shown.Until("you> ")
	shown.Press("Delete page 2\r")
	shown.Until("answer> ")
	shown.Press("y") // too early: the card is dead at first
	time.Sleep(ptytest.Settle)
	shown.Press("y")
	shown.Until("Press a to do it")
	shown.Until("answer> ")
	shown.Press("a")
	shown.Until("Deleted page 2, Controller.")
	shown.Until("you> ")
	shown.Press("/quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
	if all := shown.All(); !strings.Contains(all, "\x1b[1;31m[DESTRUCTIVE]\x1b[0m") || strings.Contains(strings.ReplaceAll(all, "\r\n", ""), "\n") {
		t.Errorf("not drawn as a terminal needs it:\n%q", all)
	}
}

// The editor has the terminal to itself, and what it leaves in the file is what
// the person answers with.
//
// proves: P8
func TestTheDemoWithAnEditor(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho ready\nread line\necho \"editing $line\"\nsed -i s/V3V3/VDD/ \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd, shown := atTerminal(t, editor, "demo")
	shown.Until("you> ")
	shown.Press("Rename N$7 to V3V3\r")
	shown.Until("answer> ")
	time.Sleep(ptytest.Settle)
	shown.Press("e")
	shown.Until("ready")
	shown.Press("a line\r") // which only comes in whole where the terminal gives lines
	shown.Until("editing a line")
	shown.Until(`Changed to {"name":"VDD","net":"N$7"}`)
	shown.Until("Renamed N$7 to VDD")
	shown.Until("you> ")
	shown.Press("/quit\r") // single keys again
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
}

// A program that is killed while a tool runs comes back with the question what
// became of the call, and does not run it again by itself.
//
// proves: S2
func TestTheDemoIsKilled(t *testing.T) {
	log := filepath.Join(t.TempDir(), "demo.log")
	cmd, shown := atTerminal(t, "", "demo", "--journal", log)
	shown.Until("you> ")
	shown.Press("Renumber R from 101\r")
	shown.Until("answer> ")
	time.Sleep(ptytest.Settle)
	shown.Press("y")
	shown.Until("page 1 of 3")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	cmd, shown = atTerminal(t, "", "demo", "--journal", log)
	shown.Until("What became of this?")
	shown.Until("answer> ")
	time.Sleep(ptytest.Settle)
	shown.Press("g")
	shown.Until("Renumbered R1 to R101, R2 to R102.")
	shown.Until("you> ")
	shown.Press("/verify\r")
	shown.Until("every chain holds")
	shown.Press("/quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
}
