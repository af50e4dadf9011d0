package schema

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
)

// maxProblems is how many problems an error names (SPEC A1).
const maxProblems = 10

// Problem is one thing that is wrong with arguments.
type Problem struct {
	// Pointer is the JSON Pointer of the value, also of one that is missing;
	// "" is the arguments as a whole.
	Pointer string
	// Keyword is the schema's keyword that the value fails. "json" stands for
	// text that is not strict JSON, "case" for a key that differs from a known
	// one only by case, "false" for a schema that allows nothing, and "schema"
	// for arguments that are too complicated to check.
	Keyword string
	// Text says what is wrong.
	Text string
}

// Invalid is the error of arguments that fail. It has code fault.BadArguments.
type Invalid struct {
	Problems []Problem // at most ten, about in the order of the arguments' text
	More     bool      // there are further ones
}

// Fault returns the code and the text that the model is told.
func (e *Invalid) Fault() (code, text string) {
	var b strings.Builder
	b.WriteString("Invalid arguments: ")
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteString("; ")
		}
		if p.Pointer != "" {
			b.WriteString(show(p.Pointer, maxEcho) + ": ")
		}
		b.WriteString(p.Text)
	}
	if e.More {
		b.WriteString("; and more")
	}
	return string(fault.BadArguments), b.String()
}

// Error returns the code and the text.
func (e *Invalid) Error() string {
	code, text := e.Fault()
	return code + ": " + text
}

// describe says what is wrong and where.
func (e *syntaxError) describe(p *parser) string {
	if e.at >= len(p.src) {
		return fmt.Sprintf("%s at the end, byte %d", e.text, len(p.src))
	}
	at := e.at
	end := min(at+20, len(p.src))
	for end < len(p.src) && end > at && !utf8.RuneStart(p.src[end]) {
		end--
	}
	return fmt.Sprintf("%s at byte %d, near %s", e.text, at, show(string(p.src[at:end]), maxEcho))
}

func invalidText(p *parser, e *syntaxError) *Invalid {
	return &Invalid{Problems: []Problem{{Keyword: "json", Text: "not strict JSON: " + e.describe(p)}}}
}

func notAnObject(t *tape) *Invalid {
	text := "expected an object, got " + t.typeName(0)
	if t.nodes[0].kind == kString {
		text += "; write the object itself, not a string that holds it"
	}
	return &Invalid{Problems: []Problem{{Keyword: "type", Text: text}}}
}

func tooComplicated() *Invalid {
	return &Invalid{Problems: []Problem{{Keyword: "schema", Text: "too complicated to check against this schema; write less or simpler values"}}}
}

// typeName names a value's type with its article.
func (t *tape) typeName(n uint32) string {
	switch v := t.nodes[n]; v.kind {
	case kNull:
		return "null"
	case kFalse, kTrue:
		return "a boolean"
	case kString:
		return "a string"
	case kObject:
		return "an object"
	case kArray:
		return "an array"
	default:
		if v.flags&whole != 0 {
			return "an integer"
		}
		return "a number"
	}
}

// pointer returns the JSON Pointer of node n.
func (t *tape) pointer(n uint32) string {
	var b strings.Builder
	for at := uint32(0); at != n; {
		at = t.step(&b, at, n)
	}
	return b.String()
}

// step appends the token that leads from container at towards n.
func (t *tape) step(b *strings.Builder, at, n uint32) uint32 {
	if t.nodes[at].kind == kObject {
		for k, v := range t.members(at) {
			if n < t.nodes[v].next {
				b.WriteString("/" + pointerToken(t.str(k)))
				return v
			}
		}
	}
	index := 0
	for i := range t.items(at) {
		if n < t.nodes[i].next {
			fmt.Fprintf(b, "/%d", index)
			return i
		}
		index++
	}
	return n
}

func pointerToken(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// maxEcho is how many characters of a value or a key are shown (SPEC A1).
const maxEcho = 200

// echo shows a value as JSON text that cannot lie: one line, without
// characters that show nothing or turn the text around.
func (t *tape) echo(n uint32) string { return show(string(t.canonical(n)), maxEcho) }

// show escapes what is not plainly visible and cuts the text to most characters.
func show(text string, most int) string {
	var b strings.Builder
	count := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		piece := text[:size]
		switch {
		case r == utf8.RuneError && size == 1:
			piece = fmt.Sprintf(`\x%02x`, text[0])
		case !visible(r):
			piece = escapeRune(r)
		}
		text = text[size:]
		if count += utf8.RuneCountInString(piece); count > most {
			return b.String() + "…"
		}
		b.WriteString(piece)
	}
	return b.String()
}

func escapeRune(r rune) string {
	if r > 0xFFFF {
		return fmt.Sprintf(`\u{%x}`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
