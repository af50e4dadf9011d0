// Package sum works out what a line of arithmetic comes to, as the calculator
// of τ-bench's retail tools does (types.go of package store names the source).
package sum

import (
	"math"
	"strconv"
	"strings"

	"github.com/assentdev/assent/fault"
)

// Of returns the value of an expression of decimal numbers, + - * / // ** and
// parentheses, rounded to two places: "41.92", "9.0". It counts in binary
// floating point, like the original; "//" rounds down and "**" is the power.
// Anything else, more than 1,000 bytes of it, a division by zero and a value
// that is too large are fault.BadArguments.
func Of(expression string) (string, error) {
	if strings.Trim(expression, "0123456789+-*/(). ") != "" {
		return "", fault.New(fault.BadArguments, "invalid characters in expression")
	}
	if len(expression) > 1000 {
		return "", fault.New(fault.BadArguments, "the expression is too long")
	}
	p := parser{rest: expression}
	value := p.sum()
	if p.next(); p.rest != "" {
		p.fail("invalid syntax")
	}
	if p.err == nil && (math.IsInf(value, 0) || math.IsNaN(value)) {
		p.fail("the result is no number that can be shown")
	}
	if p.err != nil {
		return "", p.err
	}
	return show(value), nil
}

// show rounds half to even, on the exact binary value, and leaves one place at least.
func show(value float64) string {
	text := strings.TrimSuffix(strconv.FormatFloat(value, 'f', 2, 64), "0")
	if text == "-0.0" {
		return "0.0"
	}
	return text
}

// parser reads an expression from left to right. After the first error it
// reads on without effect.
type parser struct {
	rest string
	err  error
}

func (p *parser) sum() float64 {
	value := p.product()
	for {
		switch {
		case p.take("+"):
			value += p.product()
		case p.take("-"):
			value -= p.product()
		default:
			return value
		}
	}
}

func (p *parser) product() float64 {
	value := p.signed()
	for {
		switch {
		case p.take("//"):
			value = math.Floor(value / p.divisor())
		case p.take("/"):
			value /= p.divisor()
		case p.take("*"):
			value *= p.signed()
		default:
			return value
		}
	}
}

func (p *parser) divisor() float64 {
	value := p.signed()
	if value == 0 {
		p.fail("division by zero")
	}
	return value
}

func (p *parser) signed() float64 {
	switch {
	case p.take("+"):
		return p.signed()
	case p.take("-"):
		return -p.signed()
	}
	value := p.atom()
	if p.take("**") {
		value = math.Pow(value, p.signed())
	}
	return value
}

func (p *parser) atom() float64 {
	if p.take("(") {
		value := p.sum()
		if !p.take(")") {
			p.fail("invalid syntax")
		}
		return value
	}
	return p.number()
}

func (p *parser) number() float64 {
	p.next()
	end := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789."))
	text := p.rest[:end]
	p.rest = p.rest[end:]
	value, err := strconv.ParseFloat(text, 64)
	padded := strings.HasPrefix(text, "0") && strings.Trim(text, "0") != "" && !strings.Contains(text, ".")
	if err != nil || padded { // 007 is no number
		p.fail("invalid syntax")
	}
	return value
}

// take reads an operator. "*" and "/" are read alone only.
func (p *parser) take(operator string) bool {
	p.next()
	after, found := strings.CutPrefix(p.rest, operator)
	if !found || operator == "*" && strings.HasPrefix(after, "*") {
		return false
	}
	p.rest = after
	return true
}

// next skips spaces.
func (p *parser) next() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *parser) fail(text string) {
	if p.err == nil {
		p.err = fault.New(fault.BadArguments, "%s", text)
	}
}
