package chat

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/policy"
)

// command is something that a line beginning with a slash asks for.
type command struct {
	name, args, help string
	run              func(c *Chat, ctx context.Context, arg string) error
}

var commands = []command{
	{"/mode", "[MODE]", "show the mode, or set it: off, read_only, ask or auto", (*Chat).mode},
	{"/tools", "", "the tools, their classes, and what each mode does with them", (*Chat).tools},
	{"/grants", "", "the approvals that are remembered", (*Chat).grants},
	{"/revoke", "N", "forget approval N of /grants", (*Chat).revoke},
	{"/undo", "[N]", "take back the last change, or change N from the last", (*Chat).undo},
	{"/log", "[N]", "the last N events of this session's log, 10 by default", (*Chat).log},
	{"/verify", "", "check the log's chain of hashes", (*Chat).verify},
}

// nameColumns is the width of a command with its arguments.
const nameColumns = 16

// Help returns the lines of /help.
func Help() (lines []string) {
	for _, c := range commands {
		lines = append(lines, fmt.Sprintf("%-*s %s", nameColumns, strings.TrimSpace(c.name+" "+c.args), c.help))
	}
	return append(lines, fmt.Sprintf("%-*s %s", nameColumns, "/quit", "leave"))
}

// help shows the commands. What does not fit stands below the words and not
// below the names.
func (c *Chat) help() {
	for _, line := range Help() {
		name, text := line[:nameColumns], line[nameColumns+1:]
		for _, part := range ink.Wrap(text, max(c.o.Ink.Columns()-nameColumns-3, nameColumns)) {
			c.say("  " + name + " " + part)
			name = strings.Repeat(" ", nameColumns)
		}
	}
}

// command runs a command. What is wrong with one is said, and the conversation
// goes on.
func (c *Chat) command(ctx context.Context, line string) error {
	name, arg, _ := strings.Cut(line, " ")
	switch name {
	case "/quit", "/exit":
		return errQuit
	case "/help":
		c.help()
		return nil
	}
	for _, cmd := range commands {
		if cmd.name == name {
			return c.tell(cmd.run(c, ctx, strings.TrimSpace(arg)))
		}
	}
	c.sayf("  There is no command %s. /help lists them.", safetext.Escape(name))
	return nil
}

// tell says an error that has a text for people, and returns any other.
func (c *Chat) tell(err error) error {
	if err == nil || fault.CodeOf(err) == fault.Internal {
		return err
	}
	c.wrap("  ", fault.TextOf(err), nil)
	return nil
}

func (c *Chat) mode(_ context.Context, arg string) error {
	if arg != "" {
		m, err := policy.ParseMode(arg)
		if err != nil {
			return err
		}
		if err := c.o.Session.SetMode(m); err != nil {
			return err
		}
	}
	m, why := c.o.Session.EffectiveMode()
	text := "The mode is " + m.String() + "."
	if why != "" {
		text = fmt.Sprintf("The mode is %s: limit %s narrows %s.", m, safetext.Escape(why), c.o.Session.Mode())
	}
	c.wrap("  ", text, nil)
	return nil
}

// verdictWords say what happens to a tool.
var verdictWords = map[policy.Verdict]string{policy.Run: "runs", policy.AskFirst: "asks", policy.Hidden: "hidden", policy.Deny: "denied"}

// modes are what the columns of /tools show.
var modes = []policy.Mode{policy.Off, policy.ReadOnly, policy.Ask, policy.Auto}

// badgeColumns is the width of the longest badge.
const badgeColumns = 13

// tools lists the tools as a table, or where that is too wide, with what
// happens in the present mode.
func (c *Chat) tools(context.Context, string) error {
	now, _ := c.o.Session.EffectiveMode()
	list, names := c.o.Agent.Tools(), len("tool")
	for _, t := range list {
		names = max(names, ink.Columns(safetext.Name(t.Name)))
	}
	shown := modes
	if c.o.Ink.Columns() < 2+names+1+badgeColumns+len(" hidden  read_only  hidden  hidden") {
		shown = []policy.Mode{now}
	}
	c.row(names, "tool", "class"+strings.Repeat(" ", badgeColumns-len("class")), shown, policy.Mode.String)
	for _, t := range list {
		badge := c.o.Ink.Class(t.Class) + strings.Repeat(" ", max(0, badgeColumns-ink.Columns(ink.Ink{}.Class(t.Class))))
		c.row(names, safetext.Name(t.Name), badge, shown, func(m policy.Mode) string { return verdictWords[t.Verdicts[m]] })
		if t.Held != "" {
			c.wrap("    ", "held back: "+safetext.Escape(t.Held), nil)
		}
	}
	c.wrap("  ", "The mode is "+now.String()+". A rule may be stricter for one call.", nil)
	return nil
}

// row writes a row of /tools.
func (c *Chat) row(names int, name, badge string, shown []policy.Mode, cell func(policy.Mode) string) {
	line := fmt.Sprintf("  %-*s %s", names, name, badge)
	for _, m := range shown {
		line += fmt.Sprintf(" %-*s", max(len("hidden"), len(m.String()))+1, cell(m))
	}
	c.say(strings.TrimRight(line, " "))
}

func (c *Chat) grants(context.Context, string) error {
	list := c.o.Session.Grants()
	if len(list) == 0 {
		c.wrap("  ", "No approval is remembered.", nil)
	}
	for i, g := range list {
		c.wrap("  ", fmt.Sprintf("%d  %s", i+1, approval.GrantLine(g).Text), nil)
	}
	return nil
}

func (c *Chat) revoke(_ context.Context, arg string) error {
	list := c.o.Session.Grants()
	n, err := number(arg, len(list))
	if err != nil {
		return err
	}
	if err := c.o.Session.Revoke(list[n-1].ID); err != nil {
		return err
	}
	c.wrap("  ", fmt.Sprintf("Forgotten: %s asks again.", safetext.Name(list[n-1].Name)), nil)
	return nil
}

func (c *Chat) undo(ctx context.Context, arg string) error {
	list := c.o.Session.Undoable()
	if len(list) == 0 {
		c.wrap("  ", "There is nothing to take back.", nil)
		return nil
	}
	if arg == "" {
		arg = "1"
	}
	n, err := number(arg, len(list))
	if err != nil {
		return err
	}
	c.wrap("  ", "Taking back: "+safetext.Escape(list[n-1].Title), nil)
	return c.follow(ctx, func(ctx context.Context) *assent.Turn { return c.o.Session.Undo(ctx, list[n-1].ID) })
}

// number reads a number from 1 to most.
func number(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fault.New(fault.NotFound, "%q is not on the list, which has %d", safetext.Escape(text), most)
	}
	return n, nil
}
