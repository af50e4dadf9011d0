package assenttest

import (
	"net/http"
	"time"
)

// ModelFault is what goes wrong with one request to a ModelServer. The zero
// fault is nothing. Faults that do not exclude each other may be combined.
type ModelFault struct {
	// Status answers with that HTTP status and no completion.
	Status int
	// Header is sent with Status: Retry-After, for instance.
	Header http.Header
	// Body is sent with Status. Empty: an error object that says so.
	Body string

	// CutAfter breaks the connection after that many bytes of the body. Zero: never.
	CutAfter int
	// ErrorAfter sends an error object in place of what follows that many events
	// of a stream. Zero: never.
	ErrorAfter int
	// ErrorObject is sent then. Empty: one of type server_error.
	ErrorObject string
	// Drip waits that long before each event.
	Drip time.Duration
	// Comments sends a keep-alive comment before each event.
	Comments bool

	NoDone   bool // the stream ends without [DONE]
	NoFinish bool // no finish_reason is sent
	NoUsage  bool // no usage is sent, though it was asked for

	NoIndex    bool // the pieces of a call have no index
	SameIndex  bool // all calls have the index 0
	NoIDs      bool // calls have no id
	SameIDs    bool // all calls have the id of the first
	WholeCalls bool // a call comes in one piece
}

// refuse answers with the fault's status.
func (f *ModelFault) refuse(w http.ResponseWriter) {
	for name, values := range f.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if f.Body == "" {
		refuse(w, f.Status, "server_error", "this request was made to fail")
		return
	}
	w.WriteHeader(f.Status)
	_, _ = w.Write([]byte(f.Body))
}
