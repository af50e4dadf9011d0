package policy

import (
	"fmt"
	"math"
	"time"
)

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

// plain returns what may be shown of an error, without its code.
func plain(err error) string {
	if f, ok := err.(interface{ Fault() (code, text string) }); ok {
		_, text := f.Fault()
		return text
	}
	return err.Error()
}
