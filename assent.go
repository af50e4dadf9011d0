// Package assent makes an application's tools safe for AI agents.
//
// A tool has a class (read, write, destructive, unknown), a session has a mode
// (off, read_only, ask, auto). Together with an administrator's contract, rules
// and limits they decide for every call whether it runs, asks a person first, or
// is refused. Arguments are checked before anybody is asked; what a person
// approved is, byte for byte, what runs; every step is an event of a log that
// can be verified.
//
//	type Page struct {
//		Number int `json:"page" doc:"The page number." min:"1"`
//	}
//
//	readPage := assent.Define("read_page", "Reads a page of the open schematic.",
//		func(ctx context.Context, in Page) (string, error) {
//			return schematic.Page(in.Number)
//		}, &assent.ToolOptions[Page]{Class: assent.Read})
//
//	agent, err := assent.Start(ctx, assent.WithModel(m), assent.WithTools(readPage), assent.WithApprovals(ask))
//	session, err := agent.StartSession(ctx)
//	for event, err := range session.Send(ctx, "What is on page 3?").Events() { … }
//
// The words are those of the rules in docs/rules.md; a comment such as "SPEC C4"
// names one.
package assent

import (
	"bytes"
	"encoding/json"

	"github.com/assentdev/assent/policy"
)

// Class says what a tool may do.
type Class = policy.Class

// The classes, from lenient to strict.
const (
	NotGiven    = policy.NotGiven    // a definition without a class
	Read        = policy.Read        // reads and changes nothing
	Write       = policy.Write       // changes something that can be changed back
	Destructive = policy.Destructive // changes something that cannot easily be changed back, or sends something away
	Unknown     = policy.Unknown     // nobody said: decides like Destructive
)

// Mode is how much a session lets run.
type Mode = policy.Mode

// The modes, from narrow to wide.
const (
	Off      = policy.Off      // no tools
	ReadOnly = policy.ReadOnly // read tools only
	Ask      = policy.Ask      // read tools run, all others ask
	Auto     = policy.Auto     // read and write tools run, all others ask
)

// Verdict is what happens to a call: see [Decide].
type Verdict = policy.Verdict

// Decide says what a mode does with a class, for an application that draws its
// own interface (SPEC C1). What an agent does with a call also depends on
// contract, rules, limits and grants.
func Decide(m Mode, c Class) Verdict { return policy.Decide(m, c) }

// encode is json.Marshal without its escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
