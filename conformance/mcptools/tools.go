package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// tool says what became of one tool: it is offered under a class that nobody
// made wider, or held for a keyword that its schema has (SPEC A3, C3).
func (r *report) tool(d descriptor, e *tool.Entry, info assent.ToolInfo, reason string) {
	switch {
	case info.Name == "":
		r.mismatch("%s: the agent does not list it", e.Wire)
	case info.Held == "" && reason != "" || info.Held != "" && reason == "":
		r.mismatch("%s: held %q for the reason %q", e.Wire, info.Held, reason)
	case reason != "":
		r.hold(d, e.Wire, reason)
	case info.Class != assent.Unknown || info.Verdicts != [4]assent.Verdict{policy.Hidden, policy.Hidden, policy.AskFirst, policy.AskFirst}:
		r.mismatch("%s: its class is %s and its verdicts are %v, though nobody but its server classed it", e.Wire, info.Class, info.Verdicts)
	default:
		r.offered++
		r.checks(d, e.Wire)
	}
	r.output(d, e.Wire)
}

var keywordOf = regexp.MustCompile(`keyword "([^"]+)"`)

func (r *report) hold(d descriptor, wire, reason string) {
	m := keywordOf.FindStringSubmatch(reason)
	if m == nil || !bytes.Contains(d.InputSchema, []byte(`"`+m[1]+`"`)) {
		r.mismatch("%s: held for a reason that names no keyword of its schema: %s", wire, reason)
		return
	}
	r.held[m[1]]++
	r.detail("held     %s: %s", wire, reason)
}

// checks asks the compiled schema about texts whose verdict needs no schema
// checker: no tool takes a list, and none with required arguments takes none.
func (r *report) checks(d descriptor, wire string) {
	s, err := schema.Compile(d.InputSchema, &schema.Options{Foreign: true})
	if err != nil {
		r.mismatch("%s: offered, though its schema does not compile: %v", wire, err)
		return
	}
	var doc struct{ Required []string }
	if err := json.Unmarshal(d.InputSchema, &doc); err != nil {
		r.mismatch("%s: %v", wire, err)
		return
	}
	if s.Valid([]byte(`[]`)) || len(doc.Required) > 0 && s.Valid(nil) {
		r.mismatch("%s: its schema takes what it must not", wire)
	}
}

// output compiles the schema of results. It holds no tool back.
func (r *report) output(d descriptor, wire string) {
	if d.OutputSchema == nil {
		return
	}
	if _, err := schema.Compile(d.OutputSchema, &schema.Options{AnyValue: true}); err != nil {
		r.detail("output   %s: %s", wire, fault.TextOf(err))
		if !keywordOf.MatchString(fault.TextOf(err)) {
			r.mismatch("%s: its output schema is refused for no keyword: %s", wire, fault.TextOf(err))
		}
		return
	}
	r.outputs++
}

// names looks at the names that models call the tools by: none twice, none that
// only differ by case or separators, the same in whatever order the servers
// connect (SPEC T6).
func (r *report) names(servers []server, set *tool.Set) error {
	backwards := slices.Clone(servers)
	slices.Reverse(backwards)
	again, err := setOf(backwards)
	if err != nil {
		return err
	}
	raw := map[string]map[string]bool{}
	folded := map[string]string{}
	for e := range set.All() {
		id := e.Tool.Identity()
		if other, ok := again.Find(id); !ok || other.Wire != e.Wire {
			r.mismatch("%s: its name depends on the order of connection", e.Wire)
		}
		if !tool.ValidName(e.Wire) {
			r.mismatch("%s: a provider would refuse this name", e.Wire)
		}
		look := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(e.Wire))
		if was, ok := folded[look]; ok {
			r.mismatch("%s and %s can be mixed up", was, e.Wire)
		}
		folded[look] = e.Wire
		if e.Wire == id.Source+"__"+id.Name {
			r.plain++
		}
		if raw[id.Name] == nil {
			raw[id.Name] = map[string]bool{}
		}
		raw[id.Name][id.Source] = true
	}
	for _, sources := range raw {
		if len(sources) > 1 {
			r.sharing += len(sources)
		}
	}
	return nil
}
