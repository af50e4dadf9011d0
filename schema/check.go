package schema

// checker parses one text and checks it. It is used again and again, so that a
// check of valid text allocates nothing.
//
// It has two ways. The quick one stops at the first problem and keeps nothing
// of it. The thorough one is the same code with collect set: it goes on and
// keeps what it finds. Both give the same verdict.
type checker struct {
	parser
	args     bool // the text is a call's arguments: A2 and A5 hold beyond JSON Schema
	notNull  bool // what the root requires must not be null (SPEC A2)
	collect  bool
	negated  int // how many `not` are around
	steps    int // how many may still be taken
	gaveUp   bool
	problems []Problem
	more     bool
	extra    []uint32        // values whose keys the schema does not name
	named    map[uint32]bool // on a further way for extra alone: values whose keys some part names
	scratch  []byte
}

// maxSteps bounds a check: alternatives within alternatives of a recursive
// schema could otherwise take time exponential in the depth of the text. A step
// is a microsecond of work at most, about; what is more is charged for.
const maxSteps = 1_000_000

// value checks the value at node n. entry says that r is what the place itself
// demands, not a part of it that applies in place.
func (c *checker) value(r *rule, n uint32, entry bool) bool {
	if c.steps--; c.steps < 0 {
		return c.giveUp()
	}
	for r.alias != nil { // never a circle: see endless
		r = r.alias
	}
	if r.never {
		return c.fail(n, "false", "no value is allowed here")
	}
	v := &c.nodes[n]
	if r.types != 0 && r.types&v.types() == 0 {
		return c.wrongType(r, n)
	}
	ok := r.enum == nil || c.oneOfValues(r.enum, n)
	if c.on(ok) {
		ok = c.byKind(r, n, entry) && ok
	}
	if r.compound && c.on(ok) {
		ok = c.inPlace(r, n, entry) && ok
	}
	return ok
}

// on says whether to go on after a part of the check: to the first problem on
// the quick way, until there are enough on the thorough one.
func (c *checker) on(ok bool) bool { return ok || c.collect && !c.more }

func (v *node) types() typeSet {
	switch v.kind {
	case kNull:
		return tNull
	case kFalse, kTrue:
		return tBoolean
	case kString:
		return tString
	case kObject:
		return tObject
	case kArray:
		return tArray
	}
	if v.flags&whole != 0 {
		return tInteger
	}
	return tNumber
}

func (c *checker) byKind(r *rule, n uint32, entry bool) bool {
	switch c.nodes[n].kind {
	case kString:
		return r.text == nil || c.string(r.text, n)
	case kNumber:
		return r.number == nil || c.number(r.number, n)
	case kArray:
		return r.list == nil || c.array(r.list, n)
	case kObject:
		return r.names == nil || c.object(r, n, entry && c.args && c.negated == 0)
	}
	return true
}

// oneOfValues checks enum and const.
func (c *checker) oneOfValues(e *enum, n uint32) bool {
	if e.texts != nil && c.nodes[n].kind == kString {
		if _, ok := e.texts[string(c.decoded(n))]; ok {
			return true
		}
		return c.notListed(e, n)
	}
	c.steps -= len(e.values) * (1 + int(c.nodes[n].size)) / 8
	for _, v := range e.values {
		if equal(&c.tape, n, e.doc, v) {
			return true
		}
	}
	return c.notListed(e, n)
}

// decoded returns a string's text until the next call.
func (c *checker) decoded(n uint32) []byte {
	if c.nodes[n].flags&escaped == 0 {
		return c.raw(n)
	}
	c.scratch = unescape(c.scratch[:0], c.raw(n))
	return c.scratch
}

func (c *checker) number(r *numberRule, n uint32) bool {
	text := c.raw(n)
	ok := r.min == nil || compareNumbers(text, r.min) >= 0 || c.fail(n, "minimum", "must be at least ", r.min)
	if c.on(ok) && r.max != nil {
		ok = (compareNumbers(text, r.max) <= 0 || c.fail(n, "maximum", "must be at most ", r.max)) && ok
	}
	if c.on(ok) && r.over != nil {
		ok = (compareNumbers(text, r.over) > 0 || c.fail(n, "exclusiveMinimum", "must be more than ", r.over)) && ok
	}
	if c.on(ok) && r.under != nil {
		ok = (compareNumbers(text, r.under) < 0 || c.fail(n, "exclusiveMaximum", "must be less than ", r.under)) && ok
	}
	if c.on(ok) && r.step != nil {
		ok = (multiple(text, r.step) || c.fail(n, "multipleOf", "must be a multiple of ", r.step)) && ok
	}
	return ok
}

func (c *checker) string(r *textRule, n uint32) bool {
	text := c.decoded(n)
	c.steps -= len(text) / 64
	ok := true
	if r.min > 0 || r.max >= 0 {
		ok = c.length(r, n, text)
	}
	if r.pattern != nil && c.on(ok) {
		ok = c.hasPattern(r.pattern, n, text) && ok
	}
	return ok
}
