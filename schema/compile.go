package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"sync"

	"github.com/assentdev/assent/fault"
)

// Options says how a schema is read. A nil *Options checks a host tool's
// arguments in depth and fills in nothing.
type Options struct {
	// TopLevel checks what the seed names and nothing else: of the root,
	// `required`, the types of its properties, their `enum` and
	// `additionalProperties: false` (SPEC A2, A3).
	TopLevel bool
	// Foreign takes the schema as the law (SPEC A4): a required property may be
	// null where its schema allows null. Without it no property that the root
	// requires may be null (SPEC A2); nested objects follow their schema.
	Foreign bool
	// FillDefaults fills in the `default` of a property that is optional and
	// missing, also in nested objects that are present (SPEC A5). A default that
	// its own schema refuses makes Compile fail. Only host tools use it.
	FillDefaults bool
	// AnyValue checks any JSON value, such as a tool's result, exactly as JSON
	// Schema says: the root may be of any type, empty text is an error, and keys
	// that differ by case are different keys. Foreign is implied.
	AnyValue bool
	// Documents are further schemas that a `$ref` may reach, by absolute URL. A
	// schema that reaches one is checked by the library. Nil: none.
	Documents map[string]json.RawMessage
	// Limits bounds the text that is checked. Nil means the defaults.
	Limits *Limits
}

// Kind says what checks a schema.
type Kind string

// The kinds.
const (
	Own     Kind = "own"     // this package, straight from the bytes
	Library Kind = "library" // a full implementation of JSON Schema, for rare keywords
)

// Schema is a compiled JSON Schema. It is safe for concurrent use.
type Schema struct {
	opts     Options
	lim      Limits
	root     *rule
	library  *library // nil for Own
	warnings []string
	free     sync.Pool // of *checker: a check then allocates nothing
}

// Kind says whether this package checks the schema or the library does.
func (s *Schema) Kind() Kind {
	if s.library != nil {
		return Library
	}
	return Own
}

// Warnings says what of the schema is not enforced, each with its JSON Pointer.
// A tool with warnings can be used.
func (s *Schema) Warnings() []string { return append([]string(nil), s.warnings...) }

// Compile reads a JSON Schema. `$schema` chooses the dialect, 2020-12 by
// default. `format` and the content keywords are notes that nothing enforces. A
// `$ref` reaches into the document only. A nil opts means the zero Options.
//
// A pattern that Go's regexp cannot express is matched by a backtracking engine
// with a time limit; one that neither can is a warning, not an error.
//
// An error has code fault.BadSchema and names the keyword and its JSON Pointer.
func Compile(raw json.RawMessage, opts *Options) (*Schema, error) {
	s := &Schema{}
	if opts != nil {
		s.opts = *opts
	}
	s.lim = s.opts.Limits.orDefaults()
	doc, err := parseSchema(raw)
	if err != nil {
		return nil, err
	}
	if err := s.compile(doc); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Schema) compile(doc *tape) (err error) {
	c := newCompiler(doc, &s.opts)
	s.root, err = c.root()
	s.warnings = c.warnings
	if rare, ok := errors.AsType[*rareKeyword](err); ok {
		return s.compileRare(doc, rare)
	}
	if err != nil {
		return err
	}
	return s.checkDefaults(c)
}

// compileRare gives the schema to the library and keeps its shape.
func (s *Schema) compileRare(doc *tape, rare *rareKeyword) (err error) {
	if s.library, err = compileLibrary(doc, rare, &s.opts); err != nil {
		return err
	}
	c := newCompiler(doc, &s.opts)
	c.shape = true
	if s.root, err = c.root(); err != nil {
		return err
	}
	s.warnings = s.library.warnings
	return s.checkDefaults(c)
}

// compiler turns a schema document into rules.
type compiler struct {
	doc      *tape
	opts     *Options
	dialect  dialect
	shape    bool             // only what finds properties: for schemas that the library checks
	rules    map[uint32]*rule // by node, so that a recursive schema ends
	order    []*rule          // as they were met
	warnings []string
}

func newCompiler(doc *tape, opts *Options) *compiler {
	return &compiler{doc: doc, opts: opts, rules: map[uint32]*rule{}}
}

// rareKeyword says that the library must check the schema.
type rareKeyword struct{ keyword, pointer string }

func (e *rareKeyword) Error() string { return e.keyword + " at " + e.pointer }

func (c *compiler) rare(keyword string, at uint32) error {
	if c.shape {
		return nil
	}
	return &rareKeyword{keyword, c.doc.pointer(at)}
}

// bad is the error of a keyword whose value is at.
func (c *compiler) bad(keyword string, at uint32, text string) error {
	return badSchema(keyword, c.doc.pointer(at), text)
}

func badSchema(keyword, pointer, text string) error {
	if keyword == "" {
		return fault.New(fault.BadSchema, "The schema cannot be used: %s.", text)
	}
	return fault.New(fault.BadSchema, "The schema cannot be used: keyword %q at %s: %s.",
		show(keyword, maxEcho), cmp.Or(show(pointer, maxEcho), "the root"), text)
}

func (c *compiler) root() (*rule, error) {
	if err := c.setDialect(); err != nil {
		return nil, err
	}
	var r *rule
	var err error
	if c.opts.TopLevel && c.doc.nodes[0].kind == kObject {
		r, err = c.topLevel()
	} else {
		r, err = c.rule(0)
	}
	if err != nil {
		return nil, err
	}
	return r, c.link()
}

// rule compiles the schema at node n.
func (c *compiler) rule(n uint32) (*rule, error) {
	if r := c.rules[n]; r != nil {
		return r, nil
	}
	r := &rule{at: n}
	c.rules[n] = r
	c.order = append(c.order, r)
	switch c.doc.nodes[n].kind {
	case kTrue:
		return r, nil
	case kFalse:
		r.never = !c.shape
		return r, nil
	case kObject:
		return r, c.keywords(r, n)
	}
	return nil, badSchema("schema", c.doc.pointer(n), "a schema must be an object or a boolean")
}

func (c *compiler) keywords(r *rule, n uint32) error {
	if ref, ok := c.doc.member(n, "$ref"); ok && c.dialect <= draft7 {
		return c.reference(r, ref) // its siblings count for nothing there
	}
	for k, v := range c.doc.members(n) {
		word := c.doc.str(k)
		if err := c.keyword(r, n, word, v); err != nil {
			return err
		}
	}
	return nil
}

// keyword compiles one keyword of the schema at node n.
func (c *compiler) keyword(r *rule, n uint32, word string, v uint32) error {
	for _, group := range []func(*rule, uint32, string, uint32) (bool, error){
		c.inPlaceKeyword, c.objectKeyword, c.listKeyword, c.valueKeyword,
	} {
		if known, err := group(r, n, word, v); known || err != nil {
			return err
		}
	}
	return c.otherKeyword(n, word, v)
}

func (c *compiler) otherKeyword(n uint32, word string, v uint32) error {
	switch word {
	case "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary",
		"unevaluatedItems", "unevaluatedProperties":
		return c.rare(word, v)
	case "$id":
		if n != 0 {
			return c.rare(word, v)
		}
	}
	return nil // a note, or a word of nobody's
}

// rulesOf compiles each schema of a list.
func (c *compiler) rulesOf(word string, v uint32) (rules []*rule, err error) {
	if d := c.doc.nodes[v]; d.kind != kArray || d.size == 0 {
		return nil, c.bad(word, v, "it must be a list of schemas and not empty")
	}
	for i := range c.doc.items(v) {
		r, err := c.rule(i)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}
