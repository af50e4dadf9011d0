package scripted

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/assentdev/assent/fault"
)

// ReadScript reads a script that was written as JSON. It has the members of a
// Definition in lower case; "wait" is text such as "20ms", and "args" is a
// template, or an object in which a string that is one {{…}} becomes its value:
//
//	{"name": "shop", "pace": {"wait": "20ms"}, "rules": [
//	  {"words": ["order"], "steps": [
//	    {"calls": [{"tool": "orders_get", "args": {"id": "{{find `W\\d+` .User}}"}}]},
//	    {"say": "It is {{path \"status\" .Last}}."}]}],
//	 "otherwise": "Ask me about an order."}
//
// An unknown or repeated member, a wrong type and a template that cannot be read
// are errors with code fault.BadConfig, whose text names the line.
func ReadScript(data []byte) (*Script, error) {
	root, err := readTree(data)
	if err != nil {
		return nil, err
	}
	var d Definition
	r := &reader{}
	r.object(root, map[string]func(*node){
		"name":      func(n *node) { d.Name = r.text(n) },
		"otherwise": func(n *node) { d.Otherwise = r.template(n) },
		"pace":      func(n *node) { d.Pace = r.pace(n) },
		"rules":     func(n *node) { d.Rules = list(r, n, r.rule) },
	})
	if r.err != nil {
		return nil, r.err
	}
	return NewScript(d)
}

// reader turns a tree into a Definition. It keeps the first error.
type reader struct{ err error }

func (r *reader) fail(n *node, format string, args ...any) {
	if r.err == nil {
		r.err = lineError(n.line, format, args...)
	}
}

func lineError(line int, format string, args ...any) error {
	return fault.New(fault.BadConfig, "line %d: %s", line, fmt.Sprintf(format, args...))
}

func (r *reader) object(n *node, members map[string]func(*node)) {
	if n.kind != '{' {
		r.fail(n, "an object is expected here")
		return
	}
	for _, m := range n.members {
		read, known := members[m.name]
		if !known {
			r.fail(m, "unknown member %q", m.name)
			return
		}
		read(m)
	}
}

func list[T any](r *reader, n *node, read func(*node) T) (out []T) {
	if n.kind != '[' {
		r.fail(n, "%q is a list", n.name)
		return nil
	}
	for _, e := range n.members {
		out = append(out, read(e))
	}
	return out
}

func (r *reader) text(n *node) string {
	s, ok := n.value.(string)
	if !ok {
		r.fail(n, "text is expected here")
	}
	return s
}

func (r *reader) template(n *node) string {
	s := r.text(n)
	if _, err := parse(s); err != nil {
		r.fail(n, "%v", err)
	}
	return s
}

func (r *reader) pace(n *node) (p Pace) {
	r.object(n, map[string]func(*node){
		"piece": func(n *node) {
			if number, ok := n.value.(json.Number); !ok {
				r.fail(n, "piece is a number")
			} else if v, err := number.Int64(); err != nil {
				r.fail(n, "piece is a whole number")
			} else {
				p.Piece = int(v)
			}
		},
		"wait": func(n *node) {
			var err error
			if p.Wait, err = time.ParseDuration(r.text(n)); err != nil {
				r.fail(n, "wait is a time such as \"20ms\"")
			}
		},
	})
	return p
}

func (r *reader) rule(n *node) (out Rule) {
	r.object(n, map[string]func(*node){
		"words": func(n *node) { out.Words = list(r, n, r.text) },
		"tools": func(n *node) { out.Tools = list(r, n, r.text) },
		"steps": func(n *node) { out.Steps = list(r, n, r.step) },
	})
	if len(out.Steps) == 0 {
		r.fail(n, "a rule needs steps")
	}
	return out
}

func (r *reader) step(n *node) (out Step) {
	r.object(n, map[string]func(*node){
		"say":   func(n *node) { out.Say = r.template(n) },
		"calls": func(n *node) { out.Calls = list(r, n, r.call) },
	})
	if out.Say == "" && len(out.Calls) == 0 {
		r.fail(n, "a step says or calls something")
	}
	return out
}

func (r *reader) call(n *node) (out Call) {
	r.object(n, map[string]func(*node){
		"tool": func(n *node) { out.Tool = r.text(n) },
		"args": func(n *node) {
			if n.kind != '{' {
				out.Args = r.template(n)
				return
			}
			var b strings.Builder
			r.args(&b, n)
			out.Args = b.String()
		},
	})
	if out.Tool == "" {
		r.fail(n, "a call needs a tool")
	}
	return out
}

// whole matches a string that is one template.
var whole = regexp.MustCompile(`^\{\{(.*)\}\}$`)

// args writes a value as a template of JSON text.
func (r *reader) args(b *strings.Builder, n *node) {
	switch n.kind {
	case '{', '[':
		b.WriteByte(byte(n.kind))
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			if n.kind == '{' {
				name, _ := toJSON(m.name) // text has a JSON form
				b.WriteString(name + ":")
			}
			r.args(b, m)
		}
		b.WriteByte(byte(n.kind) + 2) // the closing bracket, in ASCII
		return
	}
	s, isText := n.value.(string)
	switch inner := whole.FindStringSubmatch(s); {
	case isText && inner != nil && !strings.Contains(inner[1], "{{"):
		s = "{{json (" + inner[1] + ")}}"
		if _, err := parse(s); err != nil {
			r.fail(n, "%v", err)
		}
	case isText && strings.Contains(s, "{{"):
		r.fail(n, "a template in args is a whole value: write args as one text")
	default:
		s, _ = toJSON(n.value) // it was JSON
	}
	b.WriteString(s)
}
