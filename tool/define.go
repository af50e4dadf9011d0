package tool

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// hostEntry checks the definition of a code tool and describes it. Its error
// joins all that is wrong.
func hostEntry(t *Tool) (*Entry, error) {
	switch {
	case t == nil:
		return nil, fault.New(fault.BadTool, "a tool is nil: leave it out or define it")
	case t.Err != nil:
		return nil, fault.Wrap(t.Err, fault.BadTool, "tool %q: %s", t.Name, fault.TextOf(t.Err))
	}
	e := &Entry{Tool: t, Wire: t.Name}
	if err := errors.Join(append(t.problems(), e.describe())...); err != nil {
		return nil, err
	}
	return e, nil
}

// describe fills in the descriptor of a tool.
func (e *Entry) describe() (err error) {
	e.Descriptor = e.Tool.Descriptor()
	if e.Canonical, err = e.Descriptor.Canonical(); err != nil {
		return err
	}
	e.Digest = schema.Digest(e.Canonical)
	return nil
}

// problems says what is wrong with the definition of a code tool, its
// descriptor aside.
func (t *Tool) problems() []error {
	var errs []error
	wrong := func(text string) { errs = append(errs, fault.New(fault.BadTool, "tool %q: %s", t.Name, text)) }
	if !ValidName(t.Name) {
		wrong("a name has 1 to 64 of A-Z, a-z, 0-9, _ and -")
	}
	if t.Run == nil && !t.Remote {
		wrong("it has no Run")
	}
	if t.Timeout < 0 {
		wrong("its time-out is negative: zero is without limit")
	}
	for _, name := range places(t.Title) {
		if problem := t.placeProblem(name); problem != "" {
			wrong("the place {" + name + "} of its title " + problem)
		}
	}
	return errs
}

// placeProblem says why a place of the title can never be filled, or may not be.
func (t *Tool) placeProblem(name string) string {
	var input, property map[string]json.RawMessage
	if json.Unmarshal(t.Input, &input) != nil {
		return "" // describe says what is wrong with the schema
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(input["properties"], &properties) != nil {
		properties = nil
	}
	raw, known := properties[name]
	if !known && string(input["additionalProperties"]) == "false" {
		return "is none of its arguments"
	}
	if json.Unmarshal(raw, &property) == nil && string(property["writeOnly"]) == "true" {
		return "would show a secret argument"
	}
	return ""
}

// definitionErrors are wrong definitions, reported together.
type definitionErrors []error

// together returns nil for no errors.
func together(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	return definitionErrors(errs)
}

// Error returns a line for each wrong definition, with its cause.
func (e definitionErrors) Error() string { return errors.Join(e...).Error() }

// Unwrap returns the errors one by one.
func (e definitionErrors) Unwrap() []error { return e }

// Fault returns the code bad_tool and a line for each wrong definition.
func (e definitionErrors) Fault() (code, text string) {
	return string(fault.BadTool), strings.Join(texts(e), "\n")
}

// texts returns the texts of an error, or of all errors that it joins.
func texts(err error) []string {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{fault.TextOf(err)}
	}
	var all []string
	for _, e := range many.Unwrap() {
		all = append(all, texts(e)...)
	}
	return all
}
