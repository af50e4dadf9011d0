package resource

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/assentdev/assent/fault"
)

// The codes of definitions that cannot become tools (SPEC R4). [App.Check]
// reports all of an app at once.
const (
	SchemaWithoutJSON fault.Code = "E_AGENT_SCHEMA_WITHOUT_JSON" // the payload has no JSON Schema
	SchemaNotObject   fault.Code = "E_AGENT_SCHEMA_NOT_OBJECT"   // it has one that is no plain object
	ParamCollision    fault.Code = "E_AGENT_PARAM_COLLISION"     // an address parameter is named like a payload property
	NameCollision     fault.Code = "E_AGENT_NAME_COLLISION"      // two definitions make one tool name
	NameInvalid       fault.Code = "E_AGENT_NAME_INVALID"        // it has no allowed name
)

// The codes of other mistakes in definitions.
const (
	BadDefinition fault.Code = "E_DEFINITION" // a name, an address type, a lookup or a class that cannot be
	Broken        fault.Code = "E_RESOURCE"   // a lazy resource that did not load
)

// The codes of results. An error with another code of its own keeps it.
const (
	Internal    fault.Code = "E_INTERNAL"     // 500: what it was stands in the log, under the reference
	Unknown     fault.Code = "E_NOT_FOUND"    // 404: no such resource, definition or record
	Forbidden   fault.Code = "E_FORBIDDEN"    // 403
	Unsigned    fault.Code = "E_UNAUTHORIZED" // 401: nobody is signed in
	Conflict    fault.Code = "E_CONFLICT"     // 409: the thing is in another state
	Unreachable fault.Code = "E_UNAVAILABLE"  // 503: the data cannot be reached now
)

// Error is a deliberate error: its text goes to whoever called. The text of any
// other error stays in the process (SPEC R6), except that an error of package
// fault is deliberate too: its code gives the status.
type Error struct {
	// Code is one of this package's codes or one of the application's own.
	Code fault.Code
	// Status is the HTTP status; 0 is that of the code, and 422 for an unknown one.
	Status int
	// Text says what is wrong and what to do next.
	Text string
	// Next is a call that helps, for an agent. Nil: none.
	Next *Next
	// Err is the cause. It goes to the log only.
	Err error
}

// Next is a call that an error suggests.
type Next struct {
	Tool  string
	Input json.RawMessage // nil: {}
}

// Errorf makes a deliberate error.
func Errorf(code fault.Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

// NotFound says that a record does not exist, with status 404.
func NotFound(format string, args ...any) *Error { return Errorf(Unknown, format, args...) }

// Result is the error as what came of a call, for middleware.
func (e *Error) Result() Result {
	told := deliberate(e)
	return Result{Kind: Failure, Status: told.Status, Error: told}
}

// Error returns the code, the text and the cause: a line for the log.
func (e *Error) Error() string { return e.fault().Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fault returns the code and the text, so that package fault knows the error.
func (e *Error) Fault() (code, text string) { return string(e.Code), e.Text }

func (e *Error) fault() *fault.Error { return &fault.Error{Code: e.Code, Text: e.Text, Err: e.Err} }

// statuses are the HTTP statuses of codes. Others are 422: the request was
// understood and cannot be done.
var statuses = map[fault.Code]int{
	Internal: http.StatusInternalServerError, Unknown: http.StatusNotFound, Forbidden: http.StatusForbidden,
	Unsigned: http.StatusUnauthorized, Conflict: http.StatusConflict, Unreachable: http.StatusServiceUnavailable,
	Broken: http.StatusInternalServerError, BadDefinition: http.StatusInternalServerError,

	fault.NotFound: http.StatusNotFound, fault.NotAllowed: http.StatusForbidden, fault.Conflict: http.StatusConflict,
	fault.Busy: http.StatusConflict, fault.CannotUndo: http.StatusConflict, fault.Closed: http.StatusServiceUnavailable,
	fault.Unwritable: http.StatusServiceUnavailable, fault.LimitReached: http.StatusTooManyRequests,
}

func statusOf(code fault.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusUnprocessableEntity
}

// Issue is one thing that is wrong with what was given.
type Issue struct {
	Path    []string // of the value, from the outside; empty: the whole
	Message string
}

// Issues is the error of what was given and does not do. A handler may return it
// for what only it can know: the result is invalid, with status 422.
type Issues []Issue

// Invalid makes Issues of one, about the value at path.
func Invalid(message string, path ...string) Issues { return Issues{{Path: path, Message: message}} }

// Error names all issues in one line.
func (l Issues) Error() string {
	_, text := l.Fault()
	return text
}

// Fault returns the code fault.BadArguments and all issues in one line.
func (l Issues) Fault() (code, text string) {
	for i, issue := range l {
		if i > 0 {
			text += "; "
		}
		text += issue.String()
	}
	return string(fault.BadArguments), text
}

// String says the issue in one line, with the place as a JSON Pointer.
func (i Issue) String() string {
	if len(i.Path) == 0 {
		return i.Message
	}
	return pointer(i.Path) + ": " + i.Message
}

// join is errors.Join, but nil for none.
func join(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	return errors.Join(errs...)
}
