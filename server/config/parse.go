package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/assentdev/assent/fault"
)

// Options says what Parse may look at besides the text. A nil *Options is the
// zero one.
type Options struct {
	// ReadFile reads a file that the text names, as it is named there. Nil: a
	// text that names one is refused.
	ReadFile func(name string) ([]byte, error)
	// LookupEnv is asked whether the variables are there that should have keys,
	// for warnings. Nil: nobody is asked. What they have is looked at by
	// Provider.Key alone.
	LookupEnv func(name string) (string, bool)
}

// Parse reads a file of at most 1 MiB. A name that ends with .json says that it
// is JSON, any other that it is YAML. The error is an *Error, with code
// fault.BadConfig and everything that is wrong.
func Parse(name string, data []byte, opt *Options) (*Config, error) {
	b := &builder{problems: &problems{file: name}, warnings: &problems{file: name}}
	if opt != nil {
		b.opt = *opt
	}
	root := b.read(data)
	if root == nil {
		return nil, b.err()
	}
	checker{b.problems}.check(root, fileShape())
	c := b.config(root)
	if err := b.err(); err != nil {
		return nil, err
	}
	c.Warnings = b.warnings.sorted()
	return c, nil
}

// builder makes a configuration of a tree.
type builder struct {
	*problems
	warnings *problems
	opt      Options
	origin   *node // the list of providers
	known    map[string]Provider
}

// read returns the tree; nil where there is none to look at.
func (b *builder) read(data []byte) *node {
	if len(data) > maxFile {
		b.place(1, 1, "", "the file has more than 1 MiB: move instructions into files of their own, or remove what is not used")
		return nil
	}
	if at, what := wrongText(data); at >= 0 {
		line, column := position(data, at)
		b.place(line, column, "", what)
		return nil
	}
	b.endLine, b.endColumn = position(data, len(data))
	t := &tree{problems: b.problems}
	read := readYAML
	if strings.EqualFold(path.Ext(b.file), ".json") {
		read = readJSON
	}
	root := read(data, t)
	if t.over {
		return nil // the rest was not read
	}
	return root
}

// decode reads a value that was checked, without what was refused.
func decode[T any](n *node) (v T) {
	if n != nil && !n.refused {
		_ = json.Unmarshal(n.json(nil), &v) // what it could not read was refused
	}
	return v
}

// unique notes elements whose field has a value that an earlier one has.
func (b *builder) unique(lists [][]*node, field, what string) {
	first := map[string]*node{}
	for _, list := range lists {
		for _, n := range list {
			f := n.member(field)
			if f == nil || f.refused || f.kind != text {
				continue
			}
			if was := first[f.text]; was != nil && was != f {
				b.at(f, "%s %s is there already, in line %d: give each its own", what, show(f.text), was.line)
				n.bad = true
				continue
			}
			first[f.text] = f
		}
	}
}

// content reads the file that a field names; nil where it names nothing or cannot be read.
func (b *builder) content(n *node, most int) []byte {
	if n == nil || n.refused {
		return nil
	}
	if b.opt.ReadFile == nil {
		b.at(n, "no files can be read here: write the text itself")
		return nil
	}
	data, err := b.opt.ReadFile(n.text)
	if err != nil {
		b.at(n, "the file %s", whyUnread(err))
		return nil
	}
	if len(data) > most {
		b.at(n, "the file has more than %d KiB: shorten it", most>>10)
		return nil
	}
	if at, what := wrongText(data); at >= 0 {
		line, column := position(data, at)
		b.at(n, "the file, line %d, column %d: %s", line, column, what)
		return nil
	}
	return data
}

// whyUnread never names the path, which may be a secret in the wrong place.
func whyUnread(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is not there: make it, or correct the path"
	case errors.Is(err, fs.ErrPermission):
		return "may not be read: give the server's user the right to"
	case fault.CodeOf(err) == fault.BadConfig:
		return fault.TextOf(err)
	default:
		return "cannot be read"
	}
}
