package schema

// truth is a value of three-valued logic.
type truth uint8

const (
	no truth = iota
	unknown
	yes
)

func (t truth) negate() truth { return yes - t }

func known(ok bool) truth {
	if ok {
		return yes
	}
	return no
}

// evaluation asks clauses about one parsed text.
type evaluation struct{ checker }

// Match says whether canonical argument bytes meet the condition, and whether
// that is known. Of nil arguments, and of text that is not strict JSON, nothing is.
//
// A property that `properties` names and that is absent makes its condition not
// known, as does a value of another type than a keyword speaks of. `not`, `anyOf`
// and the rest combine that by three-valued logic: what is certain whatever
// the unknown part may be is known. `required` by itself, and `type` without a
// keyword that speaks of that type, are questions whose answer is always known.
func (c *Condition) Match(args []byte) (match, known bool) {
	if args == nil {
		return false, false
	}
	e, ok := c.free.Get().(*evaluation)
	if !ok {
		e = &evaluation{}
	}
	defer c.free.Put(e)
	e.begin()
	anyCallers := Limits{Bytes: 1<<31 - 1, Levels: 1000, Keys: 1 << 30}
	if e.read(args, anyCallers) != nil {
		return false, false
	}
	t := e.clause(c.root, 0)
	e.src = nil
	return t == yes, t != unknown
}

// clause gives the truth of a clause about the value at n: the least of its parts.
func (e *evaluation) clause(cl *clause, n uint32) truth {
	if e.steps--; e.steps < 0 {
		return unknown
	}
	t := min(e.plain(cl, n), e.object(cl, n), e.list(cl, n))
	if cl.not != nil && t != no {
		t = min(t, e.clause(cl.not, n).negate())
	}
	if cl.anyOf != nil && t != no {
		any := no
		for _, part := range cl.anyOf {
			any = max(any, e.clause(part, n))
		}
		t = min(t, any)
	}
	return t
}

// plain asks the keywords about the value itself.
func (e *evaluation) plain(cl *clause, n uint32) truth {
	r, types := &cl.rule, e.nodes[n].types()
	t := known(r.enum == nil || e.oneOfValues(r.enum, n))
	for _, also := range r.allOf { // enum beside const
		t = min(t, known(e.oneOfValues(also.enum, n)))
	}
	if cl.speak != 0 && cl.speak&types == 0 {
		return min(t, unknown)
	}
	if r.types != 0 && r.types&types == 0 {
		return no
	}
	if cl.mixed(types) {
		t = min(t, unknown)
	}
	switch {
	case r.text != nil && types == tString:
		t = min(t, e.string(r.text, n))
	case r.number != nil && types&(tNumber|tInteger) != 0:
		t = min(t, known(e.number(r.number, n)))
	case r.list != nil && types == tArray:
		t = min(t, known(e.array(r.list, n)))
	}
	return t
}

// mixed says whether a keyword speaks of another type than that of the value.
func (cl *clause) mixed(types typeSet) bool {
	if types&(tNumber|tInteger) != 0 {
		types = tNumber | tInteger
	}
	return cl.speak&^types != 0
}

func (e *evaluation) string(r *textRule, n uint32) truth {
	text := e.decoded(n)
	t := known(e.length(r, n, text))
	if r.pattern != nil {
		ok, sure := e.matches(r.pattern, text)
		if !sure {
			return min(t, unknown)
		}
		t = min(t, known(ok))
	}
	return t
}

func (e *evaluation) object(cl *clause, n uint32) truth {
	if e.nodes[n].kind != kObject {
		return yes // plain has said what is unknown
	}
	t := yes
	for _, name := range cl.need {
		_, ok := e.tape.member(n, name)
		t = min(t, known(ok))
	}
	for _, p := range cl.props {
		v, ok := e.tape.member(n, p.name)
		if !ok {
			t = min(t, unknown)
			continue
		}
		t = min(t, e.clause(p.clause, v))
	}
	return t
}

func (e *evaluation) list(cl *clause, n uint32) truth {
	t := yes
	if cl.items == nil || e.nodes[n].kind != kArray {
		return t
	}
	for i := range e.tape.items(n) {
		t = min(t, e.clause(cl.items, i))
	}
	return t
}
