package approval

import (
	"encoding/json"
	"strings"
)

// shape is what an input schema says of one place, for labels and secrets only.
// It holds every schema that may apply there, those of allOf, anyOf, oneOf, if,
// then, else and local references included, so that no branch can hide a secret.
type shape struct {
	root    map[string]any
	schemas []map[string]any
}

// maxSchemas bounds the schemas of one place, for schemas that refer to each
// other in circles.
const maxSchemas = 64

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
	if !ok || len(s.schemas) >= maxSchemas {
		return
	}
	s.schemas = append(s.schemas, m)
	if ref, ok := m["$ref"].(string); ok {
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
		if p, ok := properties[name]; ok {
			next.add(p)
			continue
		}
		next.add(m["additionalProperties"])
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
