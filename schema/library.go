package schema

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	libkind "github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// library checks a schema with a full implementation of JSON Schema.
type library struct {
	schema   *jsonschema.Schema
	warnings []string
	compiled bool // from then on it is used concurrently, and warns no more
}

// baseURL stands for the document's own address. Nothing is ever fetched from it.
const baseURL = "assent-schema:///schema.json"

// errNothingLoaded is why a reference to another document fails.
var errNothingLoaded = errors.New("lies outside the document, and nothing is loaded")

// documents gives the library the documents that it may see.
type documents map[string]json.RawMessage

// Load implements jsonschema.URLLoader. It never leaves the process.
func (d documents) Load(url string) (any, error) {
	raw, ok := d[strings.TrimSuffix(url, "#")]
	if !ok {
		return nil, errNothingLoaded
	}
	doc, err := parseSchema(raw)
	if err != nil {
		return nil, err
	}
	return doc.any(0), nil
}

func compileLibrary(doc *tape, rare *rareKeyword, opts *Options) (*library, error) {
	l := &library{}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(documents(opts.Documents))
	c.UseRegexpEngine(l.engine)
	for _, name := range formatNames {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	err := c.AddResource(baseURL, doc.any(0))
	if err == nil {
		l.schema, err = c.Compile(baseURL)
	}
	if err != nil {
		return nil, libraryRefusal(doc, err, rare)
	}
	l.compiled = true
	return l, nil
}

// formatNames are the formats that the library would enforce for older dialects.
var formatNames = []string{
	"json-pointer", "relative-json-pointer", "uuid", "duration", "period", "ipv4", "ipv6", "hostname", "email",
	"date", "time", "date-time", "uri", "iri", "uri-reference", "iri-reference", "uri-template", "semver",
}

// engine compiles a pattern for the library. It accepts every pattern. The
// library also asks it during a check, about texts of the format regex.
func (l *library) engine(source string) (jsonschema.Regexp, error) {
	p, err := compilePattern(source)
	if err != nil {
		text := "no engine can express this pattern, so it is not enforced: " + show(source, maxEcho)
		if !l.compiled && !slices.Contains(l.warnings, text) {
			l.warnings = append(l.warnings, text)
		}
		return anything(source), nil
	}
	return libraryPattern{p}, nil
}

type libraryPattern struct{ *pattern }

func (p libraryPattern) MatchString(s string) bool { return p.match([]byte(s)) }

// anything is a pattern that is not enforced.
type anything string

func (a anything) MatchString(string) bool { return true }
func (a anything) String() string          { return string(a) }

// libraryRefusal says which keyword makes a schema unusable.
func libraryRefusal(doc *tape, err error, rare *rareKeyword) error {
	if e, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		keyword, pointer := doc.reference(e.URL, rare)
		return badSchema(keyword, pointer, show(e.URL, maxEcho)+" "+errNothingLoaded.Error())
	}
	if e, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if v, ok := errors.AsType[*jsonschema.ValidationError](e.Err); ok {
			return metaRefusal(leaf(v))
		}
	}
	return badSchema(rare.keyword, rare.pointer, show(err.Error(), maxEcho))
}

// reference finds the keyword that names a document; rare if none is found.
func (t *tape) reference(url string, rare *rareKeyword) (keyword, pointer string) {
	for n := range t.nodes {
		if t.nodes[n].kind != kObject {
			continue
		}
		for k, v := range t.members(uint32(n)) {
			word := t.str(k)
			if t.nodes[v].kind != kString || !slices.Contains(references, word) {
				continue
			}
			if place, _, _ := strings.Cut(t.str(v), "#"); place != "" && strings.HasSuffix(url, place) {
				return word, t.pointer(v)
			}
		}
	}
	return rare.keyword, rare.pointer
}

// references are the keywords that name a document.
var references = []string{"$ref", "$dynamicRef", "$recursiveRef", "$schema"}

// leaf follows the first cause to where a validation began to fail.
func leaf(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return e
}

func metaRefusal(e *jsonschema.ValidationError) error {
	keyword := "schema"
	if n := len(e.InstanceLocation); n > 0 {
		keyword = e.InstanceLocation[n-1]
	}
	return badSchema(keyword, pointerOf(e.InstanceLocation), english(e.ErrorKind))
}

func pointerOf(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString("/" + pointerToken(t))
	}
	return b.String()
}

func english(k jsonschema.ErrorKind) string {
	return k.LocalizedString(message.NewPrinter(language.English))
}

// check checks the parsed text.
func (l *library) check(c *checker) bool {
	err := l.schema.Validate(c.any(0))
	if err == nil {
		return true
	}
	e, ok := errors.AsType[*jsonschema.ValidationError](err)
	if c.collect && ok {
		c.addLibrary(e)
	}
	return false
}

// addLibrary adds the library's problems in a fixed order, because the
// library's own follows the order of a map.
func (c *checker) addLibrary(e *jsonschema.ValidationError) {
	found := libraryProblems(e, nil)
	slices.SortStableFunc(found, func(a, b Problem) int {
		return strings.Compare(a.Pointer+"\x00"+a.Keyword+"\x00"+a.Text, b.Pointer+"\x00"+b.Keyword+"\x00"+b.Text)
	})
	for _, p := range slices.Compact(found) {
		same := func(q Problem) bool { return q.Pointer == p.Pointer && q.Keyword == p.Keyword }
		if !slices.ContainsFunc(c.problems, same) {
			c.add(p)
		}
	}
}

func libraryProblems(e *jsonschema.ValidationError, to []Problem) []Problem {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			to = libraryProblems(cause, to)
		}
		return to
	}
	at := pointerOf(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *libkind.Required:
		for _, name := range k.Missing {
			to = append(to, Problem{at + "/" + pointerToken(name), "required", "is required"})
		}
		return to
	case *libkind.AdditionalProperties:
		for _, name := range k.Properties {
			to = append(to, Problem{at + "/" + pointerToken(name), "additionalProperties", "is not a known property"})
		}
		return to
	}
	keyword := "schema"
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	return append(to, Problem{at, keyword, show(english(e.ErrorKind), maxEcho)})
}

// any decodes a value for the library, which wants numbers as json.Number.
func (t *tape) any(n uint32) any {
	switch t.nodes[n].kind {
	case kFalse, kTrue:
		return t.nodes[n].kind == kTrue
	case kNumber:
		return json.Number(t.canonical(n))
	case kString:
		return t.str(n)
	case kObject:
		m := map[string]any{}
		for k, v := range t.members(n) {
			m[t.str(k)] = t.any(v)
		}
		return m
	case kArray:
		list := []any{}
		for i := range t.items(n) {
			list = append(list, t.any(i))
		}
		return list
	}
	return nil
}
