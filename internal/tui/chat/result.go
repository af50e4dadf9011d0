package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assentdev/assent/approval/safetext"
)

// How much of a result is shown: characters of each line, and lines.
const (
	shownLine  = 300
	shownLines = 8
)

// resultLines returns a result in lines to print: JSON in one, with spaces where
// a line may break.
func resultLines(text string) (lines []string) {
	if text != "" && strings.ContainsRune("{[", rune(text[0])) && json.Valid([]byte(text)) {
		return []string{safetext.Shorten(spaced(text), shownLine).String()}
	}
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, line := range all[:min(len(all), shownLines)] {
		lines = append(lines, safetext.Shorten(line, shownLine).String())
	}
	if left := len(all) - len(lines); left > 0 {
		lines = append(lines, fmt.Sprintf(`\[%s more]`, count(left, "line")))
	}
	return lines
}

// spaced returns JSON with a space behind each comma and colon.
func spaced(text string) string {
	var b strings.Builder
	inside, escaped := false, false
	for i := range len(text) {
		c := text[i]
		b.WriteByte(c)
		switch {
		case escaped:
			escaped = false
		case c == '"':
			inside = !inside
		case inside:
			escaped = c == '\\'
		case (c == ',' || c == ':') && i+1 < len(text) && text[i+1] > ' ':
			b.WriteByte(' ')
		}
	}
	return b.String()
}
