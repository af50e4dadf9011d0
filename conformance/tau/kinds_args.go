package main

import (
	"encoding/json"
	"strings"

	"github.com/assentdev/assent/model"
)

// The changes to arguments. Each returns JSON text, or what should have been one.

func broken(d *draft, v map[string]any) string {
	text := canonical(v)
	at := d.IntN(len(text))
	for at > 0 && text[at]&0xc0 == 0x80 { // no half characters: JSON text cannot carry them
		at--
	}
	return []string{text[:at], text[:at] + "," + text[at:], "{'" + text[2:], "```json\n" + text + "\n```"}[d.IntN(4)]
}

// pick chooses a member, "" where there is none.
func (d *draft) pick(v map[string]any) string {
	keys := sortedKeys(v)
	if len(keys) == 0 {
		return ""
	}
	return keys[d.IntN(len(keys))]
}

// wrongType gives a value, or one within it, another type.
func wrongType(d *draft, v map[string]any) string {
	k := d.pick(v)
	in := v
	for range 3 {
		if list, ok := in[k].([]any); ok && len(list) > 0 && d.IntN(2) == 0 {
			if m, ok := list[0].(map[string]any); ok && len(m) > 0 {
				in = m
				k = d.pick(m)
			}
		}
	}
	if _, text := in[k].(string); text {
		in[k] = []any{json.Number("3"), true, []any{}, map[string]any{}}[d.IntN(4)]
	} else {
		in[k] = []any{"3", "", "true"}[d.IntN(3)]
	}
	return canonical(v)
}

func missing(d *draft, v map[string]any) string {
	delete(v, d.pick(v))
	return canonical(v)
}

func null(d *draft, v map[string]any) string {
	if k := d.pick(v); k != "" {
		v[k] = nil
	}
	return canonical(v)
}

func encodedTwice(_ *draft, v map[string]any) string { return canonical(canonical(v)) }

func inList(_ *draft, v map[string]any) string { return canonical([]any{v}) }

func doubledKey(d *draft, v map[string]any) string {
	k := d.pick(v)
	return "{" + canonical(k) + ":" + canonical(v[k]) + "," + canonical(v)[1:]
}

func caseTwin(d *draft, v map[string]any) string {
	k := d.pick(v)
	v[strings.ToUpper(k)] = v[k]
	if d.IntN(2) == 0 {
		delete(v, k)
	}
	return canonical(v)
}

func halfPair(d *draft, v map[string]any) string {
	k := d.pick(v)
	half := []string{`"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\ude00"`}[d.IntN(4)] // the last is whole
	v[k] = json.Number(half)                                                           // stands in the text as it is
	return plain(v)
}

// plain writes an object whose numbers are any text.
func plain(v map[string]any) string {
	var parts []string
	for _, k := range sortedKeys(v) {
		text := canonical(v[k])
		if n, ok := v[k].(json.Number); ok {
			text = string(n)
		}
		parts = append(parts, canonical(k)+":"+text)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func furtherKey(d *draft, v map[string]any) string {
	v["further_key"] = d.n
	v["further_key"] = []any{true, "x", nil}[d.IntN(3)]
	return canonical(v)
}

func textBehind(d *draft, v map[string]any) string {
	return canonical(v) + []string{"{}", " x", ",", "\n\n", "\x00"}[d.IntN(5)] // white space is no text
}

// strictNulls writes null for all that was left out, as a strict provider makes
// a model do (SPEC A7).
func strictNulls(d *draft) bool {
	c, ok := d.any(func(c model.Call) bool { return len(d.specs[c.Name].Properties) > len(d.specs[c.Name].Required) })
	if !ok {
		return false
	}
	d.strict = true
	v := object(c.Args)
	for name := range d.specs[c.Name].Properties {
		if _, given := v[name]; !given {
			v[name] = nil
		}
	}
	c.Args = respelled(d, v)
	d.ask(c)
	return true
}
