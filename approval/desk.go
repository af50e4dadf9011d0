package approval

// Desk is where requests are opened. What opens one keeps no goroutine and no
// lock while a person thinks. Implementations are safe for concurrent use.
type Desk interface {
	// Open shows a request. The desk calls reply with the answer, or with an
	// error if no decision could be had (SPEC P11). It may do so from any
	// goroutine, also before Open returns; reply must not block. Only the first
	// reply for an id counts, and none after Close.
	Open(r Request, reply Reply)
	// Close says that a request is over: its state, and a text for people that
	// may be empty. The desk takes the card away, and whoever still waits for an
	// answer stops waiting. Asked as the state only takes the card away: the
	// request may be opened again later. An unknown or closed id changes nothing.
	Close(id string, state State, text string)
}

// Reply receives a request's answer and who gave it; or an error, and then the
// answer counts for nothing.
type Reply = func(Answer, Decided, error)
