package approval

// chain is a list of cards that are linked through their own fields, so that a
// card costs no list node and can leave from the middle.
type chain struct {
	head, tail *card
	n          int
}

func (l *chain) push(c *card) {
	c.prev, c.next = l.tail, nil
	if l.tail == nil {
		l.head = c
	} else {
		l.tail.next = c
	}
	l.tail = c
	l.n++
}

func (l *chain) remove(c *card) {
	if c.prev == nil {
		l.head = c.next
	} else {
		c.prev.next = c.next
	}
	if c.next == nil {
		l.tail = c.prev
	} else {
		c.next.prev = c.prev
	}
	c.prev, c.next = nil, nil
	l.n--
}

// since appends the cards that changed after rev. Both chains of a Broker are
// in the order of their changes, so only those are looked at.
func (l *chain) since(rev uint64, items []Item) []Item {
	for c := l.tail; c != nil && c.Rev > rev; c = c.prev {
		items = append(items, c.Item)
	}
	return items
}
