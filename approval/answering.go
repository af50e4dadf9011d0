package approval

import (
	"fmt"
	"slices"
	"time"

	"github.com/assentdev/assent/fault"
)

// Ref names a request as it was shown: its id and the digest of its arguments.
type Ref struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

// Response is an answer on its way to a Broker. It says which request was shown
// and what was decided, and holds no call (SPEC P6).
type Response struct {
	Ref
	// Opened are the collapsed values that the person has opened, as JSON
	// Pointers. An approval of a destructive or unknown call needs all that
	// MustOpen names.
	Opened []string `json:"opened,omitempty"`
	Answer
}

// Answer gives an answer to a card. The first one wins, closes the card and goes
// to whoever opened it; by says who gives it, from the channel's own knowledge,
// and its At is set to now.
//
// An answer that changes nothing is an error: fault.NotFound for an unknown id,
// fault.AlreadyDecided for a second or late one, whose text says who decided
// what and when, fault.Expired after the request's time, fault.Conflict if
// other arguments were shown, fault.BadAnswer for junk, and what May returns.
func (b *Broker) Answer(resp Response, by Decided) error {
	by.At = time.Now()
	err := b.take([]Response{resp}, by)
	if err != nil {
		b.refuse(resp, by, err)
	}
	return err
}

// AnswerAll gives one answer to all listed requests, or to none of them: then
// the error is that of the first one that could not be answered. The answer is
// an approval of one call, or a denial; all else is fault.BadAnswer.
//
// It leaves out calls whose outcome is unknown, and an approval also destructive
// and unknown ones (SPEC P14). It returns their ids; they stay open.
func (b *Broker) AnswerAll(a Answer, refs []Ref, by Decided) (left []string, err error) {
	by.At = time.Now()
	left, err = b.takeAll(a, refs, by)
	if err != nil {
		for _, ref := range refs {
			b.refuse(Response{Ref: ref, Answer: a}, by, err)
		}
	}
	return left, err
}

func (b *Broker) takeAll(a Answer, refs []Ref, by Decided) (left []string, err error) {
	if c := a.Choice(); c != ChooseApprove && c != ChooseDeny {
		return nil, fault.New(fault.BadAnswer, "all at once can only be approved once or denied: answer %q one by one", c)
	}
	var all []Response
	for _, ref := range refs {
		r, err := b.shown(ref, by)
		if err != nil {
			return nil, err
		}
		if r.Lost || a.Approved && r.Strict() {
			left = append(left, ref.ID)
			continue
		}
		all = append(all, Response{Ref: ref, Answer: a})
	}
	if err := b.take(all, by); err != nil {
		return nil, err
	}
	return left, nil
}

// take accepts all responses or none. What may call out or takes long happens
// without the lock, so each card is looked at again before it is closed.
func (b *Broker) take(all []Response, by Decided) error {
	for i := range all {
		r, err := b.shown(all[i].Ref, by)
		if err != nil {
			return err
		}
		if err := vet(r, &all[i]); err != nil {
			return err
		}
	}
	replies, err := b.consume(all, by)
	if err != nil {
		return err
	}
	for i, reply := range replies {
		reply(all[i].Answer, by, nil)
	}
	return nil
}

// vet says whether the answer makes sense for the request.
func vet(r *Request, resp *Response) error {
	if err := Validate(*r, resp.Answer); err != nil {
		return err
	}
	if resp.State() != Approved || !r.Strict() {
		return nil
	}
	for _, pointer := range MustOpen(*r) {
		if !slices.Contains(resp.Opened, pointer) {
			return fault.New(fault.BadAnswer, "the value at %q has to be opened before approval %q is given", pointer, r.ID)
		}
	}
	return nil
}

// consume closes all cards in one step.
func (b *Broker) consume(all []Response, by Decided) ([]Reply, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[string]bool{}
	for i := range all {
		if _, err := b.find(all[i].Ref, by.At); err != nil {
			return nil, err
		}
		if seen[all[i].ID] {
			return nil, fault.New(fault.BadAnswer, "approval %q is listed twice", all[i].ID)
		}
		seen[all[i].ID] = true
	}
	replies := make([]Reply, len(all))
	for i := range all {
		c := b.cards[all[i].ID]
		replies[i] = c.reply
		c.State, c.Answer, c.By = all[i].State(), all[i].Answer, by
		b.shut(c)
	}
	return replies, nil
}

// shown returns the request that ref names, if an answer of this person could
// count now. Whether they may answer is asked first, because all else tells
// them something about the request.
func (b *Broker) shown(ref Ref, by Decided) (*Request, error) {
	item, err := b.Get(ref.ID)
	if err != nil {
		return nil, err
	}
	if b.opts.May != nil {
		if err := b.opts.May(item.Request, by); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c, err := b.find(ref, by.At)
	if err != nil {
		return nil, err
	}
	return c.Request, nil
}

func (b *Broker) find(ref Ref, now time.Time) (*card, error) {
	c := b.cards[ref.ID]
	switch {
	case c == nil:
		return nil, unknown(ref.ID)
	case !c.Open:
		return nil, fault.New(fault.AlreadyDecided, "%s This answer changes nothing.", c.ending())
	case c.Request.Digest != ref.Digest:
		return nil, fault.New(fault.Conflict, "approval %q is for other arguments than were shown: load the card again", ref.ID)
	case c.Request.ExpiredAt(now):
		return nil, fault.New(fault.Expired, "approval %q expired at %s: this answer changes nothing", ref.ID, clock(c.Request.ExpiresAt))
	}
	return c, nil
}

// ending says in one sentence how a closed card ended.
func (i *Item) ending() string {
	s := fmt.Sprintf("Approval %q is over: %s, at %s", i.Request.ID, EndLine(*i).Text, clock(i.By.At))
	if i.Text != "" {
		s += ": " + short(i.Text)
	}
	return s + "."
}

func (b *Broker) refuse(resp Response, by Decided, err error) {
	if b.opts.Refused != nil {
		b.opts.Refused(Refusal{ID: resp.ID, Answer: resp.Answer, By: by, Err: err})
	}
}
