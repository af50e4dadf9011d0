package config

import (
	"encoding/json"
	"regexp"
	"strconv"
	"sync"

	"github.com/assentdev/assent/schema"
)

// Schema returns the JSON Schema of the file, for editors. It says all that can
// be said of one value by itself; what concerns several is checked by Load.
func Schema() json.RawMessage {
	raw, err := schema.For[wireFile]()
	if err != nil {
		panic("config: " + err.Error()) // a tag of wire.go is wrong; every test meets it
	}
	return raw
}

// shape is what the schema says of one value, in the keywords that the tags of
// wire.go make.
type shape struct {
	typ         string // "" for anything
	description string
	fallback    string // JSON; "" for none
	names       []string
	properties  map[string]*shape // by names
	required    []string
	items       *shape
	enum        []string
	minimum     *int64
	maximum     *int64
	minLength   int
	maxLength   int
	minItems    int
	pattern     *regexp.Regexp
	format      string
}

// fileShape is the schema, made once like a compiled pattern. It is only read.
var fileShape = sync.OnceValue(func() *shape {
	return shapeOf(readJSON(Schema(), &tree{problems: &problems{}}))
})

func shapeOf(n *node) *shape {
	if n == nil {
		return nil
	}
	s := &shape{
		typ: n.word("type"), description: n.word("description"), format: n.word("format"),
		required: n.words("required"), enum: n.words("enum"), items: shapeOf(n.member("items")),
		minimum: n.whole("minimum"), maximum: n.whole("maximum"),
		minLength: n.count("minLength"), maxLength: n.count("maxLength"), minItems: n.count("minItems"),
	}
	if d := n.member("default"); d != nil {
		s.fallback = string(d.json(nil))
	}
	if p := n.word("pattern"); p != "" {
		s.pattern = regexp.MustCompile(p)
	}
	if p := n.member("properties"); p != nil {
		s.properties = map[string]*shape{}
		for i, k := range p.keys {
			s.names = append(s.names, k.name)
			s.properties[k.name] = shapeOf(p.kids[i])
		}
	}
	return s
}

func (n *node) word(name string) string {
	if m := n.member(name); m != nil {
		return m.text
	}
	return ""
}

func (n *node) words(name string) (list []string) {
	for _, e := range n.elements(name) {
		list = append(list, e.text)
	}
	return list
}

func (n *node) whole(name string) *int64 {
	v, err := strconv.ParseInt(n.word(name), 10, 64)
	if err != nil {
		return nil
	}
	return &v
}

func (n *node) count(name string) int {
	v, _ := strconv.Atoi(n.word(name))
	return v
}
