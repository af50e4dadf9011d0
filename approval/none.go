package approval

import (
	"sync"
	"time"
)

// NoHandler is the reason that None gives with its denials.
const NoHandler = "no approval handler is set"

// none is a Desk that says no.
type none struct {
	once   sync.Once
	notice func(text string)
}

// None returns a Desk that declines every request at once (SPEC P1). It tells
// notice of the first one, for the developer; nil tells nobody. A desk for each
// session thus says it once in a session.
func None(notice func(text string)) Desk { return &none{notice: notice} }

// Open declines the request before it returns.
func (d *none) Open(r Request, reply Reply) {
	d.once.Do(func() {
		if d.notice != nil {
			d.notice("A call asked for approval and was declined, because " + NoHandler +
				": give the agent an approval handler, or classes and a mode under which its tools need not ask.")
		}
	})
	reply(Deny(NoHandler), Decided{Via: "none", At: time.Now()}, nil)
}

// Close does nothing: no request stays open.
func (d *none) Close(string, State, string) {}
