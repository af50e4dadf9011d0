package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The oracle's own reading of arguments, from SPEC A5: strict JSON to a value
// of map[string]any, []any, string, json.Number, bool or nil, and back to
// canonical text. It is slow and plain, and shares nothing with package schema.

// readStrict parses text; empty text is an object without members.
func readStrict(raw string) (any, error) {
	if strings.Trim(raw, " \t\r\n") == "" {
		raw = "{}"
	}
	switch {
	case len(raw) > 256<<10:
		return nil, errors.New("too long")
	case !utf8.ValidString(raw):
		return nil, errors.New("no UTF-8")
	case !json.Valid([]byte(raw)):
		return nil, errors.New("no JSON")
	case loneSurrogate(raw):
		return nil, errors.New("half a surrogate pair")
	}
	r := strictReader{dec: json.NewDecoder(strings.NewReader(raw))}
	r.dec.UseNumber()
	v, err := r.value(1)
	if err == nil && r.keys > 1000 {
		err = errors.New("too many keys")
	}
	return v, err
}

var unicodeEscape = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|[^u])`)

// loneSurrogate looks at the escapes of a JSON text for one half of a pair.
func loneSurrogate(raw string) bool {
	high := -1 // where the low half must follow
	for _, at := range unicodeEscape.FindAllStringIndex(raw, -1) {
		n, _ := strconv.ParseUint(strings.TrimPrefix(raw[at[0]:at[1]], `\u`), 16, 32)
		isLow := n >= 0xdc00 && n < 0xe000 && raw[at[0]+1] == 'u'
		isHigh := n >= 0xd800 && n < 0xdc00 && raw[at[0]+1] == 'u'
		if (high == at[0]) != isLow {
			return true
		}
		if high >= 0 && high != at[0] {
			return true
		}
		high = -1
		if isHigh {
			high = at[1]
		}
	}
	return high >= 0
}

type strictReader struct {
	dec  *json.Decoder
	keys int
}

func (r *strictReader) value(level int) (any, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Number:
		return t, inRange(t)
	case json.Delim:
		if level > 64 {
			return nil, errors.New("too deep")
		}
		if t == '[' {
			return r.array(level)
		}
		return r.object(level)
	}
	return t, nil
}

func (r *strictReader) array(level int) (any, error) {
	list := []any{}
	for r.dec.More() {
		v, err := r.value(level + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := r.dec.Token()
	return list, err
}

func (r *strictReader) object(level int) (any, error) {
	m := map[string]any{}
	for r.dec.More() {
		k, err := r.dec.Token()
		if err != nil {
			return nil, err
		}
		key := k.(string)
		if _, ok := m[key]; ok {
			return nil, fmt.Errorf("the key %q is there twice", key)
		}
		r.keys++
		if m[key], err = r.value(level + 1); err != nil {
			return nil, err
		}
	}
	_, err := r.dec.Token()
	return m, err
}

// inRange says whether a double can hold the number at all.
func inRange(n json.Number) error {
	if len(n) > 1000 {
		return errors.New("too many digits")
	}
	if !strings.ContainsAny(string(n), ".eE") {
		return nil // an integer is exact, however long
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f == 0 && !zero(n) {
		return errors.New("beyond the range of a double")
	}
	return nil
}

// zero says whether a number is written as zero, whatever its exponent.
func zero(n json.Number) bool {
	digits, _, _ := strings.Cut(strings.ToLower(string(n)), "e")
	return !strings.ContainsAny(digits, "123456789")
}

// whole returns the integer that a number is, if it is one.
func whole(n json.Number) (string, bool) {
	if zero(n) {
		return "0", true
	}
	if !strings.ContainsAny(string(n), ".eE") {
		return string(n), true
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() {
		return "", false
	}
	return r.Num().String(), true
}

// same says whether two values are equal, numbers by their value.
func same(a, b any) bool {
	x, xok := a.(json.Number)
	y, yok := b.(json.Number)
	if xok && yok {
		r, _ := new(big.Rat).SetString(string(x))
		q, _ := new(big.Rat).SetString(string(y))
		return r.Cmp(q) == 0
	}
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	}
	return !xok && !yok && canonical(a) == canonical(b)
}

// canonical writes a value in its one form.
func canonical(v any) string {
	var b bytes.Buffer
	writeCanonical(&b, v)
	return b.String()
}

func writeCanonical(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, k := range sortedKeys(v) {
			if i > 0 {
				b.WriteByte(',')
			}
			writeText(b, k)
			b.WriteByte(':')
			writeCanonical(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCanonical(b, e)
		}
		b.WriteByte(']')
	case string:
		writeText(b, v)
	case json.Number:
		if n, ok := whole(v); ok {
			v = json.Number(n)
		}
		b.WriteString(string(v))
	default:
		fmt.Fprint(b, map[any]string{nil: "null", true: "true", false: "false"}[v])
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// writeText writes a string with the escapes that JSON demands, and no other.
func writeText(b *bytes.Buffer, s string) {
	short := strings.NewReplacer(`\u0008`, `\b`, `\u000c`, `\f`)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r >= ' ':
			b.WriteRune(r)
		case strings.ContainsRune("\n\r\t", r):
			io.WriteString(b, map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}[r])
		default:
			b.WriteString(short.Replace(fmt.Sprintf(`\u%04x`, r)))
		}
	}
	b.WriteByte('"')
}
