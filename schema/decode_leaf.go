package schema

import (
	"encoding/base64"
	"reflect"
	"strconv"
)

func guardBool(w *guardWalk, _ *guard, n uint32) {
	if k := w.nodes[n].kind; k != kTrue && k != kFalse {
		w.fail(n, "expected a boolean, got "+w.typeName(n))
	}
}

func guardString(w *guardWalk, _ *guard, n uint32) { w.expect(n, kString, "a string") }

func guardNumber(w *guardWalk, _ *guard, n uint32) { w.expect(n, kNumber, "a number") }

func guardInteger(w *guardWalk, g *guard, n uint32) {
	if w.expect(n, kNumber, "an integer") && !fitsInteger(g.typ, string(w.raw(n))) {
		w.fail(n, show(string(w.raw(n)), maxEcho)+" is no "+g.typ.String())
	}
}

// fitsInteger reports whether text is a value of an integer type in the plain
// form that strconv prints.
func fitsInteger(t reflect.Type, text string) bool {
	if isUnsigned(t.Kind()) {
		u, err := strconv.ParseUint(text, 10, t.Bits())
		return err == nil && strconv.FormatUint(u, 10) == text
	}
	i, err := strconv.ParseInt(text, 10, t.Bits())
	return err == nil && strconv.FormatInt(i, 10) == text
}

// guardFloat refuses an integer that becomes another one as a float, such as
// 9007199254740993. It may become one that prints as the same number: 1e23 has
// no exact float, and the nearest one prints as 1e23.
func guardFloat(w *guardWalk, g *guard, n uint32) {
	if !w.expect(n, kNumber, "a number") {
		return
	}
	f, err := strconv.ParseFloat(string(w.raw(n)), g.typ.Bits())
	if err != nil {
		w.fail(n, show(string(w.raw(n)), maxEcho)+" is beyond the range of "+g.typ.String())
		return
	}
	if w.nodes[n].flags&whole == 0 {
		return
	}
	if back := strconv.AppendFloat(nil, f, 'e', -1, g.typ.Bits()); compareNumbers(w.raw(n), back) != 0 {
		w.fail(n, show(string(w.raw(n)), maxEcho)+" would become "+string(back)+" as a "+g.typ.String())
	}
}

// guardBase64 refuses a text that decodes but is not what encoding prints:
// encoding/json skips line ends and spare bits.
func guardBase64(w *guardWalk, _ *guard, n uint32) {
	if !w.expect(n, kString, "a string") {
		return
	}
	text := w.str(n)
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(b) != text {
		w.fail(n, "not standard base64 with padding")
	}
}

// quotedText compares a field with ,string: a string that holds the JSON text
// of a boolean, a number or a string.
func (w *guardWalk) quotedText(g *guard, n uint32) {
	if !w.expect(n, kString, "a string") {
		return
	}
	var inner parser
	if err := inner.read(w.text(n, nil), decodeLimits); err != nil || len(inner.nodes) != 1 || inner.nodes[0].kind == kNull ||
		len(inner.valueOf(0)) != len(inner.src) {
		w.fail(n, "expected the JSON text of a "+g.elem.typ.String()+" in a string")
		return
	}
	v := guardWalk{tape: &inner.tape}
	if v.value(g.elem, 0); v.bad != nil {
		w.fail(n, v.bad.Problems[0].Text)
	}
}
