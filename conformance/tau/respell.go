package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// respelled writes the same arguments in another way: other order, white space,
// escapes, and integers as 3.0 or 3e0. Their canonical text is the same (SPEC A5).
func respelled(d *draft, v map[string]any) string { return d.respell(v) }

func (d *draft) respell(v any) string {
	gap := func() string { return []string{"", " ", "\n\t"}[d.IntN(3)] }
	switch v := v.(type) {
	case map[string]any:
		keys := sortedKeys(v)
		d.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		var parts []string
		for _, k := range keys {
			parts = append(parts, gap()+d.respell(k)+gap()+":"+gap()+d.respell(v[k])+gap())
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, gap()+d.respell(e))
		}
		return "[" + strings.Join(parts, ",") + gap() + "]"
	case string:
		return d.respellText(v)
	case json.Number:
		if n, ok := whole(v); ok && len(n) < 15 {
			return n + []string{"", ".0", ".000", "e0", "E+0"}[d.IntN(5)]
		}
		return string(v)
	}
	return canonical(v)
}

func (d *draft) respellText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch d.IntN(8) {
		case 0:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04X`, unit)
			}
		default:
			text := canonical(string(r))
			b.WriteString(text[1 : len(text)-1])
		}
	}
	b.WriteByte('"')
	return b.String()
}
