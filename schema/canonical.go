package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Digest returns the digest of canonical bytes: their SHA-256 in lower-case hex.
func Digest(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// canonical returns the canonical bytes of a value.
func (t *tape) canonical(n uint32) []byte {
	w := writer{tape: t, buf: make([]byte, 0, len(t.raw(n)))}
	w.value(n)
	return w.buf
}

// writer appends canonical text to buf.
type writer struct {
	*tape
	buf  []byte
	keys []uint32 // the keys of the objects that are being written, each in order

	// byValue writes numbers of the same value alike: 1.50 as 1.5. It is for comparison only.
	byValue bool
}

func (w *writer) value(n uint32) {
	switch v := &w.nodes[n]; v.kind {
	case kString:
		w.string(n)
	case kNumber:
		w.number(n)
	case kArray:
		w.array(n)
	case kObject:
		w.object(n)
	default:
		w.buf = append(w.buf, w.raw(n)...)
	}
}

func (w *writer) number(n uint32) {
	f := w.nodes[n].flags
	if f&whole == 0 && w.byValue {
		d := parseDecimal(w.raw(n))
		w.buf = d.appendExact(w.buf)
		return
	}
	if f&whole == 0 || f&plain != 0 {
		w.buf = append(w.buf, w.raw(n)...)
		return
	}
	d := parseDecimal(w.raw(n))
	w.buf = d.appendWhole(w.buf)
}

func (w *writer) string(n uint32) {
	w.buf = append(w.buf, '"')
	if w.nodes[n].flags&escaped == 0 {
		w.buf = append(w.buf, w.raw(n)...)
	} else {
		w.buf = appendEscaped(w.buf, w.text(n, nil))
	}
	w.buf = append(w.buf, '"')
}

// appendEscaped appends the only escapes that JSON requires, the short form
// where there is one.
func appendEscaped[T string | []byte](buf []byte, text T) []byte {
	const hexDigits = "0123456789abcdef"
	plain := 0 // from here on nothing needed an escape
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		buf = append(buf, text[plain:i]...)
		plain = i + 1
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\b':
			buf = append(buf, `\b`...)
		case '\f':
			buf = append(buf, `\f`...)
		case '\n':
			buf = append(buf, `\n`...)
		case '\r':
			buf = append(buf, `\r`...)
		case '\t':
			buf = append(buf, `\t`...)
		default:
			buf = append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(buf, text[plain:]...)
}

func (w *writer) array(n uint32) {
	w.buf = append(w.buf, '[')
	first := true
	for i := range w.items(n) {
		if !first {
			w.buf = append(w.buf, ',')
		}
		first = false
		w.value(i)
	}
	w.buf = append(w.buf, ']')
}

func (w *writer) object(n uint32) {
	base := len(w.keys)
	for k := range w.members(n) {
		w.keys = append(w.keys, k)
	}
	end := len(w.keys)
	if own := w.keys[base:end]; !slices.IsSortedFunc(own, w.compareText) {
		slices.SortFunc(own, w.compareText)
	}
	w.buf = append(w.buf, '{')
	for i := base; i < end; i++ {
		if i > base {
			w.buf = append(w.buf, ',')
		}
		k := w.keys[i]
		w.string(k)
		w.buf = append(w.buf, ':')
		w.value(k + 1)
	}
	w.buf = append(w.buf, '}')
	w.keys = w.keys[:base]
}
