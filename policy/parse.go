package policy

import (
	"encoding/json"
	"fmt"
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
