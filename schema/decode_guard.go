package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// guard knows what encoding/json would read into a type as another value than
// the text shows.
type guard struct {
	typ    reflect.Type
	null   bool              // null has a place in the type
	own    bool              // the type reads its own text
	fields map[string]*guard // of a struct
	elem   *guard            // of a slice, an array, a map
	length int               // of an array; -1 otherwise
	quoted bool              // a field with ,string
	leaf   func(w *guardWalk, g *guard, n uint32)
}

// guardBuilder makes guards. A recursive type meets its own guard again.
type guardBuilder map[reflect.Type]*guard

func (b guardBuilder) guard(t reflect.Type) *guard {
	if g, ok := b[t]; ok {
		return g
	}
	g := &guard{typ: t, null: holdsNil(t), length: -1}
	b[t] = g
	switch {
	case t.Kind() == reflect.Pointer:
		g.elem = b.guard(t.Elem())
	case t == rawMessageType:
		g.null, g.own = true, true
	case implements(t, jsonUnmarshaler) || implements(t, textUnmarshaler):
		g.own = true
	default:
		b.byKind(g)
	}
	return g
}

func (b guardBuilder) byKind(g *guard) {
	switch k := g.typ.Kind(); {
	case g.typ == numberType:
		g.leaf = guardNumber
	case isBase64(g.typ):
		g.leaf = guardBase64
	case k == reflect.Struct:
		g.fields = b.fields(g.typ)
	case k == reflect.Map || k == reflect.Slice:
		g.elem = b.guard(g.typ.Elem())
	case k == reflect.Array:
		g.elem, g.length = b.guard(g.typ.Elem()), g.typ.Len()
	case k == reflect.Float32 || k == reflect.Float64:
		g.leaf = guardFloat
	case isInteger(k):
		g.leaf = guardInteger
	case k == reflect.String:
		g.leaf = guardString
	case k == reflect.Bool:
		g.leaf = guardBool
	}
}

func (b guardBuilder) fields(t reflect.Type) map[string]*guard {
	fields := map[string]*guard{}
	for _, f := range jsonFields(t) {
		g := b.guard(f.typ)
		if f.quoted {
			g = &guard{typ: f.typ, null: g.null, quoted: true, elem: b.guard(target(f.typ))}
		}
		fields[f.name] = g
	}
	return fields
}

// target returns what t points to, or t.
func target(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// guardWalk compares a text with the guard of its type.
type guardWalk struct {
	*tape
	own bool // decode values of types that read their own text
	bad *Invalid
}

// fail notes a problem of the value n.
func (w *guardWalk) fail(n uint32, text string) {
	if w.bad == nil {
		w.bad = &Invalid{}
	}
	if len(w.bad.Problems) == maxProblems {
		w.bad.More = true
		return
	}
	w.bad.Problems = append(w.bad.Problems, Problem{Pointer: w.pointer(n), Keyword: "decode", Text: text})
}

// value compares the value n.
func (w *guardWalk) value(g *guard, n uint32) {
	kind := w.nodes[n].kind
	switch {
	case kind == kNull:
		if !g.null {
			w.fail(n, "null has no place in "+g.typ.String())
		}
	case g.quoted:
		w.quotedText(g, n)
	case g.leaf != nil:
		g.leaf(w, g, n)
	case g.own:
		w.ownText(g, n)
	case g.typ.Kind() == reflect.Pointer:
		w.value(g.elem, n)
	case g.fields != nil:
		w.object(g, n)
	case g.typ.Kind() == reflect.Map:
		w.mapping(g, n)
	case g.elem != nil:
		w.list(g, n)
	}
}

// expect notes a value of another JSON type.
func (w *guardWalk) expect(n uint32, k kind, name string) bool {
	if w.nodes[n].kind != k {
		w.fail(n, "expected "+name+", got "+w.typeName(n))
		return false
	}
	return true
}

func (w *guardWalk) object(g *guard, n uint32) {
	if !w.expect(n, kObject, "an object") {
		return
	}
	for k, v := range w.members(n) {
		if field := g.fields[string(w.text(k, nil))]; field != nil {
			w.value(field, v)
		} else {
			w.fail(v, "unknown property")
		}
	}
}

func (w *guardWalk) mapping(g *guard, n uint32) {
	if !w.expect(n, kObject, "an object") {
		return
	}
	key := g.typ.Key()
	plainKeys := isInteger(key.Kind()) && !implements(key, textUnmarshaler)
	for k, v := range w.members(n) {
		if plainKeys && !fitsInteger(key, w.str(k)) {
			w.fail(v, "the key is no "+key.String()+" in plain digits")
		}
		w.value(g.elem, v)
	}
}

func (w *guardWalk) list(g *guard, n uint32) {
	if !w.expect(n, kArray, "an array") {
		return
	}
	if size := int(w.nodes[n].size); g.length >= 0 && size != g.length {
		w.fail(n, fmt.Sprintf("expected exactly %d items, got %d", g.length, size))
	}
	for i := range w.items(n) {
		w.value(g.elem, i)
	}
}

// ownText tries a value whose type reads its own text, where that was asked for.
func (w *guardWalk) ownText(g *guard, n uint32) {
	if !w.own {
		return
	}
	if err := json.Unmarshal(w.valueOf(n), reflect.New(g.typ).Interface()); err != nil {
		w.fail(n, "does not fit "+g.typ.String()+": "+err.Error())
	}
}

// valueOf returns a value's JSON text; that of a string with its quotes.
func (t *tape) valueOf(n uint32) []byte {
	v := t.nodes[n]
	if v.kind == kString {
		return t.src[v.start-1 : v.end+1]
	}
	return t.src[v.start:v.end]
}
