package schema

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dlclark/regexp2"
)

// tagNames are the tags that reflection reads, in the order in which they are
// applied: values after the limits that they must keep.
var tagNames = []string{
	"title", "doc", "format", "pattern", "minLength", "maxLength",
	"min", "max", "exclusiveMin", "exclusiveMax", "multipleOf",
	"minItems", "maxItems", "minProperties", "maxProperties", "unique",
	"enum", "default", "nullable", "secret",
}

// tagMistakes are words that people write for a tag of ours.
var tagMistakes = map[string]string{
	"description": "doc", "desc": "doc", "minimum": "min", "maximum": "max",
	"exclusiveMinimum": "exclusiveMin", "exclusiveMaximum": "exclusiveMax", "uniqueItems": "unique",
}

// schemaFormats are those that JSON Schema 2020-12 defines.
var schemaFormats = []string{
	"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
	"uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex",
}

// readTags returns the tags of a field that are ours. A tag that Go cannot read,
// or one that is ours but for its spelling, would be ignored in silence; it is
// an error instead.
func (r *reflector) readTags(tag reflect.StructTag, path string) (map[string]string, error) {
	tags := map[string]string{}
	for rest := strings.TrimSpace(string(tag)); rest != ""; rest = strings.TrimSpace(rest) {
		name, after, ok := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(after)
		if !ok || err != nil || name == "" || strings.ContainsAny(name, " \"") {
			return nil, r.errorf(path, "the tag `%s` is not a list of name:\"value\"", tag)
		}
		rest = after[len(quoted):]
		if own := ownTag(name); own != "" && own != name {
			return nil, r.errorf(path, "the tag %s is not read: write %s", name, own)
		} else if own == "" {
			continue
		}
		if _, twice := tags[name]; twice {
			return nil, r.errorf(path, "the tag %s is given twice", name)
		}
		tags[name], _ = strconv.Unquote(quoted)
	}
	return tags, nil
}

// ownTag returns the tag of ours that name is or means; "" for a stranger's.
func ownTag(name string) string {
	if own, ok := tagMistakes[name]; ok {
		return own
	}
	i := slices.IndexFunc(tagNames, func(own string) bool { return strings.EqualFold(own, name) })
	if i < 0 {
		return ""
	}
	return tagNames[i]
}

// tagging applies the tags of one field.
type tagging struct {
	r     *reflector
	path  string
	field jsonField
	prop  *shapeProperty
	whole *shape // the field
	one   *shape // the field, or its elements if it is a list
}

func (r *reflector) applyTags(tags map[string]string, f jsonField, p *shapeProperty, path string) error {
	t := &tagging{r: r, path: path, field: f, prop: p, whole: p.shape, one: p.shape}
	for t.one.items != nil {
		t.one = t.one.items
	}
	for _, name := range tagNames {
		if text, ok := tags[name]; ok {
			if err := t.apply(name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tagging) apply(name, text string) error {
	switch name {
	case "doc":
		return t.doc(text)
	case "title":
		t.whole.quote("title", text)
		return nil
	case "format":
		return t.format(text)
	case "pattern":
		return t.pattern(text)
	case "min", "max", "exclusiveMin", "exclusiveMax", "multipleOf":
		return t.number(name, text)
	case "minLength", "maxLength":
		return t.count(t.one, "string", name, text)
	case "minItems", "maxItems":
		return t.count(t.whole, "array", name, text)
	case "minProperties", "maxProperties":
		return t.count(t.whole, "object", name, text)
	case "enum":
		return t.enum(text)
	case "default":
		return t.fallback(text)
	}
	return t.flag(name, text)
}

func (t *tagging) errorf(format string, args ...any) error {
	return t.r.errorf(t.path, format, args...)
}

// want refuses a tag that speaks of another type than the field has.
func (t *tagging) want(s *shape, tag string, kinds ...string) error {
	if slices.Contains(kinds, s.kind) {
		return nil
	}
	return t.errorf("the tag %s speaks of %s, but the field is %s", tag, strings.Join(kinds, " or "), s.word())
}

func (s *shape) word() string {
	if s.kind == "" {
		return "anything"
	}
	return s.kind
}

func (t *tagging) doc(text string) error {
	var unit string // what the type says already: the unit of a duration
	if json.Unmarshal(t.whole.keys["description"], &unit) == nil && t.field.typ.Kind() == reflect.Int64 {
		text = strings.TrimSpace(text + " " + unit)
	}
	t.whole.quote("description", text)
	return nil
}

func (t *tagging) format(text string) error {
	if err := t.want(t.one, "format", "string"); err != nil {
		return err
	}
	if !slices.Contains(schemaFormats, text) {
		return t.errorf("unknown format %q: use one of JSON Schema (%s), or say it in doc", text, strings.Join(schemaFormats, ", "))
	}
	if was := t.one.keys["format"]; was != nil && string(was) != strconv.Quote(text) {
		return t.errorf("format %q contradicts the type, whose format is %s", text, was)
	}
	t.one.quote("format", text)
	return nil
}

func (t *tagging) pattern(text string) error {
	if err := t.want(t.one, "pattern", "string"); err != nil {
		return err
	}
	if t.one.keys["pattern"] != nil {
		return t.errorf("a pattern contradicts ,string, which has one of its own")
	}
	if !compilable(text) {
		return t.errorf("the pattern %q is no regular expression", text)
	}
	t.one.quote("pattern", text)
	return nil
}

// compilable reports whether the checker can use a pattern (SPEC A3).
func compilable(pattern string) bool {
	if _, err := regexp.Compile(pattern); err == nil {
		return true
	}
	_, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	return err == nil
}

// flag applies a tag that is true or absent.
func (t *tagging) flag(name, text string) error {
	if text != "true" {
		return t.errorf("the tag %s is %q: write %s:\"true\" or leave it out", name, text, name)
	}
	switch name {
	case "secret":
		t.whole.set("writeOnly", "true")
	case "unique":
		if err := t.want(t.whole, name, "array"); err != nil {
			return err
		}
		t.whole.set("uniqueItems", "true")
	case "nullable":
		return t.nullable()
	}
	return nil
}

func (t *tagging) nullable() error {
	if !holdsNil(t.field.typ) {
		return t.errorf("nullable, but %s cannot hold null: make it a pointer", t.field.typ)
	}
	if t.whole.kind == "" || t.whole.nullable {
		return nil // null is in it already
	}
	t.whole.nullable = true
	if values := t.whole.keys["enum"]; values != nil {
		t.whole.set("enum", strings.TrimSuffix(string(values), "]")+",null]")
	}
	return nil
}

// holdsNil reports whether a value of the type can show that it was null.
func holdsNil(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return true
	}
	return false
}
