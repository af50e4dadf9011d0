package chat

import (
	"context"
	"sync"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/keys"
)

// talk is a turn that is being followed.
type talk struct {
	*Chat
	ctx    context.Context
	cancel context.CancelFunc // stops the turn

	flow    *ink.Flow // the model's text
	waiting []string  // approvals that were asked, oldest first
	open    *question // the first of them, where its card is shown
	names   map[string]string
}

type happened struct {
	event assent.Event
	err   error
}

// follow begins a turn and shows it to its end. Whatever ends the wait early
// stops the turn.
func (c *Chat) follow(ctx context.Context, begin func(context.Context) *assent.Turn) error {
	ctx, cancel := context.WithCancel(ctx)
	t := &talk{Chat: c, ctx: ctx, cancel: cancel, names: map[string]string{}}
	for _, item := range c.o.Desk.List() { // what was asked before the turn was followed
		if item.Request.Session == c.o.Session.ID() {
			t.waiting = append(t.waiting, item.Request.ID)
		}
	}
	events, cards := make(chan happened), make(chan struct{}, 1)
	// The watcher of cards ends with watching and not with ctx: when the turn is
	// stopped, its end still comes.
	watching, unwatch := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(events)
		for ev, err := range begin(ctx).Events() {
			events <- happened{ev, err}
		}
	})
	wg.Go(func() {
		for range c.o.Desk.Watch(watching, 0) {
			select {
			case cards <- struct{}{}:
			default:
			}
		}
	})
	err := t.run(events, cards)
	cancel()
	for range events { // its end still comes
	}
	unwatch()
	wg.Wait()
	return err
}

// run shows events and takes keys until the turn has ended.
func (t *talk) run(events <-chan happened, cards <-chan struct{}) error {
	for {
		select {
		case h, ok := <-events:
			if !ok {
				return nil
			}
			if h.err != nil {
				return t.failed(h.err)
			}
			t.show(h.event)
		case <-cards:
		case ks, ok := <-t.keys():
			if !ok {
				t.gone()
				continue
			}
			t.o.Keys.Took()
			t.pressed(ks)
		}
		t.ask()
	}
}

// keys returns the keys to wait for; none where a player plays or the input is over.
func (t *talk) keys() <-chan []keys.Key {
	if t.o.Keys == nil || t.ctx.Err() != nil {
		return nil
	}
	return t.o.Keys.Keys()
}

// gone stops the turn because nobody is there any more.
func (t *talk) gone() {
	t.say("")
	t.cancel()
}

// failed tells what went wrong. A turn that could not be begun is no reason to
// end the conversation; a log that cannot be written is.
func (t *talk) failed(err error) error {
	switch fault.CodeOf(err) {
	case fault.Unwritable, fault.Closed, fault.Internal, fault.BadJournal:
		return err
	}
	t.wrap("! ", fault.TextOf(err), nil)
	return nil
}

// pressed gives keys to the question that is open, or else to the line that is
// being typed ahead.
func (t *talk) pressed(ks []keys.Key) {
	for _, k := range ks {
		switch {
		case t.open != nil && t.open.typing():
			t.open.typed(ks)
			return
		case k.Name == keys.Escape, k.Name == keys.Interrupt:
			t.stop()
			return
		case t.open != nil:
			t.open.key(k)
		default:
			t.line.Type(k)
		}
	}
}

func (t *talk) stop() {
	if t.ctx.Err() == nil {
		t.say(t.o.Ink.Dim("(stopping)"))
		t.cancel()
	}
}

// ask shows the card of the oldest question, once the desk has it.
func (t *talk) ask() {
	for t.open == nil && len(t.waiting) > 0 && t.ctx.Err() == nil {
		item, err := t.o.Desk.Get(t.waiting[0])
		if err != nil {
			return // it comes in a moment
		}
		if !item.Open {
			t.waiting = t.waiting[1:]
			continue
		}
		t.open = &question{talk: t, request: *item.Request, card: approval.NewCard(*item.Request), since: time.Now()}
		t.open.show()
		if t.o.Player != nil {
			t.play(t.o.Player.Answer(t.open.card))
		}
	}
}

// play presses a player's keys. A question that is still open then is one that
// the player has no answer to, so the turn is stopped.
func (t *talk) play(text string) {
	q := t.open
	ks, _ := keys.Parse([]byte(text))
	for _, k := range ks {
		k.Burst = false
		t.pressed([]keys.Key{k})
	}
	if t.open == q && !q.answered {
		t.stop()
	}
}

// closed takes an approval off the list.
func (t *talk) closed(id string) {
	for i, w := range t.waiting {
		if w == id {
			t.waiting = append(t.waiting[:i:i], t.waiting[i+1:]...)
			break
		}
	}
	if t.open != nil && t.open.card.ID == id {
		t.open = nil
	}
}
