package policy

import "bytes"

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
