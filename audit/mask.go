package audit

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/assentdev/assent/fault"
)

// mask is the JSON text that stands for a secret in an export.
const mask = `"***"`

// Mask replaces the values at pointers by "***", whatever their type, and says
// how many it replaced. Everything else keeps its bytes. A pointer is a JSON
// Pointer (RFC 6901) in which "*" stands for any one member or element; one that
// points to nothing replaces nothing. The error has code fault.BadArguments if
// the payload is not JSON or a pointer does not begin with '/'.
func Mask(payload []byte, pointers []string) (masked []byte, n int, err error) {
	if !json.Valid(payload) {
		return nil, 0, fault.New(fault.BadArguments, "only JSON can be masked")
	}
	paths := make([][]string, 0, len(pointers))
	for _, p := range pointers {
		rest, ok := strings.CutPrefix(p, "/")
		if !ok && p != "" {
			return nil, 0, fault.New(fault.BadArguments, "%q is no JSON Pointer: it begins with '/'", clip(p))
		}
		var path []string
		if p != "" {
			path = strings.Split(rest, "/")
		}
		paths = append(paths, path)
	}
	m := masker{}
	masked = m.value(payload, paths)
	return masked, m.n, m.err
}

type masker struct {
	n   int
	err error
}

// value returns raw with the secrets masked that paths lead to from here.
func (m *masker) value(raw []byte, paths [][]string) []byte {
	for _, path := range paths {
		if len(path) == 0 {
			m.n++
			return []byte(mask)
		}
	}
	first := bytes.TrimLeft(raw, " \t\r\n")
	if len(paths) == 0 || len(first) == 0 || first[0] != '{' && first[0] != '[' {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		m.err = err
		return nil
	}
	var out []byte
	done := 0
	for i := 0; d.More(); i++ {
		name := strconv.Itoa(i)
		if first[0] == '{' {
			key, err := d.Token()
			if err != nil {
				m.err = err
				return nil
			}
			name = key.(string)
		}
		var child json.RawMessage
		if err := d.Decode(&child); err != nil {
			m.err = err
			return nil
		}
		end := int(d.InputOffset())
		out = append(out, raw[done:end-len(child)]...)
		out = append(out, m.value(child, below(paths, name))...)
		done = end
	}
	return append(out, raw[done:]...)
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// below returns what is left of the paths that lead into the member name.
func below(paths [][]string, name string) (left [][]string) {
	for _, path := range paths {
		if path[0] == "*" || unescape.Replace(path[0]) == name {
			left = append(left, path[1:])
		}
	}
	return left
}
