package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/assentdev/assent/fault"
)

// Condition is a condition on a call's arguments, the `when` of a rule or of a
// grant (SPEC D5b). It is a policy.Condition and safe for concurrent use.
type Condition struct {
	root *clause
	free sync.Pool // of *evaluation
}

// clause is a compiled schema of the closed subset.
type clause struct {
	rule  rule // type, enum, bounds, lengths, pattern; nothing in place, no properties
	speak typeSet
	props []conditioned
	need  []string // names that only `required` mentions
	items *clause
	not   *clause
	anyOf []*clause
}

// conditioned is a named property with its condition; nil asks for nothing but presence.
type conditioned struct {
	name   string
	clause *clause
}

// CompileCondition reads a condition. It is a JSON Schema of these keywords and
// no other: type, properties, required, enum, const, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems,
// pattern, items, not, anyOf. Patterns match a whole text.
//
// toolInput is the input schema of the tool that the condition is about; a
// property that it does not have is an error. A nil toolInput, or one that
// cannot be understood, leaves that unchecked.
//
// The error has code fault.BadPolicy and names the keyword and its JSON Pointer.
func CompileCondition(when, toolInput json.RawMessage) (*Condition, error) {
	doc, err := parseSchema(when)
	if err != nil {
		return nil, fault.New(fault.BadPolicy, "The condition is not strict JSON: %s.", fault.TextOf(err))
	}
	c := conditionCompiler{compiler: newCompiler(doc, &Options{})}
	c.dialect = draft2020
	root, err := c.clause(0, toolShape(toolInput))
	if err != nil {
		return nil, asBadPolicy(err)
	}
	return &Condition{root: root}, nil
}

func asBadPolicy(err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Code == fault.BadSchema {
		return fault.New(fault.BadPolicy, "%s", e.Text)
	}
	return err
}

// conditionCompiler is a compiler for the closed subset.
type conditionCompiler struct {
	*compiler
}

func (c *conditionCompiler) refuse(keyword string, at uint32, text string) error {
	return fault.New(fault.BadPolicy, "The condition cannot be used: keyword %q at %s: %s.",
		show(keyword, maxEcho), cmp.Or(show(c.doc.pointer(at), maxEcho), "the root"), text)
}

// clause compiles the condition at node n on a place of the tool's schema.
func (c *conditionCompiler) clause(n uint32, at place) (*clause, error) {
	if c.doc.nodes[n].kind != kObject {
		return nil, fault.New(fault.BadPolicy, "The condition cannot be used: at %s: it must be an object.", cmp.Or(show(c.doc.pointer(n), maxEcho), "the root"))
	}
	cl := &clause{rule: rule{at: n}}
	for k, v := range c.doc.members(n) {
		if err := c.keyword(cl, c.doc.str(k), v, at); err != nil {
			return nil, err
		}
	}
	cl.need = slices.DeleteFunc(cl.need, cl.names)
	return cl, nil
}

// names says whether `properties` mentions a name.
func (cl *clause) names(name string) bool {
	return slices.ContainsFunc(cl.props, func(p conditioned) bool { return p.name == name })
}

func (c *conditionCompiler) keyword(cl *clause, word string, v uint32, at place) (err error) {
	switch word {
	case "type", "enum", "const":
		_, err = c.valueKeyword(&cl.rule, cl.rule.at, word, v)
	case "minLength", "maxLength":
		cl.speak |= tString
		_, err = c.valueKeyword(&cl.rule, cl.rule.at, word, v)
	case "pattern":
		cl.speak |= tString
		err = c.anchored(cl, v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		cl.speak |= tNumber | tInteger
		_, err = c.numberKeyword(&cl.rule, word, v)
	case "minItems", "maxItems":
		cl.speak |= tArray
		_, err = c.listKeyword(&cl.rule, cl.rule.at, word, v)
	case "items":
		cl.speak |= tArray
		cl.items, err = c.clause(v, at.items())
	case "properties":
		cl.speak |= tObject
		err = c.conditionProperties(cl, v, at)
	case "required":
		cl.speak |= tObject
		err = c.presence(cl, v, at)
	case "not":
		cl.not, err = c.clause(v, at)
	case "anyOf":
		err = c.conditionAnyOf(cl, v, at)
	default:
		err = c.refuse(word, v, "a condition cannot have it")
	}
	return err
}

func (c *conditionCompiler) anchored(cl *clause, v uint32) error {
	if c.doc.nodes[v].kind != kString {
		return c.refuse("pattern", v, "it must be a string")
	}
	source := c.doc.str(v)
	if _, err := compilePattern(source); err != nil { // a stray bracket could undo the anchors
		return c.refuse("pattern", v, "no engine can express it")
	}
	p, err := compilePattern("^(?:" + source + ")$")
	if err != nil {
		return c.refuse("pattern", v, "no engine can express it")
	}
	cl.rule.string().pattern = p
	return nil
}

func (c *conditionCompiler) conditionProperties(cl *clause, v uint32, at place) error {
	if c.doc.nodes[v].kind != kObject {
		return c.refuse("properties", v, "it must be an object")
	}
	for k, s := range c.doc.members(v) {
		name := c.doc.str(k)
		if !at.has(name) {
			return c.refuse("properties", v, "the tool has no property "+show(name, maxEcho))
		}
		sub, err := c.clause(s, at.property(name))
		if err != nil {
			return err
		}
		cl.props = append(cl.props, conditioned{name, sub})
	}
	return nil
}

func (c *conditionCompiler) presence(cl *clause, v uint32, at place) error {
	names, err := c.names("required", v)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !at.has(name) {
			return c.refuse("required", v, "the tool has no property "+show(name, maxEcho))
		}
		cl.need = append(cl.need, name)
	}
	return nil
}

func (c *conditionCompiler) conditionAnyOf(cl *clause, v uint32, at place) error {
	if d := c.doc.nodes[v]; d.kind != kArray || d.size == 0 {
		return c.refuse("anyOf", v, "it must be a list of conditions and not empty")
	}
	for i := range c.doc.items(v) {
		sub, err := c.clause(i, at)
		if err != nil {
			return err
		}
		cl.anyOf = append(cl.anyOf, sub)
	}
	return nil
}
