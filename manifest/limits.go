package manifest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assentdev/assent/tool"
)

// Limits bound what a server takes. A nil *Limits and a zero field mean the
// default.
type Limits struct {
	Tools       int // tools of one manifest; 256
	Descriptor  int // bytes of one descriptor's canonical JSON; 32 KiB
	Total       int // bytes of all descriptors together; 512 KiB
	Description int // characters of a tool's description; 4,000
	Text        int // characters of a name, title, greeting or suggestion; 300
	Items       int // context items, and suggestions; 50
}

func (l *Limits) orDefaults() Limits {
	full := Limits{Tools: 256, Descriptor: 32 << 10, Total: 512 << 10, Description: 4000, Text: 300, Items: 50}
	if l == nil {
		return full
	}
	for _, f := range []struct {
		to   *int
		from int
	}{
		{&full.Tools, l.Tools}, {&full.Descriptor, l.Descriptor}, {&full.Total, l.Total},
		{&full.Description, l.Description}, {&full.Text, l.Text}, {&full.Items, l.Items},
	} {
		if f.from > 0 {
			*f.to = f.from
		}
	}
	return full
}

// Fit returns the app with only what keeps to the limits, and the pointers of
// what was left out: texts that are too long, that are not one line of plain
// text, or that hold a link, because they are shown to people as the
// application's own words; and items beyond the limit.
func (a App) Fit(lim *Limits) (fit App, left []string) {
	l := lim.orDefaults()
	keep := func(pointer, text string) string {
		if !plainLine(text, l.Text) {
			left = append(left, pointer)
			return ""
		}
		return text
	}
	fit.Name, fit.Version, fit.Greeting = keep("/app/name", a.Name), keep("/app/version", a.Version), keep("/app/greeting", a.Greeting)
	for i, item := range a.Context {
		if i < l.Items && plainLine(item.ID, l.Text) && plainLine(item.Title, l.Text) && plainLine(item.Kind, l.Text) {
			fit.Context = append(fit.Context, item)
		} else {
			left = append(left, pointerTo("/app/context", i))
		}
	}
	for i, text := range a.Suggestions {
		if i < l.Items && plainLine(text, l.Text) {
			fit.Suggestions = append(fit.Suggestions, text)
		} else {
			left = append(left, pointerTo("/app/suggestions", i))
		}
	}
	return fit, left
}

// plainLine reports whether text is one line of at most so many visible
// characters, without a link.
func plainLine(text string, most int) bool {
	invisible := func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most &&
		!strings.ContainsFunc(text, invisible) && !strings.Contains(text, "://")
}

// tooMuch returns the reason why a descriptor is beyond the limits; "" if it is
// not. size is that of its canonical JSON, before what came before it.
func (l Limits) tooMuch(d *tool.Descriptor, index, size, before int) string {
	switch {
	case index >= l.Tools:
		return TooManyTools
	case size > l.Descriptor:
		return DescriptorTooLong
	case before+size > l.Total:
		return ManifestTooLong
	case utf8.RuneCountInString(d.Description) > l.Description:
		return DescriptionTooLong
	}
	return ""
}
