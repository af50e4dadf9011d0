package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

func parse(text string) (*template.Template, error) {
	return template.New("text").Funcs(template.FuncMap{
		"find": find, "word": word, "json": toJSON, "path": path, "number": number,
	}).Parse(text)
}

func fill(t *template.Template, now Situation) (string, error) {
	var b strings.Builder
	if err := t.Execute(&b, now); err != nil {
		return "", err
	}
	return b.String(), nil
}

func find(pattern, text string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	m := re.FindStringSubmatch(text)
	switch {
	case m == nil:
		return "", nil
	case len(m) > 1:
		return m[1], nil
	}
	return m[0], nil
}

func word(n int, text string) string {
	list := strings.Fields(text)
	if n < 1 || n > len(list) {
		return ""
	}
	return list[n-1]
}

func toJSON(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}

// number makes text a number, so that json writes it without quotes.
func number(text string) (json.Number, error) {
	if !json.Valid([]byte(text)) || text == "" || !strings.ContainsAny(text[:1], "-0123456789") {
		return "", fmt.Errorf("%q is no number", text)
	}
	return json.Number(text), nil
}

// path returns the value at a dotted path within JSON text: text as it is, all
// else as JSON. Numbers keep their digits.
func path(path, text string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "", nil
	}
	for part := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(at) {
				return "", nil
			}
			v = at[i]
		default:
			return "", nil
		}
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	return toJSON(v)
}
