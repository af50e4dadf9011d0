package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

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
	var started, ended int
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
		}
	}
	if ended != 1 || started > 1 || (started == 1) != want.ran {
		o.complain("%s: %d results and %d starts", name, ended, started)
	}
}

func (o *outcome) compareEnds() {
	var want []turn.End
	for _, t := range o.turns {
		want = append(want, t.end)
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
