package resource_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// parsed is HTML as a strict reader sees it. The reader knows only what the
// package writes, so that anything else is an error rather than a guess.
type parsed struct {
	skeleton []string // tags with the names of their attributes, in order
	texts    []string // each piece of text between two tags that is no mere white space
	attrs    map[string][]string
}

var (
	tag       = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>`)
	attribute = regexp.MustCompile(` ([a-z-]+)(?:="([^"]*)")?`)
	entity    = regexp.MustCompile(`&[^;]{0,6};?`)
)

// known are the elements of nodes and pages. None of them runs or loads anything
// but img, and link, whose addresses the tests look at.
const known = " html head meta title link body a header nav ul li form input button p span main footer " +
	"h1 h2 h3 h4 h5 h6 section div strong dl dt dd table caption thead tbody tr th td img "

// void elements have no end.
const void = " meta link input img "

// phrasing is all that may stand in a paragraph.
const phrasing = " a span strong img "

const harmless = " lang charset name content rel href class role aria-label aria-current method action type placeholder value " +
	"tabindex id scope data-label src alt "

func parse(text string) (*parsed, error) {
	p := &parsed{attrs: map[string][]string{}}
	text = strings.TrimPrefix(text, "<!doctype html>\n")
	var open []string
	for text != "" {
		if text[0] != '<' {
			piece, _, _ := strings.Cut(text, "<")
			text = text[len(piece):]
			plain, err := unescape(piece)
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(plain) != "" {
				p.texts = append(p.texts, plain)
			}
			continue
		}
		m := tag.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("no tag: %.60q", text)
		}
		text = text[len(m[0]):]
		var err error
		if open, err = p.element(open, m[1] == "/", m[2], m[3]); err != nil {
			return nil, err
		}
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("%v stay open", open)
	}
	return p, nil
}

func (p *parsed) element(open []string, end bool, name, attrs string) ([]string, error) {
	word := " " + name + " "
	switch {
	case end && (len(open) == 0 || open[len(open)-1] != name || attrs != ""):
		return nil, fmt.Errorf("</%s> in %v", name, open)
	case end:
		return open[:len(open)-1], nil
	case !strings.Contains(known, word):
		return nil, fmt.Errorf("the element %s", name)
	case slices.Contains(open, "p") && !strings.Contains(phrasing, word):
		return nil, fmt.Errorf("the element %s in a paragraph", name)
	}
	for _, m := range attribute.FindAllStringSubmatch(attrs, -1) {
		if !strings.Contains(harmless, " "+m[1]+" ") {
			return nil, fmt.Errorf("the attribute %s", m[1])
		}
		value, err := unescape(m[2])
		if err != nil {
			return nil, err
		}
		p.attrs[m[1]] = append(p.attrs[m[1]], value)
		name += " " + m[1]
	}
	p.skeleton = append(p.skeleton, strings.Repeat(".", len(open))+name)
	if strings.Contains(void, word) {
		return open, nil
	}
	return append(open, strings.TrimSpace(word)), nil
}

// unescape reads text as browsers do, and refuses what they would repair.
func unescape(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 || r&0xfffe == 0xfffe || r == '\'' || r == '"' {
			return "", fmt.Errorf("the character %U in %q", r, s)
		}
	}
	for _, ref := range entity.FindAllString(s, -1) {
		if !slices.Contains([]string{"&amp;", "&lt;", "&gt;", "&#34;", "&#39;", "&#13;"}, ref) {
			return "", fmt.Errorf("the reference %q", ref)
		}
	}
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#13;", "\r").Replace(s), nil
}

// readBack is how a text has to come out: what HTML cannot hold is U+FFFD.
func readBack(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r >= 0x7f && r < 0xa0 || r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
