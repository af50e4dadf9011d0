// Package toollist reads lists of tools as they come: the answer of an MCP
// server to tools/list, an application's manifest, or descriptors.
package toollist

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// limits bound a list. Lists of real servers reach some hundred kilobytes.
var limits = &schema.Limits{Bytes: 16 << 20, Levels: 200, Keys: 500_000}

// Item is one tool of a list.
type Item struct {
	Pointer    string // where it stands in the file
	Descriptor *tool.Descriptor
	Notices    []tool.Notice
	Err        error // why it cannot be read; Descriptor then has its name at most
}

// Read reads a list. source is who provides tools of MCP's own form, in which
// nobody says it. An error has code fault.BadTool: the file is no list of tools.
func Read(data []byte, source tool.Source) ([]Item, error) {
	raw, err := schema.Canonical(data, limits)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadTool, "%s", fault.TextOf(err))
	}
	list, at, err := elements(raw, "")
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(list))
	for i, raw := range list {
		items[i] = read(raw, source)
		items[i].Pointer = at
		if len(list) > 1 || at != "" || isArray(data) {
			items[i].Pointer = fmt.Sprintf("%s/%d", at, i)
		}
	}
	return items, nil
}

func isArray(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) }

// elements finds the list: in "result" of a JSON-RPC answer, in "tools" of an
// answer or a manifest, as an array, or as one tool alone.
func elements(raw json.RawMessage, at string) (list []json.RawMessage, where string, err error) {
	if isArray(raw) {
		err := json.Unmarshal(raw, &list)
		return list, at, err
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, "", fault.New(fault.BadTool, "it is neither an object nor an array")
	}
	switch {
	case o["result"] != nil:
		return elements(o["result"], at+"/result")
	case isArray(o["tools"]):
		return elements(o["tools"], at+"/tools")
	case o["name"] != nil:
		return []json.RawMessage{raw}, at, nil
	}
	return nil, "", fault.New(fault.BadTool, "it has no list of tools")
}

// read reads one tool, of Assent's own form or of MCP's.
func read(raw json.RawMessage, source tool.Source) Item {
	var form struct {
		Name   string          `json:"name"`
		Input  json.RawMessage `json:"input"`
		Source json.RawMessage `json:"source"`
	}
	_ = json.Unmarshal(raw, &form) // what is wrong is said below
	if form.Input != nil && form.Source != nil {
		d, notices, err := tool.ParseDescriptor(raw)
		if err != nil {
			d = &tool.Descriptor{Name: form.Name}
		}
		return Item{Descriptor: d, Notices: notices, Err: err}
	}
	return readMCP(raw, source)
}

// mcpTool is a tool as an MCP server lists it. Other members describe nothing
// that Assent knows.
type mcpTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  json.RawMessage `json:"annotations"`
}

func readMCP(raw json.RawMessage, source tool.Source) Item {
	var m mcpTool
	if err := json.Unmarshal(raw, &m); err != nil {
		return Item{Descriptor: &tool.Descriptor{}, Err: fault.Wrap(err, fault.BadTool, "it is not of the form of a tool")}
	}
	d := &tool.Descriptor{
		Name: m.Name, Title: m.Title, Description: m.Description, Source: source,
		Class: policy.Unknown, Input: m.InputSchema, Output: m.OutputSchema, Hints: m.Annotations,
	}
	if m.Name == "" {
		return Item{Descriptor: d, Err: fault.New(fault.BadTool, "it has no name")}
	}
	_, err := d.Canonical()
	return Item{Descriptor: d, Err: err}
}
