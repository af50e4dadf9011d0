package tool

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/assentdev/assent/policy"
)

// maxTitleValue is how many characters of a value a title shows.
const maxTitleValue = 80

// RenderTitle puts arguments into a title's places: "Read page {page}" and
// {"page":3} give "Read page 3". A string is put in as it is, anything else as
// JSON; what is longer than 80 characters is cut and ends in "…". A place whose
// argument is absent stays as it is written. Values are not looked at for places
// again.
//
// args are canonical; nil, or anything but an object, leaves the title as it is.
// Characters that deceive are not escaped here: whoever shows the title does that.
func RenderTitle(title string, args []byte) string {
	var values map[string]json.RawMessage
	if !strings.Contains(title, "{") || json.Unmarshal(args, &values) != nil {
		return title
	}
	var b strings.Builder
	for {
		before, name, after, ok := nextPlace(title)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if value, given := values[name]; given {
			b.WriteString(titleValue(value))
		} else {
			b.WriteString("{" + name + "}")
		}
		title = after
	}
}

// nextPlace splits a title at its first place; without one, before is all of it.
func nextPlace(title string) (before, name, after string, ok bool) {
	end := strings.IndexByte(title, '}')
	if end < 0 {
		return title, "", "", false
	}
	start := strings.LastIndexByte(title[:end], '{')
	if start < 0 {
		before, name, after, ok = nextPlace(title[end+1:])
		return title[:end+1] + before, name, after, ok
	}
	return title[:start], title[start+1 : end], title[end+1:], true
}

func titleValue(raw json.RawMessage) string {
	text := string(raw)
	if raw[0] == '"' && json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	if utf8.RuneCountInString(text) <= maxTitleValue {
		return text
	}
	count := 0
	for i := range text {
		if count == maxTitleValue-1 {
			return text[:i] + "…"
		}
		count++
	}
	return text
}

// TitleFor returns the title of one call: the rendered title of a tool that is
// defined in code, a foreign tool's title as it is, and the name of a tool
// without a title.
func (t *Tool) TitleFor(args []byte) string {
	switch {
	case t.Title == "":
		return t.Name
	case t.Identity().Kind == policy.Host:
		return RenderTitle(t.Title, args)
	}
	return t.Title
}

// places returns the names of a title's places.
func places(title string) []string {
	var names []string
	for {
		_, name, after, ok := nextPlace(title)
		if !ok {
			return names
		}
		names = append(names, name)
		title = after
	}
}
