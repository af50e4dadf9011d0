package approval

import (
	"maps"
	"slices"
	"strings"
)

// Line is one line for people. The wire carries the code and its parameters,
// from which a catalogue of another language makes its own text (SPEC V13).
// Parameters are safe text.
type Line struct {
	Code   string            `json:"code"`
	Params map[string]string `json:"params,omitempty"`
	Text   string            `json:"text"` // in English
}

// newLine returns a line of the catalogue. pairs are names and values of its
// parameters in turn.
func newLine(code string, pairs ...string) Line {
	var params map[string]string
	for i := 0; i+1 < len(pairs); i += 2 {
		if params == nil {
			params = map[string]string{}
		}
		params[pairs[i]] = pairs[i+1]
	}
	text, _ := English(code, params)
	return Line{Code: code, Params: params, Text: text}
}

// English returns the text of a code with its parameters filled in; "" and
// false for a code that is not in the catalogue.
func English(code string, params map[string]string) (text string, ok bool) {
	template, ok := english[code]
	if !ok {
		return "", false
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		place, after, _ := strings.Cut(rest, "}")
		b.WriteString(fill(place, params))
		template = after
	}
}

// fill returns what stands at a place: the value of "name", or one of two words
// by the number in it for "name|word for 1|word for others".
func fill(place string, params map[string]string) string {
	name, words, plural := strings.Cut(place, "|")
	if !plural {
		return params[name]
	}
	one, many, _ := strings.Cut(words, "|")
	if params[name] == "1" {
		return one
	}
	return many
}

// Catalogue returns the codes of all lines with their English templates, sorted
// by code: what a catalogue of another language translates. In a template,
// {name} is a parameter's value, and {name|one|many} a word by its number.
func Catalogue() []Line {
	var lines []Line
	for _, code := range slices.Sorted(maps.Keys(english)) {
		lines = append(lines, Line{Code: code, Text: english[code]})
	}
	return lines
}

var english = map[string]string{
	"source.host":       "this application",
	"source.host.named": "{name}, a part of this application",
	"source.local-mcp":  "{name}, a program on this machine",
	"source.gateway":    "{name}, a server that administrators registered",
	"source.unknown":    "an unknown source",

	"class.read":        "Read: changes nothing",
	"class.write":       "Write: changes something that can be changed back",
	"class.destructive": "Destructive: cannot easily be changed back, or sends something away",
	"class.unknown":     "Unknown: nobody said what this may change",

	"class.from":                   "neither declared nor in the contract, so {effective}",
	"class.from.declared":          "declared {declared}, this call {effective}",
	"class.from.contract":          "contract {contract}, this call {effective}",
	"class.from.declared.contract": "declared {declared}, contract {contract}, this call {effective}",

	"decision.table":    "the mode is {mode} and the class is {class}",
	"decision.ask":      "rule {rule} asks",
	"decision.ask_each": "rule {rule} asks for each call",
	"decision.confirm":  "the tool asks for this call",
	WhyEdited:           "a person changed the arguments",
	WhyLost:             "this call was started and its result was lost: nobody knows whether it had its effect",

	"warn.unreadable": "The arguments cannot be shown, so the call can only be denied.",
	"warn.hidden":     "{n} hidden {n|character|characters}, shown as {n|an escape|escapes}, in {where}",
	"warn.bidi":       "{n} {n|character|characters} that {n|turns|turn} the direction of text, in {where}",
	"warn.broken":     "{n} {n|byte|bytes} that {n|is|are} no text, in {where}",
	"warn.white":      "up to {n} characters of white space in a row, in {where}",
	"warn.mixed":      "letters of different scripts that look alike in one word: {words}",
	"warn.directions": "text in both directions, so its order may look different, in {where}",
	"warn.name":       "The tool's name has unusual characters.",
	"warn.similar":    "Similar to a call that was denied before ({id}).",

	"size.characters": "{n} {n|character|characters}",
	"size.items":      "{n} {n|item|items}",
	"size.fields":     "{n} {n|field|fields}",
	"more.characters": "{n} more {n|character|characters}",
	"more.items":      "{n} {n|item|items} not shown",
	"more.fields":     "{n} {n|field|fields} not shown",

	"choice.approve":         "Allow once",
	"choice.approve_exact":   "Allow these arguments again",
	"choice.approve_pattern": "Allow similar calls",
	"choice.approve_session": "Allow for this session",
	"choice.approve_user":    "Allow until a date",
	"choice.deny":            "Deny",
	"choice.edit":            "Change the arguments",
	"choice.give_up":         "Leave it",
	"choice.happened":        "It happened",
	"choice.run_again":       "Run it again",

	"scope.once":     "`{tool}` with these arguments, this once",
	"scope.exact":    "`{tool}` in this session, with exactly these arguments",
	"scope.pattern":  "`{tool}` in this session, with arguments that meet a condition",
	"scope.session":  "`{tool}` in this session, any arguments",
	"scope.user":     "`{tool}` for you, any arguments, in all sessions until a date",
	"grant.once":     "nothing",
	"grant.exact":    "`{tool}` in this session, with exactly the approved arguments",
	"grant.pattern":  "`{tool}` in this session, with arguments that meet {condition}",
	"grant.session":  "`{tool}` in this session, any arguments",
	"grant.user":     "`{tool}` for you, any arguments, in all sessions",
	"grant.until":    "{grant}, until {until}",
	"assistant.says": "The assistant says:",

	"expiry.none": "waits without a limit",
	"expiry.left": "expires in {left}",
	"expiry.over": "expired at {at}",

	"ended.asked":      "taken away undecided",
	"ended.approved":   "approved",
	"ended.covered":    "covered by an approval for the session",
	"ended.denied":     "denied",
	"ended.edited":     "changed, to be decided again",
	"ended.expired":    "expired: nobody answered in time",
	"ended.cancelled":  "cancelled: the turn was stopped",
	"ended.superseded": "superseded: no answer is needed any more",
	"ended.stale":      "not valid any more: something changed meanwhile",
	"ended.undecided":  "undecided: no decision could be had",
	"ended.by":         "{ended}, by {who}",
	"ended.reason":     "{ended}: {reason}",
	"ended.via":        "{ended}, by {who} ({via})",
}
