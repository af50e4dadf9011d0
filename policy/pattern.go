package policy

import "strings"

// glob reports whether a name meets a pattern in which * stands for any run of
// characters. Everything else stands for itself, byte by byte, and the whole
// name must be met: "read" does not meet "unread".
func glob(pattern, name string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	return strings.HasPrefix(name, head) && ends(rest, name[len(head):])
}

// ends reports whether a name ends as the pattern behind a star says. Each part
// between two stars is looked for once, as early as possible: what an early
// find leaves is never less than what a later one would.
func ends(rest, name string) bool {
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		rest, name = more, name[i+len(part):]
	}
}

// met returns the first of the patterns that a name meets.
func met(patterns []string, name string) (string, bool) {
	for _, p := range patterns {
		if glob(p, name) {
			return p, true
		}
	}
	return "", false
}
