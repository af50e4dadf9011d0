package schema

import (
	"fmt"
	"strings"
)

// fail notes a problem of node n on the thorough way, and is always false.
func (c *checker) fail(n uint32, keyword, text string, bound ...[]byte) bool {
	if !c.collect {
		return false
	}
	for _, b := range bound {
		text += string(b)
	}
	if keyword != "false" {
		text += ", got " + c.echo(n)
	}
	return c.report(n, keyword, text)
}

// report notes a problem of node n in its final words.
func (c *checker) report(n uint32, keyword, text string) bool {
	if c.collect {
		c.add(Problem{c.pointer(n), keyword, text})
	}
	return false
}

func (c *checker) add(p Problem) {
	if len(c.problems) == maxProblems {
		c.more = true
		return
	}
	c.problems = append(c.problems, p)
}

func (c *checker) giveUp() bool {
	c.gaveUp = true
	return false
}

func (c *checker) wrongType(r *rule, n uint32) bool {
	if !c.collect {
		return false
	}
	var want []string
	for _, t := range typeNames {
		if r.types&t.set == t.set && !(t.set == tInteger && r.types&tNumber != 0) {
			want = append(want, t.phrase)
		}
	}
	got := c.typeName(n)
	if k := c.nodes[n].kind; k != kNull && k != kObject && k != kArray {
		got += ", " + c.echo(n)
	}
	return c.report(n, "type", "expected "+orList(want)+", got "+got)
}

// orList joins words as in "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (c *checker) notListed(e *enum, n uint32) bool {
	if !c.collect {
		return false
	}
	var want []string
	for _, v := range e.values {
		want = append(want, e.doc.echo(v))
	}
	text := "must be one of " + show(strings.Join(want, ", "), maxEcho)
	if len(want) == 1 {
		text = "must be " + want[0]
	}
	if len(want) == 0 {
		text = "no value is allowed here"
	}
	return c.report(n, e.word, text+", got "+c.echo(n))
}

func (c *checker) wrongCount(n uint32, keyword, bound string, count int, what string) bool {
	if !c.collect {
		return false
	}
	return c.report(n, keyword, fmt.Sprintf("must have %s %s, has %d", bound, plural(count, what), c.nodes[n].size))
}

func plural(count int, what string) string {
	if count == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return fmt.Sprintf("%d %sies", count, stem)
	}
	return fmt.Sprintf("%d %ss", count, what)
}

// missing reports the required properties that an object lacks.
func (c *checker) missing(o *objectRule, n uint32) bool {
	if !c.collect {
		return false
	}
	for i := range o.props {
		p := &o.props[i]
		if !p.required {
			continue
		}
		if c.more {
			break
		}
		value, ok := c.tape.member(n, string(p.name))
		switch {
		case !ok:
			c.add(Problem{c.pointer(n) + "/" + pointerToken(string(p.name)), "required", "is required"})
		case !c.counts(n, value):
			c.report(value, "required", "is required and must not be null")
		}
	}
	return false
}

func (c *checker) missingBeside(d *dependency, n uint32, name string) bool {
	if c.collect {
		c.add(Problem{c.pointer(n) + "/" + pointerToken(name), d.word, "is required beside " + show(d.name, maxEcho)})
	}
	return false
}

// unknown reports a key that additionalProperties refuses.
func (c *checker) unknown(o *objectRule, k uint32) bool {
	if !c.collect {
		return false
	}
	var names []string
	for _, p := range o.props {
		names = append(names, string(p.name))
	}
	return c.report(k+1, "additionalProperties", "is not a known property"+suggest(c.str(k), names))
}

func (c *checker) twin(k uint32, known []byte) bool {
	if !c.collect {
		return false
	}
	return c.report(k+1, "case", fmt.Sprintf("differs from the known property %s only by case",
		show(fmt.Sprintf("%q", known), maxEcho)))
}

func (c *checker) twoFit(n uint32, a, b int) bool {
	if !c.collect {
		return false
	}
	return c.report(n, "oneOf", fmt.Sprintf("fits more than one alternative (%d and %d), must fit exactly one", a+1, b+1))
}

// noneFits reports the alternative that is nearest to the value.
func (c *checker) noneFits(keyword string, parts []*rule, n uint32) bool {
	if !c.collect {
		return false
	}
	kept, more := c.problems, c.more
	nearest, least := []Problem(nil), 1<<30
	choice := 0
	for i, part := range parts {
		c.problems, c.more = nil, false
		c.value(part, n, false)
		if d := distance(c.problems, c.pointer(n)); d < least {
			nearest, least, choice = c.problems, d, i
		}
	}
	c.problems, c.more = kept, more
	if len(parts) > 1 {
		c.report(n, keyword, fmt.Sprintf("fits none of %d alternatives; number %d is nearest", len(parts), choice+1))
	}
	for _, p := range nearest {
		c.add(p)
	}
	return false
}

// distance says how far a value is from an alternative. One of another type or
// with another constant was not meant.
func distance(problems []Problem, at string) int {
	d := 0
	for _, p := range problems {
		d++
		switch {
		case p.Keyword == "type" && p.Pointer == at:
			d += 1000
		case p.Keyword == "const" || p.Keyword == "enum":
			d += 100
		}
	}
	return d
}
