package scripted

import (
	"context"
	"fmt"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// Recording replays one conversation. Asked with its first messages, it answers
// with the next; asked with anything else, it fails and says where the two part.
// Its fields are not changed once it is used.
type Recording struct {
	// Name is the model that answers report. Empty: "recording".
	Name string
	// System is what requests must have as system text. Empty: any.
	System string
	// Messages are the conversation. A tool's name in them may be empty.
	Messages []model.Message
	Pace     Pace
}

var _ model.Model = (*Recording)(nil)

// Mismatch is the cause of an error of a Recording: what was sent is not what
// was recorded.
type Mismatch struct {
	// Index of the message, from 0; -1 is the system text.
	Index int
	// Sent and Recorded are the two texts. Where messages differ in more than
	// their text, they show the part that differs and say which.
	Sent, Recorded string
}

// Error names the message and shows both texts from just before they part.
func (e *Mismatch) Error() string {
	where := fmt.Sprintf("message %d", e.Index)
	if e.Index < 0 {
		where = "the system text"
	}
	at := commonPrefix(e.Sent, e.Recorded)
	return fmt.Sprintf("%s: sent %s, recorded %s", where, excerpt(e.Sent, at), excerpt(e.Recorded, at))
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// excerpt quotes about 200 bytes of s around at.
func excerpt(s string, at int) string {
	from, to := max(at-60, 0), min(at+140, len(s))
	q := fmt.Sprintf("%q", strings.ToValidUTF8(s[from:to], ""))
	if from > 0 {
		q = "…" + q
	}
	if to < len(s) {
		q += "…"
	}
	return q
}

// Generate implements model.Model. An error has code fault.ModelFailed; where
// the messages differ its cause is a *Mismatch.
func (r *Recording) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if err := r.check(req); err != nil {
		return nil, fault.Wrap(err, fault.ModelFailed, "The conversation left its recording at %v", err)
	}
	n := len(req.Messages)
	switch {
	case n == len(r.Messages):
		return nil, fault.New(fault.ModelFailed, "The recording ends after %d messages: there is no answer to the last", n)
	case r.Messages[n].Role != model.Assistant:
		return nil, fault.New(fault.ModelFailed, "The recording has no answer here: message %d is from %s", n, r.Messages[n].Role)
	}
	name := r.Name
	if name == "" {
		name = "recording"
	}
	return r.Pace.answer(ctx, r.Messages[n], name, emit)
}

// check compares what was sent with what was recorded. It returns nil or a *Mismatch.
func (r *Recording) check(req *model.Request) error {
	if r.System != "" && r.System != req.System {
		return &Mismatch{-1, req.System, r.System}
	}
	for i := range req.Messages {
		if i == len(r.Messages) {
			return &Mismatch{i, describe(&req.Messages[i]), ""}
		}
		if sent, recorded, ok := compare(&req.Messages[i], &r.Messages[i]); !ok {
			return &Mismatch{i, sent, recorded}
		}
	}
	return nil
}

// compare returns the first part in which two messages differ, or true.
func compare(sent, recorded *model.Message) (a, b string, same bool) {
	switch {
	case sent.Role != recorded.Role:
		return describe(sent), describe(recorded), false
	case sent.Text != recorded.Text:
		return sent.Text, recorded.Text, false
	case sent.CallID != recorded.CallID:
		return "call id " + sent.CallID, "call id " + recorded.CallID, false
	case sent.Name != recorded.Name && sent.Name != "" && recorded.Name != "":
		return "tool " + sent.Name, "tool " + recorded.Name, false
	}
	for i := range max(len(sent.Calls), len(recorded.Calls)) {
		if a, b = callAt(sent, i), callAt(recorded, i); a != b {
			return a, b, false
		}
	}
	return "", "", true
}

// callAt writes a call as text; arguments that are empty are {} (SPEC A5).
func callAt(m *model.Message, i int) string {
	if i >= len(m.Calls) {
		return "no call"
	}
	c := m.Calls[i]
	if c.Args == "" {
		c.Args = "{}"
	}
	return fmt.Sprintf("call %s %s %s", c.ID, c.Name, c.Args)
}

func describe(m *model.Message) string {
	s := string(m.Role) + " " + m.Text
	for i := range m.Calls {
		s += " " + callAt(m, i)
	}
	return s
}
