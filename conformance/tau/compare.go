package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/turn"
)

// read takes the session's log and holds everything that happened against what
// had to happen.
func (o *outcome) read(ctx context.Context, log journal.Journal, session string) error {
	for r, err := range log.Read(context.WithoutCancel(ctx), audit.SessionStream(session), 0) {
		if err != nil {
			return err
		}
		e, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err != nil {
			return err
		}
		o.log = append(o.log, e)
	}
	var ids []string
	for _, e := range o.log {
		if b, ok := e.Body.(*turn.ModelAnswered); ok {
			for _, c := range b.Calls {
				ids = append(ids, c.ID)
			}
		}
	}
	if len(ids) != len(o.fates) {
		o.complain("%d calls were made, not %d", len(ids), len(o.fates))
		return nil
	}
	for i, id := range ids {
		o.compare(fmt.Sprintf("call %d", i+1), id, &o.fates[i])
	}
	o.compareEnds()
	o.compareApprovals()
	return nil
}

// hidden wants, whatever the oracle thinks, that no tool ran that every
// mode of the session hides
// (SPEC C1).
func (o *outcome) hidden(s *set, sc *scenario) {
	widest := sc.mode
	for _, t := range sc.turns {
		for _, p := range t.steps {
			widest = max(widest, p.to)
		}
	}
	for _, r := range o.ledger.all() {
		if t := s.tool(r.tool); table(widest, t.class) == "hidden" {
			o.complain("%s ran, which is %s", r.tool, t.class)
		}
	}
}

// compare holds one call's log, questions and runs against its fate.
func (o *outcome) compare(name, id string, want *fate) {
	var runs []ran
	for _, r := range o.ledger.all() {
		if r.call == id {
			runs = append(runs, r)
		}
	}
	switch {
	case want.ran && (len(runs) != 1 || runs[0].args != want.args):
		o.complain("%s: it must run once with %s, and ran %v", name, want.args, runs)
	case !want.ran && len(runs) > 0:
		o.complain("%s: it must not run, and ran %v", name, runs)
	}
	var asked []string
	for _, r := range o.person.requests() {
		if r.Call == id {
			asked = append(asked, string(r.Args))
			if r.Digest != digest(string(r.Args)) {
				o.complain("%s: the digest that was shown is not that of the arguments", name)
			}
		}
	}
	if !slices.Equal(asked, want.asked) {
		o.complain("%s: a person must be asked about %q, and was asked about %q", name, want.asked, asked)
	}
	o.compareLog(name, id, want)
}

func (o *outcome) compareLog(name, id string, want *fate) {
	var started, ended, denied int
	for _, e := range o.log {
		if e.Refs.Call != id {
			continue
		}
		switch b := e.Body.(type) {
		case *turn.CallStarted:
			started++
			if b.Digest != digest(want.args) {
				o.complain("%s: it was claimed with another digest than that of %s", name, want.args)
			}
		case *turn.CallEnded:
			ended++
			if b.Outcome != want.outcome || b.Category != want.category {
				o.complain("%s: it must end as %s %s, and ended as %s %s: %.100q", name, want.outcome, want.category, b.Outcome, b.Category, b.Text)
			}
			o.hints(name, b)
		case *turn.Noticed:
			if b.Code == "tool_denied" && b.Params["category"] == string(want.category) {
				denied++
			}
		}
	}
	if (denied == 1) != (want.outcome == turn.NotAllowed) || denied > 1 {
		o.complain("%s: it ended as %s, and the user has seen %d notices that it was not allowed", name, want.outcome, denied)
	}
	if ended != 1 || started > 1 || (started == 1) != want.ran {
		o.complain("%s: %d results and %d starts", name, ended, started)
	}
}

// hints wants a refusal to name no tool: it could be one that is hidden (SPEC D4).
func (o *outcome) hints(call string, b *turn.CallEnded) {
	for _, name := range o.names {
		if b.Outcome == turn.NotAllowed && strings.Contains(b.Text, name) {
			o.complain("%s: the refusal names a tool: %q", call, b.Text)
		}
	}
}

// compareEnds looks at how the turns ended. What ended one that nobody stopped,
// a limit or denials, is told to the user (SPEC S6, P10).
func (o *outcome) compareEnds() {
	var want []turn.End
	told, must := 0, 0
	for _, t := range o.turns {
		want = append(want, t.end)
		if t.end == turn.ByLimit || t.end == turn.ByDenials {
			must++
		}
	}
	for _, e := range o.log {
		if b, ok := e.Body.(*turn.Noticed); ok && (strings.HasPrefix(b.Code, "limit_") || b.Code == "denied_often") {
			told++
		}
	}
	if told != must {
		o.complain("%d turns ended at a limit or after denials, and the user was told %d times", must, told)
	}
	if !slices.Equal(o.ends, want) {
		o.complain("the turns must end as %v, and ended as %v", want, o.ends)
	}
}

// compareApprovals wants every question closed, and none open or answered twice
// (SPEC P5).
func (o *outcome) compareApprovals() {
	closed := map[string]approval.State{}
	for _, e := range o.log {
		switch b := e.Body.(type) {
		case *turn.Asked:
			closed[e.Refs.Approval] = approval.Asked
		case *turn.ApprovalClosed:
			if was := closed[e.Refs.Approval]; was != approval.Asked && was != approval.Approved {
				o.complain("a question that was %s was closed again as %s", was, b.State)
			}
			closed[e.Refs.Approval] = b.State
		case *turn.AnswerIgnored:
			o.complain("an answer was ignored: %s", b.Why)
		}
	}
	for id, state := range closed {
		if state == approval.Asked {
			o.complain("the question %s was never closed", id)
		}
	}
}

func digest(canonical string) string {
	sum := sha256.Sum256([]byte(canonical))
	return hex.EncodeToString(sum[:])
}
