package resource

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// The names of a form's own fields and buttons. All begin with "_".
const (
	sendField      = "_do"        // the button that sends the form
	addField       = "_add"       // a button: one more row of the list at this pointer
	removeField    = "_remove"    // a button: without the row or object of this name
	findField      = "_find"      // a button: search for the picker of this name
	backField      = "_back"      // a button: from the confirmation back to the form
	confirmedField = "_confirmed" // a button: run what has this digest
	payloadField   = "_payload"   // the whole payload as JSON
	queryField     = "_query/"    // and a name: what to search for
	queriedField   = "_queried/"  // and a name: what was searched for
)

// sent is what a POST brings.
type sent struct {
	decoding
	payload   json.RawMessage
	refusal   *Error            // why there is no payload
	again     bool              // the form is to be shown again, not sent
	confirmed string            // the digest that a person agreed to
	queries   map[string]string // by pointer: what a picker is asked
}

// body reads the body of a POST for an action.
func (e *exchange) body(d *Definition) (in sent) {
	media, params, err := mime.ParseMediaType(e.r.Header.Get("Content-Type"))
	if err != nil && e.r.Header.Get("Content-Type") != "" {
		media = "?"
	}
	switch media {
	case "application/json", "":
		in.payload, err = io.ReadAll(e.r.Body)
		if media == "" && err == nil && len(in.payload) > 0 {
			in.refusal = unreadable(media)
			return in
		}
	case "application/x-www-form-urlencoded", "multipart/form-data":
		var fields url.Values
		if fields, err = e.fields(media, params["boundary"]); err == nil {
			in.readForm(d, fields)
		}
	default:
		in.refusal = unreadable(media)
		return in
	}
	if err != nil {
		in.refusal = badBody(err)
	}
	return in
}

// fields reads a form.
func (e *exchange) fields(media, boundary string) (url.Values, error) {
	if media == "multipart/form-data" {
		return parts(multipart.NewReader(e.r.Body, boundary))
	}
	body, err := io.ReadAll(e.r.Body)
	if err != nil {
		return nil, err
	}
	return url.ParseQuery(string(body))
}

// errFile says that a form holds a file.
var errFile = errors.New("a form holds a file")

// parts reads a form of several parts. Files are refused, because no control asks
// for one.
func parts(r *multipart.Reader) (url.Values, error) {
	fields := url.Values{}
	for range maxFields + 1 {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return fields, nil
		}
		if err != nil {
			return nil, err
		}
		if p.FileName() != "" {
			return nil, errFile
		}
		value, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		fields.Add(p.FormName(), string(value))
	}
	return fields, nil
}

func unreadable(media string) *Error {
	text := "Send the payload as application/json, or as a form."
	if media == "" {
		text = "The request does not say what its body is. " + text
	}
	return &Error{Code: codeMedia, Status: http.StatusUnsupportedMediaType, Text: text}
}

// badBody says why a body could not be read.
func badBody(err error) *Error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &Error{Code: codeTooLarge, Status: http.StatusRequestEntityTooLarge, Text: "The body is too large."}
	case errors.Is(err, errFile):
		return &Error{Code: codeMedia, Status: http.StatusUnsupportedMediaType, Text: "Files cannot be sent here."}
	}
	return &Error{Code: codeBody, Status: http.StatusBadRequest, Text: "The body cannot be read."}
}

// maxStrangers is how many unknown fields are named.
const maxStrangers = 10

// readForm makes the payload of a form, and notes which button was pressed.
func (in *sent) readForm(d *Definition, fields url.Values) {
	if text := tooMuch(fields); text != "" {
		in.refusal = &Error{Code: codeTooLarge, Status: http.StatusRequestEntityTooLarge, Text: "The form cannot be read: " + text + "."}
		return
	}
	root, own := sortFields(fields)
	in.press(own)
	shape := d.action.payload.shape
	switch {
	case len(own[payloadField]) > 0:
		in.payload = in.json(own.Get(payloadField), nil)
	case shape != nil:
		in.payload = in.object(partsOf(shape), root, nil)
	}
	for i, path := range root.strangers(nil) {
		if i == maxStrangers {
			in.issues = append(in.issues, Issue{nil, "there are more fields that are not of this form"})
			break
		}
		in.issues = append(in.issues, Issue{path, "there is no such field"})
	}
}

// press notes which button was pressed. The key Enter presses none; in the line
// of a search it searches.
func (in *sent) press(own url.Values) {
	in.confirmed = own.Get(confirmedField)
	in.add, in.remove = own.Get(addField), own.Get(removeField)
	in.again = in.add != "" || in.remove != "" || own.Has(backField) || own.Has(findField)
	if path := fieldPath(in.remove); in.remove != "" {
		in.focus = pointer(path[:len(path)-1])
	}
	for name, values := range own {
		field, ok := strings.CutPrefix(name, queryField)
		if !ok || len(values) != 1 || len(values[0]) > maxParam {
			continue
		}
		if in.queries == nil {
			in.queries = map[string]string{}
		}
		at := pointer(fieldPath(field))
		in.queries[at] = values[0]
		changed := values[0] != own.Get(queriedField+field)
		if changed && !own.Has(sendField) {
			in.again, in.focus = true, at
		}
	}
	if own.Has(findField) {
		in.focus = pointer(fieldPath(own.Get(findField)))
	}
}

// then is a step that comes after what is wrong with the body, so that middleware
// has the first word, and the address the second.
func (in *sent) then(next step) step {
	return func(a *App, d *Definition, c *Context) Result {
		if in.refusal == nil && len(in.issues) == 0 {
			return next(a, d, c)
		}
		if r := addressed(a, d, c); r.Kind != Success {
			return r
		}
		if in.refusal != nil {
			return a.fail(c, in.refusal)
		}
		issues := Issues(in.issues)
		if r := check(a, d, c); r.Kind == Rejected {
			issues = append(issues, r.Issues...)
		}
		return a.fail(c, issues)
	}
}
