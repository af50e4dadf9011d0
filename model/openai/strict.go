package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Strict function calling makes a server enforce the schema while the model
// writes, for a subset of JSON Schema in which every property is required. A
// shaped schema says the same in that subset: what was optional is required and
// may be null, and nulls.go takes those nulls out again (SPEC A7). Keywords the
// subset lacks are dropped where that only loosens what the server enforces:
// the whole schema is checked here afterwards anyway. Where it would change what
// a call may mean, there is no shaped schema.

// The limits of OpenAI's strict mode.
const (
	maxDepth      = 10
	maxProperties = 5000
)

// shaped is a schema in strict form.
type shaped struct {
	root *node
	defs []definition // in the order of the schema
}

type definition struct {
	key, name string // "$defs" or "definitions", and the name there
	node      *node
}

// node is one schema within a shaped one.
type node struct {
	keep     []keyword // written as they are
	types    []string
	enum     [][]byte // nil: none
	props    []property
	required []string
	items    *node
	anyOf    []*node
	ref      string
}

type keyword struct{ name, value []byte }

type property struct {
	name     string
	node     *node
	optional bool // not required, and null was not allowed
}

// shape returns the strict form of a schema, or an error that says why it has
// none. The schema is valid JSON.
func shape(schema []byte) (*shaped, error) {
	c := &compiler{}
	out := &shaped{}
	var err error
	if out.root, err = c.node(schema, 1); err != nil {
		return nil, err
	}
	if !slices.Equal(out.root.types, []string{"object"}) {
		return nil, errors.New("the root is not an object")
	}
	for _, key := range []string{"$defs", "definitions"} {
		for name, def := range members(member(schema, key)) {
			n, err := c.node(def, 2)
			if err != nil {
				return nil, fmt.Errorf("%s %q: %w", key, name, err)
			}
			out.defs = append(out.defs, definition{key, string(name), n})
		}
	}
	return out, out.resolve(c.nodes)
}

// resolve checks the references and marks the optional properties. It needs all
// nodes: whether a property may be null can be said in a definition.
func (s *shaped) resolve(nodes []*node) error {
	for _, n := range nodes {
		if n.ref != "" && s.target(n.ref) == nil {
			return fmt.Errorf("%q is not a definition of this schema", n.ref)
		}
	}
	for _, n := range nodes {
		for i := range n.props {
			p := &n.props[i]
			if slices.Contains(n.required, p.name) {
				continue
			}
			// Absent and null would mean two things, and strict mode has one way
			// to write both.
			if s.nullable(p.node, maxDepth) {
				return fmt.Errorf("property %q is optional and may be null", p.name)
			}
			p.optional = true
		}
	}
	return nil
}

// target returns the node that a reference names, or nil.
func (s *shaped) target(ref string) *node {
	if ref == "#" {
		return s.root
	}
	for _, def := range s.defs {
		if ref == "#/"+def.key+"/"+def.name {
			return def.node
		}
	}
	return nil
}

// nullable says whether n, as it was given, allows null. Behind more references
// than hops it says yes, which gives strict mode up.
func (s *shaped) nullable(n *node, hops int) bool {
	if hops == 0 {
		return true
	}
	if n.ref != "" {
		return s.nullable(s.target(n.ref), hops-1)
	}
	return slices.Contains(n.types, "null") ||
		slices.ContainsFunc(n.anyOf, func(a *node) bool { return s.nullable(a, hops-1) })
}

// compiler reads the nodes of one schema.
type compiler struct {
	nodes []*node
	props int
}

func (c *compiler) node(schema []byte, depth int) (*node, error) {
	if !isObject(schema) {
		return nil, errors.New("a schema that is true or false")
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("more than %d levels", maxDepth)
	}
	n := &node{}
	c.nodes = append(c.nodes, n)
	for name, value := range members(schema) {
		if err := c.keyword(n, string(name), value, depth); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return n, n.complete(schema, depth)
}

// keyword reads one keyword into n.
func (c *compiler) keyword(n *node, name string, value []byte, depth int) (err error) {
	switch name {
	case "type":
		n.types, err = typeNames(value)
	case "enum":
		for v := range elements(value) {
			n.enum = append(n.enum, v)
		}
	case "const":
		n.enum = [][]byte{value}
	case "properties":
		for p, schema := range members(value) {
			if c.props++; c.props > maxProperties {
				return fmt.Errorf("more than %d properties", maxProperties)
			}
			child, err := c.node(schema, depth+1)
			if err != nil {
				return fmt.Errorf("%q: %w", p, err)
			}
			n.props = append(n.props, property{name: string(p), node: child})
		}
	case "required":
		for v := range elements(value) {
			n.required = append(n.required, text(v))
		}
	case "items":
		n.items, err = c.node(value, depth+1)
	case "anyOf", "oneOf":
		for alternative := range elements(value) {
			child, err := c.node(alternative, depth+1)
			if err != nil {
				return err
			}
			n.anyOf = append(n.anyOf, child)
		}
	case "$ref":
		n.ref = text(value)
	case "allOf", "prefixItems", "patternProperties", "$dynamicRef", "$anchor", "$dynamicAnchor", "unevaluatedProperties":
		return errors.New("strict mode cannot say it")
	default:
		if kept(name, value) {
			n.keep = append(n.keep, keyword{[]byte(name), value})
		}
	}
	return err
}

// kept says whether strict mode has a keyword that needs no shaping. The others
// are annotations or only narrow what is checked here anyway.
func kept(name string, value []byte) bool {
	switch name {
	case "description", "title":
		return isString(value)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems":
		return value[0] == '-' || value[0] >= '0' && value[0] <= '9'
	case "pattern": // look-around and flags are refused, and the whole request with them
		return isString(value) && !strings.Contains(string(value), "(?")
	case "format":
		return slices.Contains(strictFormats, text(value))
	}
	return false
}

var strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

// complete checks what only the whole of a schema shows.
func (n *node) complete(schema []byte, depth int) error {
	if n.ref != "" || n.anyOf != nil {
		if n.ref != "" && n.anyOf != nil || len(n.props) > 0 || n.items != nil || n.enum != nil {
			return errors.New("alternatives beside other constraints")
		}
		n.types = nil
		n.keep = slices.DeleteFunc(n.keep, func(k keyword) bool { return string(k.name) != "description" && string(k.name) != "title" })
		return nil
	}
	n.types = typesOf(n)
	switch {
	case len(n.types) == 0:
		return errors.New("no type: any value")
	case slices.Contains(n.types, "array") && n.items == nil:
		return errors.New("an array of anything")
	case slices.Contains(n.types, "object"):
		return n.completeObject(schema, depth)
	}
	return nil
}

func (n *node) completeObject(schema []byte, depth int) error {
	extra := member(schema, "additionalProperties")
	empty := len(n.props) == 0 && depth > 1 && string(extra) != "false"
	if empty || isObject(extra) || string(extra) == "true" {
		return errors.New("an object with free properties")
	}
	for _, name := range n.required {
		if !slices.ContainsFunc(n.props, func(p property) bool { return p.name == name }) {
			return fmt.Errorf("the required property %q is not described", name)
		}
	}
	return nil
}

func typeNames(value []byte) ([]string, error) {
	if isString(value) {
		return []string{text(value)}, nil
	}
	var names []string
	if err := json.Unmarshal(value, &names); err != nil {
		return nil, errors.New("neither a name nor a list of names")
	}
	return names, nil
}

// typesOf returns the types that n names, or those that its other keywords
// imply. An enum without null does not allow it, whatever the types say.
func typesOf(n *node) []string {
	types := n.types
	switch {
	case len(types) > 0 && n.enum == nil:
		return types
	case n.enum != nil:
		var used []string
		for _, v := range n.enum {
			if t := typeOf(v); !slices.Contains(used, t) {
				used = append(used, t)
			}
		}
		if len(types) == 0 {
			return used
		}
		return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" && !slices.Contains(used, t) })
	case len(n.props) > 0:
		return []string{"object"}
	case n.items != nil:
		return []string{"array"}
	}
	return nil
}

func typeOf(v []byte) string {
	switch v[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
