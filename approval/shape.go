package approval

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// shape is what an input schema says of one place, for labels and secrets only.
// It looks at every schema that may apply there, those in branches, conditions
// and behind local references included, so that none of them can hide a secret.
//
// Places that the same schemas describe share one shape, so that long lists and
// large schemas together stay cheap.
type shape struct {
	*schemaText
	schemas     []map[string]any
	refs        []string // those that were followed: references may run in circles
	secret      bool
	title       string
	description string
	prefix      int // length of the longest prefixItems
	places      map[string]*shape
}

// schemaText is what all shapes of one schema share.
type schemaText struct {
	root     map[string]any
	patterns map[string]*regexp.Regexp // nil for one that Go cannot read
}

// newShape reads a schema; what it cannot read says nothing.
func newShape(schema json.RawMessage) *shape {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		root = nil
	}
	s := &shape{schemaText: &schemaText{root: root, patterns: map[string]*regexp.Regexp{}}}
	s.add(root)
	return s
}

// place returns the shape that is known by a name, and has it made at first.
func (s *shape) place(name string, fill func(*shape)) *shape {
	if known := s.places[name]; known != nil {
		return known
	}
	next := &shape{schemaText: s.schemaText}
	fill(next)
	if s.places == nil {
		s.places = map[string]*shape{}
	}
	s.places[name] = next
	return next
}

// add takes in a schema with its branches.
func (s *shape) add(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	s.schemas = append(s.schemas, m)
	s.secret = s.secret || m["writeOnly"] == true || m["x-assent-secret"] == true
	title, _ := m["title"].(string)
	description, _ := m["description"].(string)
	prefix, _ := m["prefixItems"].([]any)
	s.prefix = max(s.prefix, len(prefix))
	s.title, s.description = cmp.Or(s.title, title), cmp.Or(s.description, description)
	if ref, ok := m["$ref"].(string); ok && !slices.Contains(s.refs, ref) {
		s.refs = append(s.refs, ref)
		s.add(s.local(ref))
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := m[key].([]any)
		for _, branch := range branches {
			s.add(branch)
		}
	}
	for _, key := range []string{"if", "then", "else"} {
		s.add(m[key])
	}
	dependent, _ := m["dependentSchemas"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(dependent)) {
		s.add(dependent[key])
	}
}

// local returns what a reference within the schema points to, or nil.
func (s *shape) local(ref string) any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	var v any = s.root
	for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[pointerUnescaper.Replace(step)]
	}
	return v
}

var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

// property returns the shape of an object's property.
func (s *shape) property(name string) *shape {
	return s.place("/"+name, func(next *shape) {
		for _, m := range s.schemas {
			next.addProperty(m, name)
		}
	})
}

// addProperty takes in what one schema says of an object's property.
func (s *shape) addProperty(m map[string]any, name string) {
	properties, _ := m["properties"].(map[string]any)
	p, named := properties[name]
	s.add(p)
	patterns, _ := m["patternProperties"].(map[string]any)
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		if s.mayMatch(pattern, name) {
			s.add(patterns[pattern])
			named = true
		}
	}
	if !named {
		s.add(m["additionalProperties"])
	}
}

// mayMatch says whether a pattern matches, and yes for one that Go cannot read.
func (s *shape) mayMatch(pattern, name string) bool {
	re, known := s.patterns[pattern]
	if !known {
		re, _ = regexp.Compile(pattern) // nil where it cannot be read
		s.patterns[pattern] = re
	}
	return re == nil || re.MatchString(name)
}

// item returns the shape of an array's item.
func (s *shape) item(i int) *shape {
	i = min(i, s.prefix) // all items after the longest prefix are alike
	return s.place(itoa(i), func(next *shape) {
		for _, m := range s.schemas {
			prefix, _ := m["prefixItems"].([]any)
			if i < len(prefix) {
				next.add(prefix[i])
				continue
			}
			next.add(m["items"])
		}
	})
}
