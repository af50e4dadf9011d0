package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assentdev/assent/schema"
)

// maxExpanded is how many parts a schema may have after its references are
// written out. A small document can stand for millions.
const maxExpanded = 20_000

var schemaLimits = &schema.Limits{Bytes: 1 << 20, Levels: 128, Keys: 20_000}

// document is a schema, decoded, with its references written out.
type document struct {
	root any
	// open says that a reference stays, because it is not local, is recursive or
	// has company. The document can then only be compared as a whole.
	open bool
}

// readDocument reads a schema; ok is false where it is not strict JSON. Numbers
// keep their canonical text.
func readDocument(raw json.RawMessage) (doc document, ok bool) {
	canonical, err := schema.Canonical(raw, schemaLimits)
	if err != nil {
		return doc, false
	}
	dec := json.NewDecoder(bytes.NewReader(canonical))
	dec.UseNumber()
	if err := dec.Decode(&doc.root); err != nil {
		return doc, false
	}
	e := &expander{root: doc.root, left: maxExpanded, named: namedParts(doc.root, canonical)}
	expanded := e.expand(doc.root, nil)
	if e.kept {
		return document{root: doc.root, open: true}, true
	}
	return document{root: expanded}, true
}

// namedParts reports whether parts of a document have names of their own, which
// change what a local reference means.
func namedParts(root any, canonical []byte) bool {
	ids := bytes.Count(canonical, []byte(`"$id":`))
	if top, ok := root.(map[string]any); ok && top["$id"] != nil {
		ids--
	}
	return ids > 0
}

// sameJSON reports whether two JSON texts are the same value. Absent texts are
// the same as each other only.
func sameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	x, errX := schema.Canonical(a, schemaLimits)
	y, errY := schema.Canonical(b, schemaLimits)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// expander writes the targets of local references in their place.
type expander struct {
	root  any
	left  int
	named bool
	kept  bool // a reference could not be written out
}

// expand returns the schema v with its references written out, as a copy; refs
// are those that it is inside of.
func (e *expander) expand(v any, refs []string) any {
	if e.left--; e.left < 0 {
		e.kept = true
		return v
	}
	s, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if _, refers := s["$ref"]; refers {
		return e.follow(s, refs)
	}
	if s["$dynamicRef"] != nil || s["$recursiveRef"] != nil {
		e.kept = true
	}
	return mapSchemas(s, func(sub any) any { return e.expand(sub, refs) })
}

// follow writes out one reference, if that can be done: it is local, does not
// lead back to itself, and nothing but texts stands beside it.
func (e *expander) follow(s map[string]any, refs []string) any {
	ref, _ := s["$ref"].(string)
	target, ok := e.target(ref)
	if !ok || e.named || slices.Contains(refs, ref) || !onlyTexts(s) {
		e.kept = true
		return s
	}
	out := e.expand(target, append(refs[:len(refs):len(refs)], ref))
	if made, ok := out.(map[string]any); ok {
		for key, value := range s {
			if key != "$ref" {
				made[key] = value
			}
		}
	}
	return out
}

func onlyTexts(s map[string]any) bool {
	for key := range s {
		if key != "$ref" && !isText(key) {
			return false
		}
	}
	return true
}

// target returns what a local reference points to.
func (e *expander) target(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok || strings.Contains(path, "%") {
		return nil, false
	}
	at := e.root
	for token := range strings.SplitSeq(path, "/") {
		object, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = object[unescapeToken.Replace(token)]; !ok {
			return nil, false
		}
	}
	return at, true
}

var (
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
)
