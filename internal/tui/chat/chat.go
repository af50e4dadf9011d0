// Package chat holds a conversation with an agent in a terminal: it shows the
// turn's events, puts questions, and takes a person's keys.
package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/keys"
)

// DefaultArm is how long a card's keys are dead after it appeared, so that
// nobody answers it with what they were typing.
const DefaultArm = 400 * time.Millisecond

// Options configures a Chat. Agent, Session, Desk and Out must be set, and
// either Keys or Player.
type Options struct {
	Agent   *assent.Agent
	Session *assent.Session
	Open    *assent.Turn     // the session's, if it has an open one already
	Desk    *approval.Broker // the agent's
	Journal journal.Journal  // the agent's, for /log and /verify
	By      string           // who answers
	Voice   string           // before the model's messages: what it is

	Keys   *keys.Source
	Player Player    // plays the person instead of Keys
	Out    io.Writer // gets "\n" at the end of lines
	Ink    ink.Ink
	Live   bool          // Out is a terminal on which a line can be drawn again
	Arm    time.Duration // how long a new card takes no answer; zero: no time
	// Events is told of each event, beside Out. Nil: nobody.
	Events func(assent.Event)
	// Edit lets a person change text in an editor. Nil: in the line itself.
	Edit func(ctx context.Context, text string) (string, error)
}

// Player is a person who does not need a terminal.
type Player interface {
	// Next returns what the person types next, after a heading that says what
	// is about to be seen; false at the end.
	Next() (heading, line string, ok bool)
	// Answer returns the keys with which the person answers a card. None, or keys
	// that answer nothing, stop the turn.
	Answer(c approval.Card) string
}

// Chat is one conversation. It is for one goroutine.
type Chat struct {
	o    Options
	line keys.Line // what is being typed, also ahead of a question
	err  error     // of Out
}

// The prompts.
const (
	you       = "you> "
	answerTo  = "answer> "
	why       = "why> "
	arguments = "arguments> "
)

// errQuit ends the conversation.
var errQuit = errors.New("quit")

// New returns a chat. Run holds it.
func New(o Options) *Chat { return &Chat{o: o} }

// Run talks until the person leaves, the keys end, or ctx ends, and first goes
// on with a turn that is open already. It returns the first error of writing or
// of a turn that could not be begun.
func (c *Chat) Run(ctx context.Context) error {
	if err := c.resume(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil && c.err == nil {
		line, ok := c.next(ctx)
		if !ok {
			break
		}
		err := c.enter(ctx, strings.TrimSpace(line))
		switch {
		case errors.Is(err, errQuit):
			return c.err
		case err != nil:
			return err
		}
	}
	return c.err
}

// resume follows the turn that is open already.
func (c *Chat) resume(ctx context.Context) error {
	if c.o.Open == nil {
		return nil
	}
	c.say("")
	c.wrap("", "This conversation was cut off in the middle of a turn, which goes on now.", c.o.Ink.Bold)
	return c.follow(ctx, func(ctx context.Context) *assent.Turn {
		context.AfterFunc(ctx, func() { _ = c.o.Open.Stop() }) // it was begun without ctx
		return c.o.Open
	})
}

// next returns what the person types.
func (c *Chat) next(ctx context.Context) (line string, ok bool) {
	if c.o.Player == nil {
		c.say("")
		return c.read(ctx, you)
	}
	heading, line, ok := c.o.Player.Next()
	if ok {
		c.say("")
		if heading != "" {
			c.wrap("", heading, c.o.Ink.Bold)
		}
		c.finish(you, line)
	}
	return line, ok
}

// enter does what a line asks for.
func (c *Chat) enter(ctx context.Context, line string) error {
	switch {
	case line == "":
		return nil
	case strings.HasPrefix(line, "/"):
		return c.command(ctx, line)
	}
	return c.follow(ctx, func(ctx context.Context) *assent.Turn { return c.o.Session.Send(ctx, line) })
}

// say writes a line.
func (c *Chat) say(text string) { c.put(text + "\n") }

func (c *Chat) put(text string) {
	if c.err == nil {
		_, c.err = io.WriteString(c.o.Out, text)
	}
}

// wrap writes text in lines behind an indent, in a style; nil for none.
func (c *Chat) wrap(indent, text string, style func(string) string) {
	for _, line := range ink.Wrap(text, c.o.Ink.Columns()-len(indent)) {
		if style != nil {
			line = style(line)
		}
		c.say(indent + line)
	}
}

func (c *Chat) sayf(format string, args ...any) { c.wrap("", fmt.Sprintf(format, args...), nil) }
