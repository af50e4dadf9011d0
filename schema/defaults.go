package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Default is a value that a schema names for a property that is not given.
type Default struct {
	Pointer string          // JSON Pointer of the property
	Value   json.RawMessage // canonical
}

// Defaults returns the defaults of optional properties that canonical arguments
// lack, sorted by pointer. A card shows those of a foreign tool, which are not
// sent (SPEC A5); after a check with Options.FillDefaults there are none left.
// It returns nil for text that is not strict JSON.
func (s *Schema) Defaults(canonical []byte) []Default {
	c := s.checker()
	defer s.done(c)
	if c.read(canonical, s.lim) != nil {
		return nil
	}
	var list []Default
	for _, f := range c.fill(s.root) {
		list = append(list, Default{c.pointer(f.object) + "/" + pointerToken(string(f.name)), slices.Clone(f.value)})
	}
	slices.SortFunc(list, func(a, b Default) int { return cmp.Compare(a.Pointer, b.Pointer) })
	return list
}

// filling is a default that is put into an object.
type filling struct {
	object uint32
	name   []byte
	value  []byte
}

// fill finds the defaults that the parsed text lacks.
func (c *checker) fill(r *rule) []filling {
	var found []filling
	c.fillValue(r, 0, &found)
	return found
}

// fillValue finds the defaults that the value at n lacks. What applies only
// perhaps, such as an alternative of anyOf, gives none.
func (c *checker) fillValue(r *rule, n uint32, found *[]filling) {
	parts := r.certain(nil)
	switch c.nodes[n].kind {
	case kObject:
		c.fillObject(parts, n, found)
	case kArray:
		index := 0
		for i := range c.tape.items(n) {
			for _, part := range parts {
				if part.list == nil {
					continue
				}
				if sub := part.list.item(index); sub != nil {
					c.fillValue(sub, i, found)
				}
			}
			index++
		}
	}
}

func (c *checker) fillObject(parts []*rule, n uint32, found *[]filling) {
	done := map[string]bool{}
	for _, part := range parts {
		if part.object == nil {
			continue
		}
		for _, p := range part.object.props {
			if p.rule == nil {
				continue
			}
			if v, ok := c.tape.member(n, string(p.name)); ok {
				c.fillValue(p.rule, v, found)
				continue
			}
			if preset := p.rule.presetOf(); preset != nil && !done[string(p.name)] && !requires(parts, p.name) {
				done[string(p.name)] = true
				*found = append(*found, filling{n, p.name, preset})
			}
		}
	}
}

// certain returns r and what always applies in place with it.
func (r *rule) certain(to []*rule) []*rule {
	to = append(to, r)
	if r.ref != nil {
		to = r.ref.certain(to)
	}
	for _, part := range r.allOf {
		to = part.certain(to)
	}
	return to
}

// presetOf returns the default of a schema, or of one that always applies with it.
func (r *rule) presetOf() []byte {
	for _, part := range r.certain(nil) {
		if part.preset != nil {
			return part.preset
		}
	}
	return nil
}

func requires(parts []*rule, name []byte) bool {
	for _, part := range parts {
		if part.object == nil {
			continue
		}
		if i, ok := part.object.index[string(name)]; ok && part.object.props[i].required {
			return true
		}
	}
	return false
}

// filled returns the text with defaults put in, and their JSON Pointers.
func (c *checker) filled(found []filling) (text []byte, pointers []string) {
	slices.SortStableFunc(found, func(a, b filling) int { return cmp.Compare(a.object, b.object) })
	done := uint32(0)
	for i, f := range found {
		at := c.nodes[f.object].start + 1 // after the brace
		text = append(text, c.src[done:at]...)
		done = at
		text = append(appendEscaped(append(text, '"'), f.name), '"', ':')
		text = append(text, f.value...)
		last := i+1 == len(found) || found[i+1].object != f.object
		if !last || c.nodes[f.object].size > 0 {
			text = append(text, ',')
		}
		pointers = append(pointers, c.pointer(f.object)+"/"+pointerToken(string(f.name)))
	}
	slices.Sort(pointers)
	return append(text, c.src[done:]...), pointers
}

// checkDefaults completes each default with the defaults inside it, and refuses
// one that does not fit.
func (s *Schema) checkDefaults(c *compiler) error {
	if !s.opts.FillDefaults {
		return nil
	}
	for _, r := range c.order {
		if r.preset == nil {
			continue
		}
		v, _ := c.doc.member(r.at, "default")
		if err := s.completeDefault(r); err != "" {
			return c.bad("default", v, err)
		}
	}
	return nil
}

// completeDefault returns what is wrong with a default, or "".
func (s *Schema) completeDefault(r *rule) string {
	c := &checker{steps: maxSteps}
	for range s.lim.Levels {
		if e := c.read(r.preset, s.lim); e != nil {
			return "it does not end, or is too long"
		}
		found := c.fill(r)
		if len(found) == 0 {
			return c.defaultFits(r)
		}
		r.preset, _ = c.filled(found)
	}
	return "it does not end"
}

func (c *checker) defaultFits(r *rule) string {
	if c.value(r, 0, false) && !c.gaveUp {
		return ""
	}
	c.begin()
	c.collect = true
	c.value(r, 0, false)
	_, text := (&Invalid{Problems: c.problems}).Fault()
	return "its own schema refuses it: " + strings.TrimPrefix(text, "Invalid arguments: ")
}
