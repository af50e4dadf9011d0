package approval

import (
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
)

// DefaultKeep is how many closed cards a Broker remembers unless told otherwise.
const DefaultKeep = 1024

// BrokerOptions configures a Broker. Nil and the zero value are usable.
type BrokerOptions struct {
	// Keep is how many closed cards are remembered, so that a late answer can be
	// told who decided. Zero: DefaultKeep.
	Keep int
	// May says whether somebody may answer a request (SPEC P13): nil for yes, or
	// an error with code fault.NotAllowed, or fault.NotFound to people who must
	// not learn that it exists. It is called without a lock, before the answer is
	// looked at. A nil May lets everybody answer.
	May func(r *Request, by Decided) error
	// Refused is told of each answer that changed nothing (SPEC P5), without a
	// lock. Nil: nobody is told.
	Refused func(Refusal)
}

// Broker is a Desk that shows requests as cards and takes answers from any
// channel (SPEC P13). The first answer to a card wins. A waiting card has no
// goroutine, and no lock is held while a callback runs. The zero Broker is not
// usable; a *Broker is safe for concurrent use.
type Broker struct {
	opts BrokerOptions

	mu        sync.Mutex
	cards     map[string]*card
	open      chain         // in the order in which they were opened
	closed    chain         // in the order of their last change
	rev       uint64        // of the newest change
	forgotten uint64        // the newest change of a card that is not remembered any more
	wake      chan struct{} // closed at the next change; nil if nobody waits
}

// Item is a card as a Broker keeps it.
type Item struct {
	// Rev numbers the last change of the card. It grows over all cards of a Broker.
	Rev uint64
	// Request is read only. A closed card keeps no arguments, schema, preview,
	// description and model text: they are in the log.
	Request *Request
	Open    bool
	// State is Asked while the card is open, and also if it was taken away
	// undecided.
	State  State
	Text   string  // why it was closed, where something is to be said
	Answer Answer  // the answer that won; the zero Answer if none did
	By     Decided // who gave it; At is when the card was closed, if it is
}

// card is an item in one of the chains.
type card struct {
	Item
	reply      Reply
	prev, next *card
}

// NewBroker returns an empty Broker.
func NewBroker(opts *BrokerOptions) *Broker {
	b := &Broker{cards: map[string]*card{}}
	if opts != nil {
		b.opts = *opts
	}
	if b.opts.Keep <= 0 {
		b.opts.Keep = DefaultKeep
	}
	return b
}

// Open shows a card. An id that is open, or that was closed with an answer or an
// end, gets an error with code fault.Conflict and changes nothing: ids are never
// used twice.
func (b *Broker) Open(r Request, reply Reply) {
	if !b.add(&r, reply) {
		reply(Answer{}, Decided{}, fault.New(fault.Conflict, "approval %q exists already", r.ID))
	}
}

func (b *Broker) add(r *Request, reply Reply) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.cards[r.ID]; old != nil {
		if old.Open || old.State.Final() {
			return false
		}
		b.closed.remove(old) // it was only taken away
	}
	c := &card{Item: Item{Request: r, Open: true}, reply: reply}
	b.cards[r.ID] = c
	b.open.push(c)
	b.changed(c)
	return true
}

// Close takes a card away. A card that an answer closed before takes over the
// state and text if they differ, because an approval can still be withdrawn
// before its call starts (SPEC P5). Closing one card touches no other.
func (b *Broker) Close(id string, state State, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.cards[id]
	switch {
	case c == nil:
		return
	case c.Open:
		c.State, c.Text = state, text
		c.By.At = time.Now()
		b.shut(c)
	case c.State != state || text != "" && c.Text != text:
		c.State, c.Text = state, text
		b.closed.remove(c)
		b.closed.push(c)
		b.changed(c)
	}
}

// shut moves an open card to the closed ones and forgets the oldest of them
// beyond Keep.
func (b *Broker) shut(c *card) {
	c.Open, c.reply = false, nil
	c.Request = c.Request.outline()
	b.open.remove(c)
	b.closed.push(c)
	b.changed(c)
	for b.closed.n > b.opts.Keep {
		old := b.closed.head
		b.closed.remove(old)
		delete(b.cards, old.Request.ID)
		b.forgotten = max(b.forgotten, old.Rev)
	}
}

// changed numbers the change and wakes those who watch.
func (b *Broker) changed(c *card) {
	b.rev++
	c.Rev = b.rev
	if b.wake != nil {
		close(b.wake)
		b.wake = nil
	}
}

// List returns the open cards in the order in which they were opened.
func (b *Broker) List() []Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := make([]Item, 0, b.open.n)
	for c := b.open.head; c != nil; c = c.next {
		items = append(items, c.Item)
	}
	return items
}

// Get returns a card that is open or remembered. The error has code fault.NotFound.
func (b *Broker) Get(id string) (Item, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.cards[id]; c != nil {
		return c.Item, nil
	}
	return Item{}, unknown(id)
}

// outline returns what a closed card keeps of its request.
func (r *Request) outline() *Request {
	o := *r
	o.Args, o.Schema, o.Preview, o.NoPreview, o.ModelText, o.Tool.Description = nil, nil, nil, "", "", ""
	return &o
}

func unknown(id string) error {
	return fault.New(fault.NotFound, "no approval %q is known here: look at the list of open ones", id)
}
