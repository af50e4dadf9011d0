package chat

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/turn"
)

// log shows the end of the session's log.
func (c *Chat) log(ctx context.Context, arg string) error {
	n := 10
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			c.wrap("  ", "Give a number of events, such as /log 20.", nil)
			return nil
		}
	}
	var last []string
	for r, err := range journal.Records(ctx, c.o.Journal, audit.SessionStream(c.o.Session.ID())) {
		if err != nil {
			return err
		}
		if last = append(last, entry(r)); len(last) > n {
			last = last[1:]
		}
	}
	for _, line := range last {
		c.wrap("  ", line, nil)
	}
	return nil
}

// entry is one event in words: what is in its header, which is never erased.
func entry(r audit.Record) string {
	text := fmt.Sprintf("%-3d %-15s", r.Seq, r.Type)
	e, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
	if err != nil {
		return text
	}
	for _, word := range []string{e.Refs.Tool, e.Refs.Class, e.Refs.State} {
		if word != "" {
			text += " " + safetext.Escape(word)
		}
	}
	if d, ok := e.Body.(*turn.Decided); ok {
		text += " " + d.Verdict.String()
	}
	return strings.TrimRight(text, " ")
}

// verify checks all chains of the journal.
func (c *Chat) verify(ctx context.Context, _ string) error {
	report, err := audit.Verify(audit.Records(journal.Records(ctx, c.o.Journal)), nil)
	if err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return err
	}
	c.wrap("  ", fmt.Sprintf("%s in %s: every chain holds.", count(report.Records, "event"), count(len(report.Heads), "stream")), nil)
	return nil
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
