package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// differs says where two results differ; "" for nowhere. They are compared as
// JSON values where both are JSON, and as text otherwise. Numbers may be apart by
// less than a thousandth of a cent, because the original adds binary floats.
func differs(got, want string) string {
	g, gok := jsonOf(got)
	w, wok := jsonOf(want)
	if !gok || !wok {
		if got == want {
			return ""
		}
		return fmt.Sprintf("got %s, want %s", short(got), short(want))
	}
	return apart("", g, w)
}

func jsonOf(text string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// apart returns the first place where two values differ.
func apart(at string, got, want any) string {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return membersApart(at, g, w)
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				if d := apart(at+"/"+strconv.Itoa(i), g[i], w[i]); d != "" {
					return d
				}
			}
			return ""
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && near(string(g), string(w)) {
			return ""
		}
	default: // text, true, false and null
		if got == want {
			return ""
		}
	}
	return different(at, canonicalOf(got), canonicalOf(want))
}

func membersApart(at string, got, want map[string]any) string {
	names := sortedKeys(got)
	for name := range want {
		if _, ok := got[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		g, gok := got[name]
		w, wok := want[name]
		place := at + "/" + name
		switch {
		case !gok:
			return different(place, "nothing", canonicalOf(w))
		case !wok:
			return different(place, canonicalOf(g), "nothing")
		}
		if d := apart(place, g, w); d != "" {
			return d
		}
	}
	return ""
}

// near compares numbers as they are written, or to a thousandth of a cent.
func near(a, b string) bool {
	if a == b {
		return true
	}
	x, errx := strconv.ParseFloat(a, 64)
	y, erry := strconv.ParseFloat(b, 64)
	// Larger ones are no amounts, and a float does not hold all their digits.
	return errx == nil && erry == nil && max(math.Abs(x), math.Abs(y)) < 1e9 && math.Abs(x-y) < 1e-5
}

func different(at, got, want string) string {
	if at != "" {
		at = "at " + at + " "
	}
	return at + "got " + short(got) + ", want " + short(want)
}

func canonicalOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// short quotes what does not fit on a line in part.
func short(text string) string {
	const most = 200
	if len(text) > most {
		return strconv.Quote(strings.ToValidUTF8(text[:most], "")) + "…"
	}
	return strconv.Quote(text)
}
