package chat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// show writes an event.
func (t *talk) show(ev assent.Event) {
	if t.o.Events != nil {
		t.o.Events(ev)
	}
	switch ev := ev.(type) {
	case assent.TextDelta:
		t.text(ev)
	case assent.Message:
		t.endText()
	case assent.CallDecided:
		t.decided(ev)
	case assent.ApprovalAsked:
		t.asked(ev)
	case assent.ApprovalClosed:
		t.answer(ev)
	case assent.CallProgress:
		t.wrap("  ", safetext.Escape(ev.Text), t.o.Ink.Dim)
	case assent.CallEnded:
		t.ended(ev)
	case assent.Notice:
		t.endText()
		t.wrap("  ! ", safetext.Escape(ev.String()), t.o.Ink.Alert)
	case assent.TurnEnded:
		t.endText()
		if ev.End != turn.Done {
			t.wrap("  ", "The turn has ended: "+string(ev.End)+".", nil)
		}
	}
}

// asked puts an approval on the list.
func (t *talk) asked(a assent.ApprovalAsked) {
	if !slices.Contains(t.waiting, a.Approval) {
		t.waiting = append(t.waiting, a.Approval)
	}
}

func (t *talk) text(d assent.TextDelta) {
	if d.Reset {
		t.endText()
		t.say(t.o.Ink.Dim("(the model begins again)"))
		return
	}
	if t.flow == nil {
		t.flow = ink.NewFlow(t.o.Out, t.o.Ink, "  ")
		t.say(t.o.Voice + ":")
	}
	if err := t.flow.Add(d.Text); err != nil {
		t.err = err
	}
}

// endText ends the model's message where one is being written.
func (t *talk) endText() {
	if t.flow != nil {
		if err := t.flow.End(); err != nil {
			t.err = err
		}
		t.flow = nil
	}
}

// decided says what becomes of a call. Of one that asks, the card says it.
func (t *talk) decided(d assent.CallDecided) {
	t.endText()
	name := safetext.Name(d.Tool)
	t.names[d.Call] = name
	title := name
	if d.Title != "" {
		title = safetext.Escape(d.Title) + " (" + name + ")"
	}
	text := title + ": " + t.because(d)
	if d.Verdict == policy.AskFirst {
		text = title + ": asks first"
	}
	badge := ink.Ink{}.Class(d.Class)
	for i, line := range ink.Wrap(badge+" "+text, t.o.Ink.Columns()-len("* ")) {
		if i == 0 {
			t.say("* " + t.o.Ink.Class(d.Class) + strings.TrimPrefix(line, badge))
		} else {
			t.say("  " + line)
		}
	}
}

func (t *talk) because(d assent.CallDecided) string {
	switch {
	case d.Verdict != policy.Run:
		return "refused: " + safetext.Escape(d.Reason)
	case d.Basis == policy.BasisGrant:
		i := slices.IndexFunc(t.o.Session.Grants(), func(g policy.Grant) bool { return g.ID == d.Grant })
		return fmt.Sprintf("runs, because grant %d covers it", i+1)
	}
	return "runs: " + safetext.Escape(d.Reason)
}

func (t *talk) answer(c assent.ApprovalClosed) {
	byOther := t.open == nil || t.open.card.ID != c.Approval || !t.open.answered
	if t.open != nil && t.open.card.ID == c.Approval && byOther {
		t.say("")
	}
	text := c.State
	if !byOther && t.open.said != "" {
		text = t.open.said + ", as said"
	}
	t.closed(c.Approval)
	if c.By != "" {
		text += " by " + safetext.Escape(c.By)
	}
	if c.Reason != "" {
		text += ": " + safetext.Escape(c.Reason)
	}
	t.wrap("  = ", text, nil)
}

// ended shows what came of a call, and what it returned as the model reads it.
func (t *talk) ended(e assent.CallEnded) {
	lines := resultLines(e.Text)
	if e.Outcome != turn.OK {
		lines[0] = string(e.Outcome) + ": " + strings.TrimPrefix(lines[0], "Error: ")
	}
	for _, line := range lines {
		t.wrap("  > ", line, t.o.Ink.Dim)
	}
	if e.CanUndo {
		t.wrap("  ", "(/undo takes it back)", t.o.Ink.Dim)
	}
}
