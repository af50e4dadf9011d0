package openai

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/assentdev/assent/fault"
)

// maxMessage bounds how much of a server's words is kept.
const maxMessage = 1000

// ServerError is what a server said when it refused or gave up. It is the cause
// of a fault, for the log: its words are the server's, and may quote a request.
// The key is taken out of them.
type ServerError struct {
	Status  int    // of HTTP; 0 where the error came within a stream
	Type    string // the server's word for the kind, or ""
	Code    string // the server's code, or ""
	Message string // at most 1,000 bytes
	Request string // the server's id of the request, or ""

	header http.Header
}

// Error returns all of it in one line.
func (e *ServerError) Error() string {
	var b strings.Builder
	b.WriteString("model server")
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	}
	for _, part := range []struct{ name, value string }{{"type", e.Type}, {"code", e.Code}, {"request", e.Request}} {
		if part.value != "" {
			fmt.Fprintf(&b, " %s=%q", part.name, part.value)
		}
	}
	fmt.Fprintf(&b, ": %s", e.Message)
	return b.String()
}

// serverError reads an error object, a text in its place, or what else a server
// or a proxy before it sends.
func serverError(status int, body []byte, key string) *ServerError {
	e := &ServerError{Status: status}
	object := body
	if json.Valid(body) {
		if inner := member(body, "error"); inner != nil {
			object = inner
		}
	}
	switch {
	case json.Valid(object) && isString(object):
		e.Message = text(object)
	case json.Valid(object) && isObject(object):
		e.Type, e.Code, e.Message = word(member(object, "type")), word(member(object, "code")), text(member(object, "message"))
	default:
		e.Message = string(object)
	}
	e.Type, e.Code, e.Message = clean(e.Type, key), clean(e.Code, key), clean(e.Message, key)
	return e
}

// word returns a string or a number as text.
func word(v []byte) string {
	if isString(v) {
		return text(v)
	}
	if v == nil || isNull(v) {
		return ""
	}
	return string(v)
}

func clean(s, key string) string {
	if key != "" {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	return strings.ToValidUTF8(s[:min(len(s), maxMessage)], "")
}

// refusal returns what the client's error means: a *ServerError if the server
// answered, else the error itself.
func refusal(res *http.Response, err error, key string) error {
	if res == nil || res.StatusCode < 400 {
		return err
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	e := serverError(res.StatusCode, body, key)
	e.header = res.Header
	e.Request = clean(res.Header.Get("X-Request-Id"), key)
	return e
}

// refusesUsage says whether a server does not know stream_options.
func refusesUsage(err error) bool {
	e, ok := errors.AsType[*ServerError](err)
	return ok && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity) &&
		(strings.Contains(e.Message, "stream_options") || strings.Contains(e.Message, "include_usage"))
}

// failure is why an attempt gave no answer.
type failure struct {
	err error
	// server is err if the server said it, else nil.
	server *ServerError
}

func failureOf(err error) failure {
	server, _ := errors.AsType[*ServerError](err)
	return failure{err, server}
}

func (f failure) Error() string { return f.err.Error() }

// status is the HTTP status, or what an error within a stream gives as one.
func (f failure) status() int {
	if f.server == nil {
		return 0
	}
	if n, err := strconv.Atoi(f.server.Code); err == nil && f.server.Status == 0 && n >= 400 && n < 600 {
		return n
	}
	return f.server.Status
}

// is says whether the server's words are one of those.
func (f failure) is(words ...string) bool {
	return f.server != nil && (slices.Contains(words, f.server.Code) || slices.Contains(words, f.server.Type))
}

// tooLarge says whether the answer was more than is read of one.
func (f failure) tooLarge() bool {
	return f.err == errTooLong || f.err == errCalls || f.err == bufio.ErrTooLong
}

// passes says whether the same request may succeed later.
func (f failure) passes() bool {
	if _, ours := errors.AsType[*fault.Error](f.err); ours {
		return false
	}
	switch {
	case f.tooLarge():
		return false
	case f.server == nil: // the connection, or what came over it
		return true
	case f.server.Status != 0 && f.server.header.Get("X-Should-Retry") != "":
		return f.server.header.Get("X-Should-Retry") == "true"
	case f.is("insufficient_quota", "context_length_exceeded"):
		return false
	}
	switch s := f.status(); {
	case s == http.StatusRequestTimeout, s == http.StatusConflict, s == http.StatusTooManyRequests, s >= 500:
		return true
	case s != 0:
		return false
	}
	return !f.is("invalid_request_error", "authentication_error", "permission_error", "not_found_error")
}

// fault returns the error for people: where it failed and what to do next. The
// server's words stay in the cause.
func (f failure) fault(m *Model, requests int) error {
	if e, ours := errors.AsType[*fault.Error](f.err); ours {
		return e
	}
	tries := ""
	if requests > 1 {
		tries = fmt.Sprintf(", in %d attempts", requests)
	}
	return fault.Wrap(f.err, fault.ModelFailed, "Model %q: %s", m.name, f.advice(tries))
}

func (f failure) advice(tries string) string {
	status := f.status()
	switch {
	case f.is("context_length_exceeded"):
		return "the conversation is longer than the model can read. Start a new session, or shorten what its tools return."
	case f.is("insufficient_quota"):
		return "the account has no quota left. Add credit at the provider."
	case f.err == errSilent, errors.Is(f.err, context.DeadlineExceeded):
		return "the server did not answer in time" + tries + ". Try again later, or raise the limit."
	case f.tooLarge():
		return "the answer was larger than any that can be meant. Check that the address is a model's."
	case f.server == nil && (f.err == errCut || errors.Is(f.err, errStopped) || f.err == errNoAnswer || f.err == errNotJSON):
		return "the server gave no whole answer" + tries + ". Try again later; the log has the reason."
	case f.server == nil:
		return "the server cannot be reached or broke the connection" + tries + ". Check its address and that it runs."
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Sprintf("the server does not accept the key (HTTP %d). Check the key and what it may use.", status)
	case status == http.StatusNotFound:
		return "the server has no such model or no such address (HTTP 404). Check the model's name and the base URL."
	case status == http.StatusRequestEntityTooLarge:
		return "the request is too large for the server (HTTP 413). Shorten the conversation or offer fewer tools."
	case status == http.StatusTooManyRequests:
		return "the server is asked too often (HTTP 429)" + tries + ". Wait, or raise the limit at the provider."
	case status >= 500:
		return fmt.Sprintf("the server failed (HTTP %d)%s. Try again later.", status, tries)
	case status >= 400:
		return fmt.Sprintf("the server refused the request (HTTP %d)%s. The log has its reason.", status, tries)
	}
	return "the server gave the answer up" + tries + ". Try again later; the log has the reason."
}
