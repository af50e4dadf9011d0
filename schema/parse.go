package schema

import "github.com/assentdev/assent/fault"

// parser reads JSON text strictly into a tape (SPEC A5).
type parser struct {
	tape
	lim  Limits
	keys []keyRef // of the objects that are still open
	seen int      // keys so far
	err  *syntaxError
}

// syntaxError says why a text is not strict JSON. It becomes a Problem.
type syntaxError struct {
	at   int
	text string
}

func (e *syntaxError) Error() string { return e.text }

// fail keeps the first error and returns the position that stands for failure.
func (p *parser) fail(at int, text string) int {
	if p.err == nil {
		p.err = &syntaxError{at, text}
	}
	return -1
}

// read parses src into the tape, which it takes over from earlier use.
func (p *parser) read(src []byte, lim Limits) *syntaxError {
	p.src, p.lim, p.err, p.seen = src, lim, nil, 0
	p.nodes, p.keys = p.nodes[:0], p.keys[:0]
	if len(src) > lim.Bytes {
		p.fail(lim.Bytes, "the text is too long")
		return p.err
	}
	i := p.value(p.space(0), 1)
	if i < 0 {
		return p.err
	}
	if i = p.space(i); i < len(src) {
		p.fail(i, "text after the value")
	}
	return p.err
}

func (p *parser) space(i int) int {
	for i < len(p.src) && p.src[i] <= ' ' && isSpace(p.src[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// blank says whether text is nothing but white space, which stands for `{}`.
func blank(text []byte) bool {
	for _, c := range text {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// value reads the value at i and returns where it ends.
func (p *parser) value(i, level int) int {
	if i >= len(p.src) {
		return p.fail(i, "the text ends too early")
	}
	switch c := p.src[i]; c {
	case '{':
		return p.object(i, level)
	case '[':
		return p.array(i, level)
	case '"':
		return p.string(i)
	case 't':
		return p.word(i, "true", kTrue)
	case 'f':
		return p.word(i, "false", kFalse)
	case 'n':
		return p.word(i, "null", kNull)
	default:
		if c == '-' || c-'0' <= 9 {
			return p.number(i)
		}
		return p.fail(i, "no JSON value")
	}
}

func (p *parser) word(i int, word string, k kind) int {
	end := i + len(word)
	if end > len(p.src) || string(p.src[i:end]) != word {
		return p.fail(i, "no JSON value")
	}
	p.leaf(k, 0, i, end)
	return end
}

func (p *parser) leaf(k kind, flags uint8, start, end int) {
	next := uint32(len(p.nodes) + 1)
	p.nodes = append(p.nodes, node{kind: k, flags: flags, start: uint32(start), end: uint32(end), next: next})
}

// open begins a container and returns its node.
func (p *parser) open(k kind, i, level int) int {
	if level > p.lim.Levels {
		return p.fail(i, "nested too deeply")
	}
	p.leaf(k, 0, i, i)
	return len(p.nodes) - 1
}

func (p *parser) close(self, end, size int) int {
	n := &p.nodes[self]
	n.end, n.next, n.size = uint32(end), uint32(len(p.nodes)), uint32(size)
	return end
}

func (p *parser) array(i, level int) int {
	self := p.open(kArray, i, level)
	if self < 0 {
		return -1
	}
	if i = p.space(i + 1); i < len(p.src) && p.src[i] == ']' {
		return p.close(self, i+1, 0)
	}
	for size := 1; ; size++ {
		if i = p.value(i, level+1); i < 0 {
			return -1
		}
		i = p.space(i)
		switch {
		case i >= len(p.src):
			return p.fail(i, "the text ends too early")
		case p.src[i] == ']':
			return p.close(self, i+1, size)
		case p.src[i] != ',':
			return p.fail(i, "a comma or ] is missing")
		}
		i = p.space(i + 1)
	}
}

func (p *parser) object(i, level int) int {
	self := p.open(kObject, i, level)
	if self < 0 {
		return -1
	}
	if i = p.space(i + 1); i < len(p.src) && p.src[i] == '}' {
		return p.close(self, i+1, 0)
	}
	base := len(p.keys)
	for size := 1; ; size++ {
		if i = p.member(i, level); i < 0 {
			return -1
		}
		switch {
		case i >= len(p.src):
			return p.fail(i, "the text ends too early")
		case p.src[i] == '}':
			if !p.distinct(p.keys[base:]) {
				return -1
			}
			p.keys = p.keys[:base]
			return p.close(self, i+1, size)
		case p.src[i] != ',':
			return p.fail(i, "a comma or } is missing")
		}
		i = p.space(i + 1)
	}
}

// member reads a key, a colon, a value, and the white space after it.
func (p *parser) member(i, level int) int {
	if i >= len(p.src) || p.src[i] != '"' {
		return p.fail(i, "a key in quotes is missing")
	}
	if p.seen++; p.seen > p.lim.Keys {
		return p.fail(i, "too many keys")
	}
	key := uint32(len(p.nodes))
	if i = p.string(i); i < 0 {
		return -1
	}
	p.note(key)
	if i = p.space(i); i >= len(p.src) || p.src[i] != ':' {
		return p.fail(i, "a colon is missing")
	}
	if i = p.value(p.space(i+1), level+1); i < 0 {
		return -1
	}
	return p.space(i)
}

// Parse reads a call's arguments strictly and returns their canonical bytes
// (SPEC A5, A6). A nil lim means the default limits.
//
// Empty and blank text, and nil, stand for `{}`. The root must be an object.
// Duplicate keys, invalid UTF-8, lone surrogates, text after the value, and
// whatever else is not JSON are errors, as is text beyond the limits. So are a
// number of more than 1,000 digits, and one with a point or an exponent that is
// beyond the range of a double. In the canonical form keys are sorted by their UTF-8 bytes,
// there is no white space, strings have no needless escape, and numbers keep
// their text except that an integer is written in digits. It is its own
// canonical form, and different values never share one.
//
// The error has code fault.BadArguments; it is an [*Invalid].
func Parse(raw []byte, lim *Limits) (canonical []byte, err error) {
	if blank(raw) {
		return []byte("{}"), nil
	}
	var p parser
	if e := p.read(raw, lim.orDefaults()); e != nil {
		return nil, invalidText(&p, e)
	}
	if p.nodes[0].kind != kObject {
		return nil, notAnObject(&p.tape)
	}
	return p.canonical(0), nil
}

// Canonical is Parse for any JSON value: empty text is an error, and the root
// may be of any type. Its error has code fault.BadArguments.
func Canonical(raw []byte, lim *Limits) ([]byte, error) {
	var p parser
	if e := p.read(raw, lim.orDefaults()); e != nil {
		return nil, invalidText(&p, e)
	}
	return p.canonical(0), nil
}

// parseSchema reads a schema, which may be longer and deeper than arguments.
func parseSchema(raw []byte) (*tape, error) {
	var p parser
	lim := Limits{Bytes: 4 << 20, Levels: 256, Keys: 100_000}
	if e := p.read(raw, lim); e != nil {
		return nil, fault.New(fault.BadSchema, "The schema is not strict JSON: %s.", e.describe(&p))
	}
	return &p.tape, nil
}
