package chat

import (
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/keys"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

// begin opens the line of a question with text in it.
func (q *question) begin(key rune, f field, text string) {
	q.say(string(key))
	q.field = f
	q.line = *keys.NewLine(text)
	if !q.o.Live && text != "" {
		q.finish(q.prompt(), text)
	}
	q.drawField()
}

// typing says that keys go into the question's line.
func (q *question) typing() bool { return q.field != noField }

// typed takes keys into the line. Escape and Ctrl-C go back to the card: they
// neither answer nor stop anything.
func (q *question) typed(ks []keys.Key) {
	for _, k := range ks {
		if k.Name == keys.Escape || k.Name == keys.Interrupt || k.Name == keys.End {
			q.leave()
			q.hint("Not answered yet.")
			return
		}
	}
	line, done, _ := q.Chat.typed(ks)
	if !done {
		q.drawField()
		return
	}
	f, prompt := q.field, q.prompt()
	q.leave()
	q.finish(prompt, line)
	q.submit(f, line)
}

func (q *question) leave() {
	q.field = noField
	q.line = keys.Line{}
}

func (q *question) submit(f field, line string) {
	if f == reasonField {
		q.send(approval.Deny(line))
		return
	}
	q.change(line)
}

// change answers with changed arguments. They are checked here too, because a
// person who mistyped wants to try again. Who changes a call approves it, so for
// a destructive or unknown one that needs the second key.
func (q *question) change(text string) {
	if strings.TrimSpace(text) == "" || text == q.shownArgs() {
		q.hint("Nothing was changed.")
		return
	}
	s, err := schema.Compile(q.request.Schema, &schema.Options{Foreign: q.request.Tool.Source.Kind != policy.Host})
	if err == nil {
		_, err = s.Check([]byte(text))
	}
	switch {
	case err != nil:
		q.hint(safetext.Escape(fault.TextOf(err)))
	case q.request.Strict():
		q.makeSure("Run it with these arguments", approval.Edit([]byte(text)))
	default:
		q.send(approval.Edit([]byte(text)))
	}
}

// shownArgs are the arguments as JSON in which hidden characters are escapes.
// Arguments with a secret are not shown, so they are typed anew.
func (q *question) shownArgs() string {
	if q.card.Masked {
		return ""
	}
	return safetext.EscapeJSON(string(q.request.Args))
}

func (q *question) prompt() string {
	if q.field == argsField {
		return arguments
	}
	return why
}

func (q *question) drawField() { q.draw(q.prompt()) }

// edit lets the person change the arguments, as JSON.
func (q *question) edit(key rune) {
	text := q.shownArgs()
	if q.o.Edit == nil {
		q.begin(key, argsField, text)
		return
	}
	q.say(string(key))
	changed, err := q.o.Edit(q.ctx, text)
	if err != nil {
		q.hint("The editor failed: " + safetext.Escape(err.Error()))
		return
	}
	if changed != "" && changed != text {
		q.wrap("  ", "Changed to "+safetext.EscapeJSON(strings.Join(strings.Fields(changed), " ")), nil)
	}
	q.change(changed)
}
