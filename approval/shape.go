package approval

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// shape is what an input schema says of one place, for labels and secrets only.
// It holds every schema that may apply there, those in branches, conditions and
// behind local references included, so that none of them can hide a secret.
type shape struct {
	root    map[string]any
	schemas []map[string]any
	refs    []string // those that were followed: references may run in circles
}

// newShape reads a schema; what it cannot read says nothing.
func newShape(schema json.RawMessage) shape {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		return shape{}
	}
	s := shape{root: root}
	s.add(root)
	return s
}

// add takes in a schema with its branches.
func (s *shape) add(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	s.schemas = append(s.schemas, m)
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
func (s *shape) property(name string) shape {
	next := shape{root: s.root}
	for _, m := range s.schemas {
		properties, _ := m["properties"].(map[string]any)
		p, named := properties[name]
		next.add(p)
		patterns, _ := m["patternProperties"].(map[string]any)
		for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
			// A pattern that Go cannot read may match.
			if ok, err := regexp.MatchString(pattern, name); ok || err != nil {
				next.add(patterns[pattern])
				named = true
			}
		}
		if !named {
			next.add(m["additionalProperties"])
		}
	}
	return next
}

// item returns the shape of an array's item.
func (s *shape) item(i int) shape {
	next := shape{root: s.root}
	for _, m := range s.schemas {
		prefix, _ := m["prefixItems"].([]any)
		if i < len(prefix) {
			next.add(prefix[i])
			continue
		}
		next.add(m["items"])
	}
	return next
}

// secret says whether any schema marks the place as secret.
func (s *shape) secret() bool {
	for _, m := range s.schemas {
		if m["writeOnly"] == true || m["x-assent-secret"] == true {
			return true
		}
	}
	return false
}

// word returns the first text of a keyword, or "".
func (s *shape) word(key string) string {
	for _, m := range s.schemas {
		if text, ok := m[key].(string); ok {
			return text
		}
	}
	return ""
}
