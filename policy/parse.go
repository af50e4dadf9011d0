package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// Options configures Parse. A nil *Options, and the zero one, compile no
// conditions: a rule with a when then refuses the document.
type Options struct {
	// Condition compiles the when of a rule (SPEC D5b). The rule is filled but
	// for its When. Its error refuses the document.
	Condition func(when json.RawMessage, rule *Rule) (Condition, error)
}

// Parse reads a policy document. It is strict (SPEC C7, D5): unknown fields and
// words, duplicate keys, trailing text, or anything that Compile would refuse
// refuse the whole document, with code bad_policy or bad_contract, the line, the
// name of the rule and what to do. Only a contract's class that is no known word
// does not: it counts as Unknown, with a warning.
func Parse(data []byte, opt *Options) (*Document, []Warning, error) {
	p := &parser{reader: reader{data: data, code: CodeBadPolicy}}
	if opt != nil {
		p.condition = opt.Condition
	}
	d := p.document(p.open())
	if p.err == nil {
		p.err = d.check() // what is wrong with it as a whole, such as two rules of one ID
	}
	if p.err != nil {
		return nil, nil, p.err
	}
	return d, p.warnings, nil
}

// ParseContract reads a contract alone, as Parse reads the one of a document:
// {"tools": [{"tool": NAME, "class": WORD, "pins": [DIGEST...]}...]}, or
// {"unreadable": true}. Errors have code bad_contract; what cannot be read
// should count as an unreadable contract then, never as an empty one (SPEC D8).
func ParseContract(data []byte) (*Contract, []Warning, error) {
	p := &parser{reader: reader{data: data, code: CodeBadContract}}
	c := p.contract(p.open())
	if p.err == nil {
		p.err = c.check()
	}
	if p.err != nil {
		return nil, nil, p.err
	}
	return c, p.warnings, nil
}

type parser struct {
	reader
	condition func(json.RawMessage, *Rule) (Condition, error)
}

func (p *parser) document(v value) *Document {
	d := new(Document)
	for key, v := range p.members(v) {
		switch key {
		case "version":
			d.Version = p.text(v)
		case "contract":
			d.Contract = p.optionalContract(v)
		case "rules":
			for e := range p.elements(v) {
				d.Rules = append(d.Rules, p.rule(e, len(d.Rules)+1))
			}
		case "limits":
			for e := range p.elements(v) {
				d.Limits = append(d.Limits, p.limit(e, len(d.Limits)+1))
			}
		case "caps":
			d.Caps = p.caps(v)
		default:
			p.unknown(key, v, "version, contract, rules, limits and caps")
		}
		p.subject = nil
	}
	return d
}

func (p *parser) optionalContract(v value) *Contract {
	if string(v.raw) == "null" {
		return nil
	}
	code := p.code
	defer func() { p.code = code }()
	p.code = CodeBadContract
	return p.contract(v)
}

func (p *parser) contract(v value) *Contract {
	c, listed := new(Contract), false
	p.subject = func() string { return "contract" }
	for key, v := range p.members(v) {
		switch key {
		case "tools":
			listed = true
			for e := range p.elements(v) {
				c.Entries = append(c.Entries, p.entry(e))
			}
		case "unreadable":
			c.Unreadable = p.flag(v)
		default:
			p.unknown(key, v, "tools and unreadable")
		}
	}
	if !listed && !c.Unreadable {
		p.fail(v, "it has no tools: write \"tools\": [] for one that restricts nothing")
	}
	return c
}

func (p *parser) entry(v value) (e Entry) {
	for key, v := range p.members(v) {
		switch key {
		case "tool":
			e.Tool = p.text(v)
		case "class":
			e.Class = p.entryClass(v)
		case "pins":
			e.Pins = p.texts(v)
		default:
			p.unknown(key, v, "tool, class and pins")
		}
	}
	for i := range p.warnings { // a class may stand before its tool's name
		if p.warnings[i].At == "" {
			p.warnings[i].At = e.Tool
		}
	}
	return e
}

// entryClass is lenient (SPEC C7): what is no known class is Unknown.
func (p *parser) entryClass(v value) Class {
	if p.kind(v) == '"' {
		if c, ok := ReadClass(p.text(v)); ok {
			return c
		}
	}
	p.warnings = append(p.warnings, Warning{
		Line: p.line(v.at),
		Text: fmt.Sprintf("unknown class %s counts as unknown: write read, write, destructive or unknown", show(v)),
	})
	return Unknown
}

func (p *parser) rule(v value, number int) (r Rule) {
	var when value
	p.subject = func() string { return p.named("rule", v, number) }
	for key, v := range p.members(v) {
		switch key {
		case "id":
			r.ID = p.text(v)
		case "effect":
			p.word(v, &r.Effect)
		case "shadow":
			r.Shadow = p.flag(v)
		case "source":
			r.Source = p.source(v)
		case "tools":
			r.Tools = p.names(v)
		case "except":
			r.Except = p.texts(v)
		case "classes":
			r.Classes = words[Class](p, v)
		case "agents":
			r.Agents = p.names(v)
		case "groups":
			r.Groups = p.names(v)
		case "modes":
			r.Modes = words[Mode](p, v)
		case "tainted":
			tainted := p.flag(v)
			r.Tainted = &tainted
		case "when":
			when = v
		case "expires":
			r.Expires = p.date(v)
		case "wait_seconds":
			r.Wait = p.seconds(v)
		case "reason":
			r.Reason = p.text(v)
		case "pins":
			r.Pins = p.names(v)
		default:
			p.unknown(key, v, "id, effect, shadow, source, tools, except, classes, agents, groups, modes, tainted, when, expires, wait_seconds, reason and pins")
		}
	}
	p.must(v, "effect")
	p.when(when, &r)
	p.refused(v, r.check())
	return r
}

// when compiles a rule's condition. It comes last, because the compiler may
// want to know the tools that the rule names.
func (p *parser) when(v value, r *Rule) {
	switch {
	case p.err != nil || v.raw == nil:
		return
	case v.raw[0] != '{' || space(v.raw, 1) == len(v.raw)-1:
		p.fail(v, "when must be a schema that says something: leave it out to match all arguments")
		return
	case p.condition == nil:
		p.fail(v, "it has a when, and nothing here compiles conditions")
		return
	}
	r.WhenSchema = bytes.Clone(v.raw)
	c, err := p.condition(r.WhenSchema, r)
	switch {
	case err != nil:
		p.fail(v, "when: %s", plain(err))
	case c == nil:
		p.fail(v, "when: no condition came of it")
	}
	r.When = c
}

// plain returns what may be shown of an error, without its code.
func plain(err error) string {
	if f, ok := err.(interface{ Fault() (code, text string) }); ok {
		_, text := f.Fault()
		return text
	}
	return err.Error()
}

func (p *parser) limit(v value, number int) (l Limit) {
	p.subject = func() string { return p.named("limit", v, number) }
	for key, v := range p.members(v) {
		switch key {
		case "id":
			l.ID = p.text(v)
		case "agents":
			l.Agents = p.names(v)
		case "groups":
			l.Groups = p.names(v)
		case "mode":
			p.word(v, &l.Max)
		default:
			p.unknown(key, v, "id, agents, groups and mode")
		}
	}
	p.must(v, "mode")
	p.refused(v, l.check())
	return l
}

func (p *parser) caps(v value) map[Class]Scope {
	caps := make(map[Class]Scope)
	p.subject = func() string { return "caps" }
	for key, v := range p.members(v) {
		class, err := ParseClass(key)
		if err != nil {
			p.fail(v, "%s", plain(err))
		}
		var scope Scope
		p.word(v, &scope)
		caps[class] = scope
	}
	return caps
}

func (p *parser) source(v value) (s Source) {
	for key, v := range p.members(v) {
		switch key {
		case "kind":
			s.Kind = SourceKind(p.text(v))
		case "name":
			s.Name = p.text(v)
		default:
			p.unknown(key, v, "kind and name")
		}
	}
	p.must(v, "kind")
	return s
}

// names reads a list that narrows a rule. An empty one is refused: a reader
// could take it for "none" where it would mean "all".
func (p *parser) names(v value) []string {
	list := p.texts(v)
	if p.err == nil && len(list) == 0 {
		p.fail(v, "a list is empty: leave it out to match all")
	}
	return list
}

func words[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](p *parser, v value) (list []T) {
	for e := range p.elements(v) {
		var one T
		p.word(e, P(&one))
		list = append(list, one)
	}
	if p.err == nil && len(list) == 0 {
		p.fail(v, "a list is empty: leave it out to match all")
	}
	return list
}

func (p *parser) word(v value, to interface{ UnmarshalText([]byte) error }) {
	s := p.text(v)
	if p.err != nil {
		return
	}
	if err := to.UnmarshalText([]byte(s)); err != nil {
		p.fail(v, "%s", plain(err))
	} else if s == "" {
		p.fail(v, "a word is empty: leave the field out, or write one")
	}
}

func (p *parser) date(v value) time.Time {
	t, err := time.Parse(time.RFC3339, p.text(v))
	if err != nil || t.IsZero() {
		p.fail(v, "expected a time such as 2027-01-31T12:00:00Z, found %s", show(v))
	}
	return t.UTC()
}

func (p *parser) seconds(v value) time.Duration {
	n := p.integer(v)
	if n <= 0 || n > math.MaxInt64/int64(time.Second) {
		p.fail(v, "wait_seconds must be from 1 to 2592000 (30 days)")
		return 0
	}
	return time.Duration(n) * time.Second
}

// must refuses an object without a field whose zero value would say something.
func (p *parser) must(v value, field string) {
	for key := range p.members(v) {
		if key == field {
			return
		}
	}
	p.fail(v, "it has no %s", field)
}

// named gives the id of a rule or limit, which may stand behind the mistake,
// and its place in the list where it has none.
func (p *parser) named(kind string, v value, number int) string {
	if len(v.raw) > 0 && v.raw[0] == '{' {
		for key, v := range p.inside(v) {
			if key == "id" && v.raw[0] == '"' {
				return fmt.Sprintf("%s %q", kind, unquote(v.raw))
			}
		}
	}
	return fmt.Sprintf("%s number %d", kind, number)
}
