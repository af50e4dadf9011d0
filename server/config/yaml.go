package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v4"
)

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// readYAML reads one document. What it returns stands for JSON: of YAML's further
// ideas, tags and merge keys are refused and aliases written out.
func readYAML(data []byte, t *tree) *node {
	if at := hiddenBreak(data); at >= 0 {
		line, column := position(data, at)
		t.place(line, column, "", "a character that ends a line for YAML and for few editors: remove it, or write it as an escape in quotes")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err == io.EOF {
		t.place(1, 1, "", "the file is empty: begin with `assent init`, or write agents")
		return nil
	} else if err != nil {
		t.yamlError(err)
		return nil
	}
	var next yaml.Node
	switch err := dec.Decode(&next); {
	case err == nil:
		t.place(next.Line, next.Column, "", "a second document begins here: keep one in a file")
	case err != io.EOF:
		t.yamlError(err)
	}
	if len(doc.Content) != 1 || doc.Content[0].ShortTag() == "!!null" {
		t.place(1, 1, "", "the file is empty: begin with `assent init`, or write agents")
		return nil
	}
	return t.yaml(doc.Content[0], "")
}

// hiddenBreak returns the offset of the first character that begins a new line
// in YAML and not on the screen, -1 for none. Behind a comment it could hide a
// rule from who reads the file.
func hiddenBreak(data []byte) int {
	for i, r := range string(data) {
		if r == '\r' && !bytes.HasPrefix(data[i+1:], []byte{'\n'}) || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			return i
		}
	}
	return -1
}

// yamlError says what the parser said, without a value of the file.
func (t *tree) yamlError(err error) {
	line, column, what := 1, 1, "the text cannot be read"
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		what = e.Message
		if e.ContextMsg != "" {
			what = e.ContextMsg + ", " + what
		}
		if e.Mark.Line > 0 {
			line, column = e.Mark.Line, max(1, e.Mark.Column)
		}
	}
	t.place(line, column, "", "not valid YAML: "+what)
}

func (t *tree) yaml(y *yaml.Node, path string) *node {
	if y.Style&yaml.TaggedStyle != 0 {
		return t.wrong(y.Line, y.Column, path, "tags are not read: remove what begins with !")
	}
	switch y.Kind {
	case yaml.AliasNode:
		return t.alias(y, path)
	case yaml.SequenceNode:
		return t.sequence(y, path)
	case yaml.MappingNode:
		return t.mapping(y, path)
	default:
		return t.scalar(y, path)
	}
}

// alias writes out what an anchor stands for. One that is inside of itself ends
// where the depth is met.
func (t *tree) alias(y *yaml.Node, path string) *node {
	if y.Alias == nil {
		return t.wrong(y.Line, y.Column, path, "no anchor has this name: write the value out")
	}
	t.depth++
	defer func() { t.depth-- }()
	return t.yaml(y.Alias, path)
}

func (t *tree) sequence(y *yaml.Node, path string) *node {
	n := t.add(list, "", y.Line, y.Column, path)
	if n == nil {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	for i, e := range y.Content {
		if kid := t.yaml(e, fmt.Sprintf("%s[%d]", path, i)); kid != nil {
			n.kids = append(n.kids, kid)
		}
	}
	return n
}

func (t *tree) mapping(y *yaml.Node, path string) *node {
	n := t.add(object, "", y.Line, y.Column, path)
	if n == nil {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	seen := map[string]key{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		switch {
		case k.ShortTag() == "!!merge":
			t.place(k.Line, k.Column, path, "merge keys are not read: write the fields out")
			n.odd = true
		case k.Kind != yaml.ScalarNode || k.ShortTag() != "!!str":
			t.place(k.Line, k.Column, path, "a key must be a text: put it in quotes")
			n.odd = true
		default:
			t.put(n, seen, key{k.Value, k.Line, k.Column}, func(path string) *node { return t.yaml(v, path) })
		}
	}
	return n
}

func (t *tree) scalar(y *yaml.Node, path string) *node {
	switch y.ShortTag() {
	case "!!null":
		return t.add(null, "", y.Line, y.Column, path)
	case "!!bool":
		if y.Value == "true" || y.Value == "false" {
			return t.add(boolean, y.Value, y.Line, y.Column, path)
		}
		return t.wrong(y.Line, y.Column, path, "write true or false in small letters, or put it in quotes if it is a text")
	case "!!int", "!!float":
		if jsonNumber.MatchString(y.Value) {
			return t.add(number, y.Value, y.Line, y.Column, path)
		}
		return t.wrong(y.Line, y.Column, path, "this number has a form that JSON does not know: write it in plain decimals, or put it in quotes if it is a text")
	default:
		return t.add(text, y.Value, y.Line, y.Column, path)
	}
}
