package policy

import "strings"

// glob reports whether a name meets a pattern in which * stands for any run of
// characters. Everything else stands for itself, byte by byte, and the whole
// name must be met: "read" does not meet "unread".
func glob(pattern, name string) bool {
	head, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == name
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	for name = name[len(head):]; ; {
		part, more, starred := strings.Cut(rest, "*")
		if !starred {
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
