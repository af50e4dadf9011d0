package schema

import (
	"regexp"
	"time"

	"github.com/dlclark/regexp2"
)

// patternTime bounds one match of a pattern that only a backtracking engine can express.
const patternTime = 50 * time.Millisecond

// pattern is a compiled `pattern`. It is found anywhere in a text, as in ECMA-262.
type pattern struct {
	source string
	quick  *regexp.Regexp  // nil where Go's regexp cannot express it
	slow   *regexp2.Regexp // used then
}

// match says whether a text has the pattern. One that takes too long has not.
func (p *pattern) match(text []byte) bool {
	ok, _ := p.find(text)
	return ok
}

// find is match that also says whether the answer is known.
func (p *pattern) find(text []byte) (ok, known bool) {
	if p.quick != nil {
		return p.quick.Match(text), true
	}
	ok, err := p.slow.MatchString(string(text))
	return ok && err == nil, err == nil
}

// String returns the pattern as the schema has it.
func (p *pattern) String() string { return p.source }

// compilePattern compiles a pattern of ECMA-262.
func compilePattern(source string) (*pattern, error) {
	if re, err := regexp.Compile(translate(source)); err == nil {
		return &pattern{source: source, quick: re}, nil
	}
	re, err := regexp2.Compile(source, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = patternTime
	return &pattern{source: source, slow: re}, nil
}

// pattern compiles the pattern that the string node at holds; owner is where a
// warning points. It returns nil where no engine can express it.
func (c *compiler) pattern(at, owner uint32) *pattern {
	p, err := compilePattern(c.doc.str(at))
	if err != nil {
		c.warnings = append(c.warnings, c.doc.pointer(owner)+": no engine can express this pattern, so it is not enforced: "+show(c.doc.str(at), maxEcho))
		return nil
	}
	return p
}
