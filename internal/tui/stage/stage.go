// Package stage holds a conversation with a scripted model in a terminal: a
// person's, or one that plays itself.
package stage

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/chat"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/keys"
	"github.com/assentdev/assent/internal/tui/terminal"
	"github.com/assentdev/assent/model/scripted"
)

// pace is the time before each piece of the model's text at a terminal.
const pace = 25 * time.Millisecond

// Options say where the conversation is held, and with whom.
type Options struct {
	Out     io.Writer
	Ink     ink.Ink
	Keys    *keys.Source // nil: the conversation plays itself
	Live    bool         // see chat.Options
	Edit    func(ctx context.Context, text string) (string, error)
	Events  func(assent.Event)
	Journal string        // a file for the log; "": in memory
	Mode    assent.Mode   // in which the session starts
	Pace    time.Duration // before each piece of the model's text
	Arm     time.Duration // see chat.Options
}

// At puts a person at an open terminal. A width that is set already stays.
func (o *Options) At(t *terminal.Terminal) {
	o.Out, o.Keys, o.Edit = t, t.Keys(), t.Editor()
	o.Live, o.Pace, o.Arm = true, pace, chat.DefaultArm
	if o.Ink.Width == 0 {
		o.Ink.Width = t.Columns()
	}
}

// Play is what the conversation is about.
type Play struct {
	Title  string // its first line, in which it says what it is
	About  string // sentences about the things that the tools work with
	Lost   string // what became of them where an open turn goes on
	Try    string // sentences that the script answers to
	Script scripted.Definition
	Agent  []assent.Option // the tools and the rules
	By     string          // who talks
	Scenes []Scene         // what is played without a person
}

// Run holds the conversation.
func Run(ctx context.Context, o Options, p Play) (err error) {
	log, err := openJournal(o.Journal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	desk := approval.NewBroker(nil)
	agent, err := p.agent(ctx, o, log, desk)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, agent.Close()) }()
	session, open, err := begin(ctx, agent, o.Mode)
	if err != nil {
		return err
	}
	co := chat.Options{
		Agent: agent, Session: session, Open: open, Desk: desk, Journal: log, By: p.By, Voice: "script",
		Out: o.Out, Ink: o.Ink, Keys: o.Keys, Live: o.Live, Arm: o.Arm, Edit: o.Edit, Events: o.Events,
	}
	actor := &player{scenes: p.Scenes}
	if o.Keys == nil {
		co.Player = actor
	}
	if err := p.hello(o, session.Mode(), open != nil); err != nil {
		return err
	}
	return errors.Join(chat.New(co).Run(ctx), actor.err)
}

// agent makes and starts the agent.
func (p *Play) agent(ctx context.Context, o Options, log journal.Journal, desk *approval.Broker) (*assent.Agent, error) {
	script := p.Script
	script.Pace.Wait = o.Pace
	m, err := scripted.NewScript(script)
	if err != nil {
		return nil, err
	}
	agent, err := assent.New(append([]assent.Option{
		assent.WithModel(m), assent.WithDesk(desk), assent.WithJournal(log), assent.WithPrincipal(p.By),
	}, p.Agent...)...)
	if err != nil {
		return nil, err
	}
	if err := agent.Start(ctx); err != nil {
		return nil, errors.Join(err, agent.Close())
	}
	return agent, nil
}

// begin returns the session whose turn an earlier program left open, with that
// turn, or else a new session.
func begin(ctx context.Context, agent *assent.Agent, mode assent.Mode) (*assent.Session, *assent.Turn, error) {
	ids, err := agent.Sessions(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		s, err := agent.OpenSession(id)
		if err != nil {
			return nil, nil, err
		}
		t, err := s.Resume(ctx)
		switch {
		case err == nil:
			return s, t, nil
		case fault.CodeOf(err) != fault.NotFound:
			return nil, nil, err
		}
	}
	s, err := agent.StartSession(ctx, mode)
	return s, nil, err
}

func openJournal(path string) (journal.Journal, error) {
	if path == "" {
		return journal.NewMemory(), nil
	}
	return journal.OpenFile(path, nil)
}
