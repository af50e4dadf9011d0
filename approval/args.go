package approval

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/tool"
)

// node is one value of the arguments, with the bytes that it was written with.
type node struct {
	name    string // its key or index; "" for the root
	pointer string
	kind    string // object, array, string, number, boolean or null
	text    string // a string's value, or the written form of a number, boolean or null
	start   int    // its first byte in the arguments
	end     int    // the byte after its last one
	kids    []*node
	shape   *shape
	secret  bool   // or in something secret
	named   string // what it stands for, by the tool's preview; "" for none and for a secret
}

// args are a request's arguments as a tree.
type args struct {
	root   *node // nil if err is set
	err    error
	raw    []byte
	req    Request
	masked bool
}

// maxDepth is above the 64 levels that canonical arguments may have (SPEC A5).
const maxDepth = 100

// readArgs reads arguments whose canonical form was made long before. It holds
// on to what it cannot read, and the card then offers a denial only.
func readArgs(r Request) *args {
	a := &args{raw: r.Args, req: r}
	root := newShape(r.Schema)
	p := argsReader{dec: json.NewDecoder(bytes.NewReader(a.raw)), raw: a.raw, names: names(r.Preview)}
	p.dec.UseNumber()
	a.root, a.err = p.node(&node{shape: root}, 0)
	if _, end := p.dec.Token(); a.err == nil && !errors.Is(end, io.EOF) {
		a.err = errors.New("trailing text")
	}
	if a.err == nil && a.root.kind != "object" {
		a.err = errors.New("no object")
	}
	a.masked = p.masked
	return a
}

// names returns what values stand for by their pointers. The first word on a
// place counts.
func names(p *tool.Preview) map[string]string {
	if p == nil {
		return nil
	}
	byPointer := make(map[string]string, len(p.Names))
	for _, n := range slices.Backward(p.Names) {
		byPointer[n.Pointer] = n.Label
	}
	return byPointer
}

type argsReader struct {
	dec    *json.Decoder
	raw    []byte
	names  map[string]string
	masked bool
}

// node reads the next value into n, whose place and shape are known.
func (p *argsReader) node(n *node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errors.New("too many levels")
	}
	n.start = p.next()
	n.secret = n.secret || n.shape.secret
	p.masked = p.masked || n.secret
	if !n.secret && depth > 0 {
		n.named = p.names[n.pointer]
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case json.Delim:
		n.kind = "array"
		if tok == '{' {
			n.kind = "object"
		}
		err = p.kids(n, depth)
	case string:
		n.kind, n.text = "string", tok
	case json.Number:
		n.kind, n.text = "number", tok.String()
	case bool:
		n.kind, n.text = "boolean", "false"
		if tok {
			n.text = "true"
		}
	default:
		n.kind, n.text = "null", "null"
	}
	n.end = int(p.dec.InputOffset())
	return n, err
}

// kids reads what is in an object or array, and its end.
func (p *argsReader) kids(n *node, depth int) error {
	for i := 0; p.dec.More(); i++ {
		key, s := itoa(i), n.shape.item(i)
		if n.kind == "object" {
			tok, err := p.dec.Token()
			if err != nil {
				return err
			}
			key, _ = tok.(string)
			s = n.shape.property(key)
		}
		place := n.pointer + "/" + pointerEscaper.Replace(key)
		kid, err := p.node(&node{name: key, pointer: place, shape: s, secret: n.secret}, depth+1)
		if err != nil {
			return err
		}
		n.kids = append(n.kids, kid)
	}
	_, err := p.dec.Token()
	return err
}

// next returns where the next value begins.
func (p *argsReader) next() int {
	i := int(p.dec.InputOffset())
	for i < len(p.raw) && strings.IndexByte(" \t\r\n,:", p.raw[i]) >= 0 {
		i++
	}
	return i
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// json returns the arguments as they were written, with hidden characters as
// escapes and Secret for each secret. Of what cannot be read it shows nothing,
// because there may be secrets in it.
func (a *args) json() string {
	if a.err != nil {
		return ""
	}
	var b strings.Builder
	done := 0
	for n := range a.root.all() {
		if n.secret && n.start >= done {
			b.Write(a.raw[done:n.start])
			b.WriteString(Secret)
			done = n.end
		}
	}
	b.Write(a.raw[done:])
	return safetext.EscapeJSON(b.String())
}
