// Package demo is a conversation with a scripted model about the schematic
// viewer, for a person at a terminal or for nobody.
package demo

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
	"github.com/assentdev/assent/examples/schematic/viewer"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/chat"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/keys"
	"github.com/assentdev/assent/policy"
)

// Options configures the demo.
type Options struct {
	Out     io.Writer
	Ink     ink.Ink
	Keys    *keys.Source // nil: the demo plays itself
	Live    bool         // see chat.Options
	Edit    func(ctx context.Context, text string) (string, error)
	Events  func(assent.Event)
	Journal string        // a file for the log; "": in memory
	Mode    assent.Mode   // in which the session starts
	Pace    time.Duration // before each piece of the model's text
	Arm     time.Duration // see chat.Options
}

// Policy is the policy of the demo: what leaves the application is asked about
// each time, and no approval of something destructive is remembered.
func Policy() *policy.Document {
	return &policy.Document{
		Version: "demo-1",
		Rules: []policy.Rule{{
			ID: "exports", Effect: policy.EffectAskEach, Tools: []string{"export_*"},
			Reason: "what leaves this application is asked about each time",
		}},
		Caps: map[policy.Class]policy.Scope{policy.Destructive: policy.ScopeOnce},
	}
}

// Run holds the conversation.
func Run(ctx context.Context, o Options) (err error) {
	log, err := openJournal(o.Journal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	m, err := newModel(o.Pace)
	if err != nil {
		return err
	}
	desk := approval.NewBroker(nil)
	agent, err := assent.New(
		assent.WithModel(m),
		assent.WithTools(viewer.Open().Tools()...),
		assent.WithDesk(desk),
		assent.WithPolicy(Policy()),
		assent.WithJournal(log),
		assent.WithPrincipal("you"),
	)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, agent.Close()) }()
	if err := agent.Start(ctx); err != nil {
		return err
	}
	session, open, err := begin(ctx, agent, o.Mode)
	if err != nil {
		return err
	}
	co := chat.Options{
		Agent: agent, Session: session, Open: open, Desk: desk, Journal: log, By: "you", Voice: "script",
		Out: o.Out, Ink: o.Ink, Keys: o.Keys, Live: o.Live, Arm: o.Arm, Edit: o.Edit, Events: o.Events,
	}
	if o.Keys == nil {
		co.Player = &player{scenes: scenes}
	}
	if err := hello(o, session.Mode(), open != nil); err != nil {
		return err
	}
	return chat.New(co).Run(ctx)
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

// hello says first of all what this is and what it is not.
func hello(o Options, mode assent.Mode, goesOn bool) error {
	var b strings.Builder
	line := func(text string, style func(string) string) {
		for _, l := range ink.Wrap(text, o.Ink.Columns()) {
			if style != nil {
				l = style(l)
			}
			b.WriteString(l + "\n")
		}
	}
	line("Assent demo: a schematic viewer whose tools an agent may use.", o.Ink.Bold)
	line("The model is a script that answers to a few words. There is no AI, no account and no network.", nil)
	where := "in memory, and ends with this program"
	if o.Journal != "" {
		where = "in " + o.Journal
	}
	line(fmt.Sprintf("The schematic has 3 pages. The mode is %s. The log is %s.", mode, where), nil)
	if goesOn {
		line("An open turn was found there. The schematic was in memory, so it is as it was at first.", nil)
	}
	if o.Keys == nil {
		line("Nobody is at a terminal, so the demo plays itself.", nil)
	} else {
		line("Try: "+examples+". /help lists commands, /quit leaves.", nil)
	}
	_, err := io.WriteString(o.Out, b.String())
	return err
}
