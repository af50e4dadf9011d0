package tool

// Notice is something that people should see about the tools that an agent
// brings. It is data; its text comes from a catalogue.
type Notice struct {
	Code   string            `json:"code"`
	Params map[string]string `json:"params,omitempty"`
}

// The codes of notices, with their parameters.
const (
	// ShadowedByHost: a tool source has a tool of the same name as the
	// application, whose own is used (SPEC T7). Params: tool, source.
	ShadowedByHost = "tool_shadowed_by_host"
	// ShadowedBySource: an earlier source has a tool of the same name, which is
	// used. Params: tool, source, by.
	ShadowedBySource = "tool_shadowed_by_source"
	// Doubled: a source has two tools of one name; the first is used. Params:
	// tool, source.
	Doubled = "tool_doubled"
	// Twins: names of code tools differ only by case or separators, which models
	// and people mix up. Params: tools, separated by ", ".
	Twins = "tool_twins"
	// Unusable: a tool of a source cannot be offered. Params: tool, source, reason.
	Unusable = "tool_unusable"
	// UnknownClass: a class that does not exist was read as unknown (SPEC C7).
	// Params: tool, class.
	UnknownClass = "tool_unknown_class"
)
