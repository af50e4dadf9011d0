package toollist

import (
	"encoding/json"
	"fmt"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// Report says what a list's tools would be to Assent. Its texts are safe to print.
type Report struct {
	Tools   []Tool   `json:"tools"`
	Held    int      `json:"held"`
	Notices []string `json:"notices,omitempty"` // about the tools among themselves
}

// Tool is what one tool would be.
type Tool struct {
	Pointer  string       `json:"pointer"`
	Name     string       `json:"name"`           // raw
	Wire     string       `json:"wire,omitempty"` // by which a model calls it
	Class    policy.Class `json:"class"`          // the one it runs under without a contract
	Claim    string       `json:"claim,omitempty"`
	Digest   string       `json:"digest,omitempty"`
	Held     bool         `json:"held"`
	Problems []Problem    `json:"problems,omitempty"`
}

// Problem is something wrong with a tool. One that holds keeps it from being offered.
type Problem struct {
	Pointer string `json:"pointer"` // into the file
	Text    string `json:"text"`
	Holds   bool   `json:"holds"`
}

// Check looks at every tool of a list.
func Check(items []Item) Report {
	r := Report{Tools: []Tool{}}
	wires, notices := names(items)
	r.Notices = notices
	for i, item := range items {
		t := check(item)
		if t.Wire = wires[i]; t.Wire == "" && item.Err == nil {
			t.add("/name", "it cannot have a name of its own beside the others", true)
		}
		if t.Held {
			r.Held++
		}
		r.Tools = append(r.Tools, t)
	}
	return r
}

func check(item Item) Tool {
	d := item.Descriptor
	t := Tool{Pointer: item.Pointer, Name: safetext.Name(d.Name), Class: d.Class.Known()}
	if item.Err != nil {
		t.Class = policy.Unknown
		t.add("", fault.TextOf(item.Err), true)
		return t
	}
	if d.Source.Kind == policy.LocalMCP {
		t.Class = policy.Unknown // SPEC C3
	}
	t.Digest, _ = d.Digest() // it was read, so it has one
	for _, n := range item.Notices {
		t.add("/class", fmt.Sprintf("the class %q does not exist and counts as unknown", n.Params["class"]), false)
	}
	t.schemas(d)
	t.texts(d)
	t.claims(d)
	return t
}

func (t *Tool) add(at, text string, holds bool) {
	t.Problems = append(t.Problems, Problem{Pointer: t.Pointer + at, Text: safetext.Shorten(text, 400).String(), Holds: holds})
	t.Held = t.Held || holds
}

// schemas compiles the schemas. An input schema that cannot be understood holds
// the tool back (SPEC A3); all else is said.
func (t *Tool) schemas(d *tool.Descriptor) {
	foreign := d.Source.Kind != policy.Host
	in, out := "/inputSchema", "/outputSchema"
	if !foreign {
		in, out = "/input", "/output"
	}
	s, err := schema.Compile(d.Input, &schema.Options{Foreign: foreign, FillDefaults: !foreign})
	if err != nil {
		t.add(in, fault.TextOf(err), true)
		return
	}
	for _, w := range s.Warnings() {
		t.add(in, w, false)
	}
	if d.Output == nil {
		return
	}
	if _, err := schema.Compile(d.Output, &schema.Options{AnyValue: true}); err != nil {
		t.add(out, fault.TextOf(err), false)
	}
}

// texts looks for characters that a person would not see.
func (t *Tool) texts(d *tool.Descriptor) {
	for _, text := range []struct{ at, text string }{{"/name", d.Name}, {"/title", d.Title}, {"/description", d.Description}} {
		f := safetext.Look(text.text)
		if n := f.Hidden + f.Broken; n > 0 {
			t.add(text.at, fmt.Sprintf("%d hidden characters: %s", n, safetext.Shorten(text.text, 120)), false)
		}
		if len(f.Mixed) > 0 {
			t.add(text.at, fmt.Sprintf("letters of different scripts that look alike: %v", f.Mixed), false)
		}
	}
}

// hints are what an MCP server claims of a tool.
type hints struct {
	ReadOnly    *bool `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint"`
}

// claims shows the server's hints as the claim that they are (SPEC C3).
func (t *Tool) claims(d *tool.Descriptor) {
	if d.Hints == nil {
		return
	}
	var h hints
	if err := json.Unmarshal(d.Hints, &h); err != nil {
		t.add("/annotations", "the hints cannot be read", false)
		return
	}
	yes := func(b *bool) bool { return b != nil && *b }
	switch {
	case yes(h.ReadOnly) && yes(h.Destructive):
		t.add("/annotations", "the hints contradict each other: read-only and destructive", false)
	case yes(h.ReadOnly):
		t.Claim = policy.Read.String()
	case yes(h.Destructive), h.ReadOnly != nil && h.Destructive == nil:
		t.Claim = policy.Destructive.String() // MCP's default for what is not read-only
	case h.Destructive != nil:
		t.Claim = policy.Write.String()
	}
	if t.Claim == policy.Read.String() && d.Class > policy.Read && d.Class < policy.Unknown {
		t.add("/annotations", "the hints claim read and the class is "+d.Class.String(), false)
	}
}

// names gives the tools the names that a model would call them by, and says
// where they get in each other's way.
func names(items []Item) (wires, notices []string) {
	var foreign []tool.Identity
	var host []string
	for _, item := range items {
		switch id := identity(item); {
		case item.Err != nil:
		case id.Kind == policy.Host:
			host = append(host, id.Name)
		default:
			foreign = append(foreign, id)
		}
	}
	names, seen := tool.WireNames(foreign, host), map[tool.Identity]bool{}
	wires = make([]string, len(items))
	for i, item := range items {
		id := identity(item)
		switch {
		case item.Err != nil:
			continue
		case id.Kind != policy.Host:
			wires[i] = names[id]
		case tool.ValidName(id.Name):
			wires[i] = id.Name
		}
		if seen[id] {
			notices = append(notices, safetext.Name(id.Name)+" stands there twice: the first is used")
		}
		seen[id] = true
	}
	return wires, notices
}

func identity(item Item) tool.Identity {
	d := item.Descriptor
	return tool.Identity{Kind: d.Source.Kind, Source: d.Source.Name, Name: d.Name}
}
