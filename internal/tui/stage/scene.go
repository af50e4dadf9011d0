package stage

import (
	"fmt"
	"io"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/internal/tui/ink"
)

// Scene is one thing that a conversation shows that plays itself.
type Scene struct {
	Heading string
	Before  func() error // what somebody else does first; nil for nothing
	Line    string       // what the person types
	Answers []string     // the keys with which the person answers, a question each
}

// player plays the scenes. It is a chat.Player.
type player struct {
	scenes  []Scene
	answers []string
	err     error // of what somebody else did
}

// Next returns what the person types next.
func (p *player) Next() (heading, line string, ok bool) {
	if len(p.scenes) == 0 {
		return "", "", false
	}
	s := p.scenes[0]
	p.scenes, p.answers = p.scenes[1:], s.Answers
	if s.Before != nil {
		p.err = s.Before()
	}
	return s.Heading, s.Line, p.err == nil
}

// Answer returns the keys with which the person answers a card.
func (p *player) Answer(approval.Card) string {
	if len(p.answers) == 0 {
		return ""
	}
	keys := p.answers[0]
	p.answers = p.answers[1:]
	return keys
}

// hello says first of all what this is and what it is not.
func (p *Play) hello(o Options, mode assent.Mode, goesOn bool) error {
	where := "in memory, and ends with this program"
	if o.Journal != "" {
		where = "in " + o.Journal
	}
	lines := []string{
		"The model is a script that answers to a few words. There is no AI, no account and no network.",
		fmt.Sprintf("%s The mode is %s. The log is %s.", p.About, mode, where),
	}
	if goesOn {
		lines = append(lines, "An open turn was found there. "+p.Lost)
	}
	if o.Keys == nil {
		lines = append(lines, "Nobody is at a terminal, so this plays itself.")
	} else {
		lines = append(lines, "Try: "+p.Try+". /help lists commands, /quit leaves.")
	}
	var b strings.Builder
	for _, l := range ink.Wrap(p.Title, o.Ink.Columns()) {
		b.WriteString(o.Ink.Bold(l) + "\n")
	}
	for _, line := range lines {
		b.WriteString(strings.Join(ink.Wrap(line, o.Ink.Columns()), "\n") + "\n")
	}
	_, err := io.WriteString(o.Out, b.String())
	return err
}
