package turn

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/assentdev/assent/model"
)

// Limits bound one turn (SPEC S6, S10). Zero means the default.
type Limits struct {
	Steps        int           // messages of the model; default 50
	Calls        int           // calls; default 200
	Tokens       int64         // input and output together; default: none
	Time         time.Duration // work, waiting for people left out (SPEC P4); default: none
	Repeats      int           // identical calls; default 8
	ResultBytes  int           // of a result that the model sees; default 64 KiB
	ContextBytes int           // of all messages of a request; default: none
	Denials      int           // of one tool by a person (SPEC P10); default 3
}

func (l Limits) withDefaults() Limits {
	def := func(p *int, n int) {
		if *p == 0 {
			*p = n
		}
	}
	def(&l.Steps, 50)
	def(&l.Calls, 200)
	def(&l.Repeats, 8)
	def(&l.ResultBytes, 64<<10)
	def(&l.Denials, 3)
	return l
}

// cut returns how many bytes of a result the model is shown; 0 for all.
func (l Limits) cut(text string) int {
	if len(text) <= l.ResultBytes {
		return 0
	}
	n := l.ResultBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// shown is the text of a call's result as the model sees it: it is told what a
// person changed (SPEC P8), and where the result was cut (SPEC S10). The marker
// names the call, so that the whole result can be asked for.
func shown(c *Call) string {
	text := c.Ended.Text
	if n := c.Ended.Shown; n > 0 {
		text = fmt.Sprintf("%s\n[cut: the first %d of %d bytes; the whole result is kept as %s]", text[:n], n, len(text), c.ID)
	}
	if c.Edited != nil {
		text = fmt.Sprintf("[A person changed the arguments of this call to %s]\n%s", c.Args, text)
	}
	return text
}

// fit shortens a conversation to a size: the text of the oldest results goes
// first, then the oldest whole exchanges before the newest user message. Calls
// and what became of them stay, so that no decision is dropped (SPEC S10). The
// messages themselves are not changed.
func (l Limits) fit(messages []model.Message) []model.Message {
	size := 0
	for i := range messages {
		size += weight(&messages[i])
	}
	if l.ContextBytes == 0 || size <= l.ContextBytes {
		return messages
	}
	out := append([]model.Message(nil), messages...)
	for i := range out {
		if size <= l.ContextBytes {
			break
		}
		m := &out[i]
		const marker = "[this result was left out to save space; call the tool again if it is needed]"
		if m.Role == model.ToolRole && len(m.Text) > 2*len(marker) && !isRefusal(m.Text) {
			size -= len(m.Text) - len(marker)
			m.Text = marker
		}
	}
	return out
}

func weight(m *model.Message) int {
	n := len(m.Text) + len(m.Raw)
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Args)
	}
	return n
}
