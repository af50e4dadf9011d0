package resource

import (
	"encoding/json"
	"strconv"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// ResultKind says what came of a call.
type ResultKind string

// The kinds of results (SPEC R6).
const (
	Success  ResultKind = "success"
	Rejected ResultKind = "invalid" // what was given does not do: see Issues
	Failure  ResultKind = "error"
	Redirect ResultKind = "redirect" // the answer is elsewhere: see Link
)

// Result is what came of a call. Which fields are set depends on the kind.
type Result struct {
	Kind    ResultKind
	Status  int             // the HTTP status
	Node    Node            // of a view, and of an action that shows something
	Link    *LinkNode       // where to go next: of an action, and of a redirect
	Records []Record        // of a lookup
	Issues  []Issue         // of an invalid call
	Error   *Error          // of an error
	Data    json.RawMessage // the value of [WithData]; nil for none

	found   bool // Records are meant, though there may be none
	preview *tool.Preview
	raised  policy.Class
	undo    json.RawMessage
	doubt   error // why it is not known whether the call had its effect
}

// JSON returns the result as JSON.stringify would print it: kind, status, then
// what there is of node, link, records, issues, error and data.
func (r Result) JSON() []byte {
	b := schema.AppendString(append(make([]byte, 0, r.room()), `{"kind":`...), string(r.Kind))
	b = strconv.AppendInt(append(b, `,"status":`...), int64(r.Status), 10)
	if r.Node != nil {
		b = r.Node.appendJSON(append(b, `,"node":`...))
	}
	if r.Link != nil {
		b = r.Link.To.appendJSON(append(b, `,"link":`...))
	}
	if r.found || len(r.Records) > 0 {
		b = appendRecords(append(b, `,"records":`...), r.Records)
	}
	if len(r.Issues) > 0 {
		b = appendIssues(append(b, `,"issues":`...), r.Issues)
	}
	if r.Error != nil {
		b = r.Error.appendJSON(append(b, `,"error":`...))
	}
	if r.Data != nil {
		b = append(append(b, `,"data":`...), r.Data...)
	}
	return append(b, '}')
}

// room is how much the result usually needs, in bytes.
func (r *Result) room() int {
	if r.Node == nil && len(r.Records) == 0 {
		return 256 + len(r.Data)
	}
	return jsonRoom + len(r.Data)
}

// MarshalJSON returns [Result.JSON], in which json.Marshal escapes <, > and &.
func (r Result) MarshalJSON() ([]byte, error) { return r.JSON(), nil }

func appendRecords(b []byte, records []Record) []byte {
	b = append(b, '[')
	for i, r := range records {
		if i > 0 {
			b = append(b, ',')
		}
		b = schema.AppendString(append(b, `{"value":`...), r.Value)
		b = schema.AppendString(append(b, `,"label":`...), r.Label)
		if r.Description != "" {
			b = schema.AppendString(append(b, `,"description":`...), r.Description)
		}
		if r.Link != nil {
			b = r.Link.To.appendJSON(append(b, `,"link":`...))
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendIssues(b []byte, issues []Issue) []byte {
	b = append(b, '[')
	for i, issue := range issues {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"path":[`...)
		for k, p := range issue.Path {
			if k > 0 {
				b = append(b, ',')
			}
			b = schema.AppendString(b, p)
		}
		b = append(schema.AppendString(append(b, `],"message":`...), issue.Message), '}')
	}
	return append(b, ']')
}

func (e *Error) appendJSON(b []byte) []byte {
	b = schema.AppendString(append(b, `{"code":`...), string(e.Code))
	b = schema.AppendString(append(b, `,"message":`...), e.Text)
	if e.Next != nil {
		b = schema.AppendString(append(b, `,"next":{"tool":`...), e.Next.Tool)
		b = append(append(append(b, `,"input":`...), orEmpty(e.Next.Input)...), '}')
	}
	return append(b, '}')
}

// Err returns nil for a success or a redirect, and otherwise an error with a
// code whose text may be shown: what an agent is told.
func (r Result) Err() error {
	switch r.Kind {
	case Success, Redirect:
		return nil
	case Rejected:
		return Issues(r.Issues)
	}
	if r.Error == nil {
		return fault.New(Internal, "Something went wrong.")
	}
	return r.Error
}
