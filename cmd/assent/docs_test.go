package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/tui/chat"
	"github.com/spf13/cobra"
)

// The reference names every command, exit code and line of the demo.
func TestTheReferenceIsWhole(t *testing.T) {
	data, err := os.ReadFile("../../docs/guide/reference-cli.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Runnable() && !c.HasSubCommands() && c.Name() != "help" && !strings.Contains(page, "`"+c.CommandPath()) {
			t.Errorf("the page does not name %q", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&options{}))
	for _, code := range []int{exitOK, exitNo, exitUsage, exitAsk, exitFailed} {
		if !strings.Contains(page, fmt.Sprintf("| %d |", code)) || !strings.Contains(exitText, fmt.Sprintf("\n  %d  ", code)) {
			t.Errorf("exit code %d is not in the page and in the help", code)
		}
	}
	for _, line := range chat.Help() {
		if name, _, _ := strings.Cut(line, " "); !strings.Contains(page, "`"+name) {
			t.Errorf("the page does not name %s", name)
		}
	}
}
