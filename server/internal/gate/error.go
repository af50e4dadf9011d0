package gate

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/assentdev/assent/fault"
)

// The codes of answers that only HTTP has.
const (
	BadRequest      fault.Code = "bad_request"        // the request cannot be read in one way only
	BadJSON         fault.Code = "bad_json"           // the body is not strict JSON, or beyond its limits
	Unauthenticated fault.Code = "unauthenticated"    // nobody who is known sent it
	CrossSite       fault.Code = "cross_site"         // a page of another site sent it
	WrongMethod     fault.Code = "method_not_allowed" // the method is not served there
	TooSlow         fault.Code = "too_slow"           // the body took too long
	TooLarge        fault.Code = "too_large"          // the body is too long
	URLTooLong      fault.Code = "address_too_long"   // path and query are too long
	WrongMedia      fault.Code = "unsupported_media"  // type or encoding of the body
	WrongHost       fault.Code = "wrong_host"         // the server does not go by that name
	RateLimited     fault.Code = "rate_limited"       // too many requests in a time
	TooManyAtOnce   fault.Code = "too_many_at_once"   // too many requests of one key at the same time
	HeadTooLarge    fault.Code = "headers_too_large"  // too many headers, or too long
	Overloaded      fault.Code = "overloaded"         // too many requests of all at the same time
)

// statuses is the one place where a code becomes a status. A code that is not
// here is an internal error's.
var statuses = map[fault.Code]int{
	fault.Internal:       http.StatusInternalServerError,
	fault.BadArguments:   http.StatusBadRequest,
	fault.BadSchema:      http.StatusBadRequest,
	fault.BadTool:        http.StatusBadRequest,
	fault.BadPolicy:      http.StatusBadRequest,
	fault.BadContract:    http.StatusBadRequest,
	fault.BadMode:        http.StatusBadRequest,
	fault.BadClass:       http.StatusBadRequest,
	fault.BadAnswer:      http.StatusBadRequest,
	fault.BadJournal:     http.StatusInternalServerError,
	fault.BadChain:       http.StatusInternalServerError,
	fault.BadEvent:       http.StatusBadRequest,
	fault.BadConfig:      http.StatusBadRequest,
	fault.NotFound:       http.StatusNotFound,
	fault.NotAllowed:     http.StatusForbidden,
	fault.AlreadyDecided: http.StatusConflict,
	fault.Expired:        http.StatusGone,
	fault.Cancelled:      http.StatusConflict,
	fault.Busy:           http.StatusConflict,
	fault.Conflict:       http.StatusConflict,
	fault.Fenced:         http.StatusServiceUnavailable,
	fault.Unwritable:     http.StatusServiceUnavailable,
	fault.ModelFailed:    http.StatusBadGateway,
	fault.ToolFailed:     http.StatusBadGateway,
	fault.OutcomeUnknown: http.StatusConflict,
	fault.Undecided:      http.StatusConflict,
	fault.CannotUndo:     http.StatusConflict,
	fault.Closed:         http.StatusServiceUnavailable,
	fault.LimitReached:   http.StatusTooManyRequests,

	BadRequest:      http.StatusBadRequest,
	BadJSON:         http.StatusBadRequest,
	Unauthenticated: http.StatusUnauthorized,
	CrossSite:       http.StatusForbidden,
	WrongMethod:     http.StatusMethodNotAllowed,
	TooSlow:         http.StatusRequestTimeout,
	TooLarge:        http.StatusRequestEntityTooLarge,
	URLTooLong:      http.StatusRequestURITooLong,
	WrongMedia:      http.StatusUnsupportedMediaType,
	WrongHost:       http.StatusMisdirectedRequest,
	RateLimited:     http.StatusTooManyRequests,
	TooManyAtOnce:   http.StatusTooManyRequests,
	HeadTooLarge:    http.StatusRequestHeaderFieldsTooLarge,
	Overloaded:      http.StatusServiceUnavailable,
}

// Status returns the HTTP status of a code: 500 for one that is not known.
func Status(code fault.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// Envelope is the body of every answer that tells of an error.
type Envelope struct {
	Error Problem `json:"error"`
}

// Problem is what an [Envelope] says.
type Problem struct {
	Code      fault.Code `json:"code"`
	Message   string     `json:"message"`
	Reference string     `json:"reference"` // the request's id, which the log has too
}

// WriteError answers a request with an error: its code decides the status, and
// of its text only what may be shown is (see fault.TextOf).
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	code := fault.CodeOf(err)
	h := w.Header()
	if own, ok := errors.AsType[*headed](err); ok {
		h.Set(own.name, own.value)
	}
	if code == Unauthenticated {
		h.Set("WWW-Authenticate", "Bearer")
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Del("Content-Length")
	w.WriteHeader(Status(code))
	json.NewEncoder(w).Encode(Envelope{Problem{code, fault.TextOf(err), RequestID(r.Context())}})
}

// headed is an error whose answer has a header of its own.
type headed struct {
	error
	name, value string
}

func (e *headed) Unwrap() error { return e.error }

// later is an error that goes away by waiting.
func later(wait time.Duration, code fault.Code, text string) error {
	seconds := max(int(math.Ceil(wait.Seconds())), 1)
	return &headed{fault.New(code, "%s", text), "Retry-After", strconv.Itoa(seconds)}
}
