package chat

import (
	"fmt"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/card"
	"github.com/assentdev/assent/internal/tui/keys"
)

// question is an approval whose card is shown.
type question struct {
	*talk
	request approval.Request
	card    approval.Card
	since   time.Time // when it was shown

	wider    bool
	opened   []string
	sure     *approval.Answer // waits for the second key
	field    field
	answered bool
	said     string // what was said of a call whose outcome was unknown
}

// field is what the person types into the line of a question.
type field uint8

const (
	noField field = iota
	reasonField
	argsField
)

func (q *question) show() {
	place := ""
	if n := len(q.waiting); n > 1 {
		place = fmt.Sprintf("the first of %d", n)
	}
	q.endText()
	q.lines(card.Draw(q.card, q.o.Ink, place))
	q.put(q.o.Ink.Bold(answerTo))
}

func (q *question) lines(lines []string) {
	for _, line := range lines {
		q.say(line)
	}
}

// key takes one key. What was typed before the card could be read is dropped,
// and so is pasted text.
func (q *question) key(k keys.Key) {
	switch {
	case q.answered, k.Burst, time.Since(q.since) < q.o.Arm:
	case q.sure != nil:
		q.confirm(k)
	case k.Name == keys.Enter:
		q.hint("Enter alone decides nothing: press a key of the list, or ? to see it again.")
	case k.Name == keys.Char:
		q.choose(k.Char)
	}
}

func (q *question) choose(key rune) {
	switch key {
	case card.Reason:
		if !card.Lost(q.card) {
			q.begin(key, reasonField, "")
			return
		}
	case card.Again:
		q.say("")
		q.show()
		return
	case card.Open:
		q.openAll()
		return
	case card.Wider:
		if card.HasWider(q.card) {
			q.wider = true
			q.say(string(key))
			q.lines(card.Wide(q.card, q.o.Ink))
			q.put(q.o.Ink.Bold(answerTo))
			return
		}
	}
	option, ok := card.Option(q.card, key, q.wider)
	if !ok {
		q.hint(safetext.Escape(string(key)) + " is no choice here. ? shows the card again.")
		return
	}
	q.take(key, option)
}

// take takes a choice: an approval of a strict call needs everything to be seen,
// and a second key that is not the first one held down.
func (q *question) take(key rune, o approval.Option) {
	switch {
	case o.Choice == approval.ChooseEdit:
		q.edit(key)
	case o.Choice == approval.ChooseDeny:
		q.say(string(key))
		q.send(approval.Deny(""))
	case len(q.card.MustOpen) > len(q.opened):
		q.hint("Not everything of this call is shown: press o first.")
	case o.Twice:
		q.say(string(key))
		q.makeSure(o.Label.Text, answers[o.Choice]())
	default:
		q.say(string(key))
		q.send(answers[o.Choice]())
	}
}

// answers are the answers of the choices that need nothing more.
var answers = map[approval.Choice]func() approval.Answer{
	approval.ChooseApprove: approval.Approve,
	approval.ChooseExact:   approval.ApproveExact,
	approval.ChooseSession: approval.ApproveForSession,

	approval.ChooseHappened: func() approval.Answer { return approval.Became(approval.ChooseHappened) },
	approval.ChooseRunAgain: func() approval.Answer { return approval.Became(approval.ChooseRunAgain) },
	approval.ChooseGiveUp:   func() approval.Answer { return approval.Became(approval.ChooseGiveUp) },
}

// became are the words for what was said of a call whose outcome was unknown.
var became = map[approval.Choice]string{
	approval.ChooseHappened: "happened",
	approval.ChooseRunAgain: "runs again",
	approval.ChooseGiveUp:   "left",
}

// makeSure asks for the second key, which no key held down gives.
func (q *question) makeSure(what string, a approval.Answer) {
	q.sure = &a
	q.wrap("", fmt.Sprintf("%s? Press %c to do it, any other key to go back.", what, card.Confirm), q.o.Ink.Alert)
	q.put(q.o.Ink.Bold(answerTo))
}

func (q *question) confirm(k keys.Key) {
	answer := q.sure
	q.sure = nil
	if k.Name == keys.Char && k.Char == card.Confirm {
		q.say(string(k.Char))
		q.send(*answer)
		return
	}
	q.hint("Not allowed yet.")
}

func (q *question) openAll() {
	q.say(string(card.Open))
	for _, row := range q.card.Rows {
		if !row.Collapsed {
			continue
		}
		rows, err := approval.Open(q.request, row.Pointer)
		if err != nil {
			q.hint(fault.TextOf(err))
			return
		}
		q.lines(card.Opened(rows, q.o.Ink))
	}
	q.opened = q.card.MustOpen
	q.put(q.o.Ink.Bold(answerTo))
}

func (q *question) hint(text string) {
	q.say("")
	q.wrap("  ", text, nil)
	q.put(q.o.Ink.Bold(answerTo))
}

// send gives the answer. An answer that changes nothing says so.
func (q *question) send(a approval.Answer) {
	r := approval.Response{Ref: q.card.Ref, Opened: q.opened, Answer: a}
	if err := q.o.Desk.Answer(r, approval.Decided{By: q.o.By, Via: "terminal"}); err != nil {
		q.hint(fault.TextOf(err))
		return
	}
	q.answered, q.said = true, became[a.Became]
}
