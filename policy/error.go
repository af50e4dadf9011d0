package policy

import "fmt"

// The codes of this package's errors. Package fault has the same words.
const (
	CodeBadMode     = "bad_mode"
	CodeBadClass    = "bad_class"
	CodeBadPolicy   = "bad_policy"
	CodeBadContract = "bad_contract"
)

// Error is a text, a rule or a document that this package refuses. It carries
// its code and text to package fault by its method Fault.
type Error struct {
	Code string
	Text string // says where and what next; may be shown
	Line int    // of the document, from 1; 0 where there is none
}

// Error returns the code, the line and the text.
func (e *Error) Error() string { return e.Code + ": " + e.text() }

// Fault returns the code and the text, which names the line.
func (e *Error) Fault() (code, text string) { return e.Code, e.text() }

func (e *Error) text() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}

func refuse(code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}
