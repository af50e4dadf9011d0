package policy

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// Marshal writes a document as the JSON that Parse reads, indented by two
// spaces. Equal documents give equal bytes. A document that Compile would
// refuse is the same error here.
func Marshal(d *Document) ([]byte, error) {
	if d == nil {
		return nil, refuse(CodeBadPolicy, "there is no document to write")
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	out := documentJSON{Version: d.Version, Caps: d.Caps}
	if d.Contract != nil {
		c := d.Contract.wire()
		out.Contract = &c
	}
	for i := range d.Rules {
		out.Rules = append(out.Rules, d.Rules[i].wire())
	}
	for _, l := range d.Limits {
		out.Limits = append(out.Limits, limitJSON(l))
	}
	return encode(out)
}

// MarshalContract writes a contract as the JSON that ParseContract reads. A nil
// contract is an error: "none" is a state of a document.
func MarshalContract(c *Contract) ([]byte, error) {
	if c == nil {
		return nil, refuse(CodeBadContract, "there is no contract to write")
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return encode(c.wire())
}

// encode leaves <, > and & as they are: a document is read by people.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, refuse(CodeBadPolicy, "cannot be written as JSON: %s", err)
	}
	return b.Bytes(), nil
}

type documentJSON struct {
	Version  string          `json:"version,omitempty"`
	Contract *contractJSON   `json:"contract,omitempty"`
	Rules    []ruleJSON      `json:"rules,omitempty"`
	Limits   []limitJSON     `json:"limits,omitempty"`
	Caps     map[Class]Scope `json:"caps,omitempty"`
}

type contractJSON struct {
	Tools      []entryJSON `json:"tools,omitzero"`
	Unreadable bool        `json:"unreadable,omitempty"`
}

type entryJSON struct {
	Tool  string   `json:"tool"`
	Class Class    `json:"class,omitzero"`
	Pins  []string `json:"pins,omitempty"`
}

type limitJSON struct {
	ID     string   `json:"id"`
	Agents []string `json:"agents,omitempty"`
	Groups []string `json:"groups,omitempty"`
	Max    Mode     `json:"mode"`
}

type ruleJSON struct {
	ID      string          `json:"id"`
	Effect  Effect          `json:"effect"`
	Shadow  bool            `json:"shadow,omitempty"`
	Source  sourceJSON      `json:"source,omitzero"`
	Tools   []string        `json:"tools,omitempty"`
	Except  []string        `json:"except,omitempty"`
	Classes []Class         `json:"classes,omitempty"`
	Agents  []string        `json:"agents,omitempty"`
	Groups  []string        `json:"groups,omitempty"`
	Modes   []Mode          `json:"modes,omitempty"`
	Tainted *bool           `json:"tainted,omitempty"`
	When    json.RawMessage `json:"when,omitempty"`
	Expires time.Time       `json:"expires,omitzero"`
	Wait    int64           `json:"wait_seconds,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Pins    []string        `json:"pins,omitempty"`
}

type sourceJSON struct {
	Kind SourceKind `json:"kind"`
	Name string     `json:"name,omitempty"`
}

func (c *Contract) wire() contractJSON {
	out := contractJSON{Unreadable: c.Unreadable}
	if !c.Unreadable {
		out.Tools = make([]entryJSON, 0, len(c.Entries))
		for _, e := range c.Entries {
			out.Tools = append(out.Tools, entryJSON(e))
		}
	}
	return out
}

func (r *Rule) wire() ruleJSON {
	out := ruleJSON{
		ID: r.ID, Effect: r.Effect, Shadow: r.Shadow, Source: sourceJSON(r.Source),
		Tools: r.Tools, Except: r.Except, Classes: r.Classes, Agents: r.Agents,
		Groups: r.Groups, Modes: r.Modes, Tainted: r.Tainted, When: slices.Clone(r.WhenSchema),
		Wait: int64(r.Wait / time.Second), Reason: r.Reason, Pins: r.Pins,
	}
	if !r.Expires.IsZero() {
		out.Expires = r.Expires.UTC()
	}
	return out
}
