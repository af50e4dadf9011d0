package resource

import (
	"bytes"
	"encoding/json"
)

// members calls f for each member of a JSON object, in the order of the text. raw
// is JSON without spaces, such as canonical arguments: it was read before, so this
// only finds where things end. Values are parts of raw.
func members(raw json.RawMessage, f func(key string, value json.RawMessage) error) error {
	if len(raw) == 0 || raw[0] != '{' {
		return notObject("it is %.40s", raw)
	}
	for i := 1; raw[i] != '}'; {
		colon := endOfString(raw, i)
		end := endOfValue(raw, colon+1)
		if err := f(textOf(raw[i:colon]), raw[colon+1:end:end]); err != nil {
			return err
		}
		if i = end; raw[i] == ',' {
			i++
		}
	}
	return nil
}

// endOfString returns the index behind the string that begins at i.
func endOfString(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// endOfValue returns the index behind the value that begins at i.
func endOfValue(raw []byte, i int) int {
	depth := 0
	for ; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = endOfString(raw, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// textOf reads a JSON string.
func textOf(quoted []byte) (text string) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	_ = json.Unmarshal(quoted, &text) // it was read before
	return text
}
