package schema

import (
	"fmt"
	"slices"
)

// Args are checked arguments in their one canonical form. Whoever comes after
// the check uses Canonical and nothing else (SPEC A5).
type Args struct {
	Canonical []byte   // see Parse; not to be changed
	Digest    string   // of Canonical
	Filled    []string // JSON Pointers of the values that a `default` gave, sorted
	Extra     []string // JSON Pointers of the values whose keys the schema does not name, sorted
}

// Check parses and checks a call's arguments, fills in defaults where
// Options.FillDefaults says so, and gives them their canonical form.
//
// Empty and blank text stand for `{}`, except with Options.AnyValue. The error
// has code fault.BadArguments; it is an [*Invalid] and names up to ten problems.
func (s *Schema) Check(raw []byte) (Args, error) {
	c := s.checker()
	defer s.done(c)
	if !c.run(s, raw) {
		return Args{}, c.explain(s, raw)
	}
	if s.opts.FillDefaults {
		if filled := c.fill(s.root); len(filled) > 0 {
			return s.checkFilled(c, filled)
		}
	}
	return c.result(s), nil
}

// Valid says whether Check would accept raw before defaults are filled in. It
// allocates nothing for valid text that the package checks itself, in the long run.
func (s *Schema) Valid(raw []byte) bool {
	c := s.checker()
	ok := c.run(s, raw)
	s.done(c)
	return ok
}

func (s *Schema) checker() *checker {
	if c, ok := s.free.Get().(*checker); ok {
		return c
	}
	return &checker{args: !s.opts.AnyValue, notNull: !s.opts.AnyValue && !s.opts.Foreign}
}

func (s *Schema) done(c *checker) {
	c.src = nil // the caller's bytes are the caller's
	s.free.Put(c)
}

// run parses and checks raw on the quick way.
func (c *checker) run(s *Schema, raw []byte) bool {
	c.begin()
	c.collect = false
	if c.args && blank(raw) {
		raw = []byte("{}")
	}
	if c.read(raw, s.lim) != nil {
		return false
	}
	return c.verdict(s)
}

func (c *checker) begin() {
	c.steps, c.gaveUp, c.negated, c.more = maxSteps, false, 0, false
	c.problems, c.extra = nil, c.extra[:0]
}

// verdict checks the parsed text against the schema.
func (c *checker) verdict(s *Schema) bool {
	if c.args && c.nodes[0].kind != kObject {
		return false
	}
	ok := c.value(s.root, 0, true) && !c.gaveUp // undone work proves nothing, under `not` least of all
	if s.library != nil && c.on(ok) {
		ok = s.library.check(c) && ok
	}
	return ok
}

// explain checks again on the thorough way and returns what is wrong.
func (c *checker) explain(s *Schema, raw []byte) error {
	switch {
	case c.err != nil:
		return invalidText(&c.parser, c.err)
	case c.args && c.nodes[0].kind != kObject:
		return notAnObject(&c.tape)
	case c.gaveUp:
		return tooComplicated()
	}
	c.begin()
	c.collect = true
	c.verdict(s)
	if len(c.problems) == 0 { // given up on the longer way
		return tooComplicated()
	}
	return &Invalid{Problems: c.problems, More: c.more}
}

// result gives the arguments their canonical form.
func (c *checker) result(s *Schema) Args {
	canonical := c.canonical(0)
	return Args{Canonical: canonical, Digest: Digest(canonical), Extra: c.extras(s)}
}

// extras points to the values whose keys the schema does not name. Two parts of
// a schema may each name some keys of one nested object, so a key that a part
// does not name is extra only if none does.
func (c *checker) extras(s *Schema) []string {
	if len(c.extra) == 0 {
		return nil
	}
	c.begin()
	c.named = map[uint32]bool{}
	c.verdict(s)
	var pointers []string
	for _, n := range c.extra {
		if !c.named[n] {
			pointers = append(pointers, c.pointer(n))
		}
	}
	c.named = nil
	slices.Sort(pointers)
	return slices.Compact(pointers)
}

// checkFilled checks arguments again after defaults were filled in, since what
// runs is what was checked.
func (s *Schema) checkFilled(c *checker, filled []filling) (Args, error) {
	raw, pointers := c.filled(filled)
	if !c.run(s, raw) {
		err := c.explain(s, raw)
		return Args{}, fmt.Errorf("with defaults filled in: %w", err)
	}
	args := c.result(s)
	args.Filled = pointers
	return args, nil
}
