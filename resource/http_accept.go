package resource

import (
	"mime"
	"strconv"
	"strings"
)

// wantsHTML says whether a request would rather have a page than JSON: whether
// the header Accept values text/html more. Nothing, and */*, mean JSON, which is
// what programs send.
func wantsHTML(accept []string) bool {
	all := strings.Join(accept, ",")
	return quality(all, "text", "html") > quality(all, "application", "json")
}

// quality is how much Accept values a type: what the most exact of its ranges
// says, and 0 without one.
func quality(accept, kind, sub string) (q float64) {
	best := 0
	for part := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		exact := exactness(media, kind, sub)
		if exact > best {
			best, q = exact, weight(params["q"])
		}
	}
	return q
}

// exactness is 3 for the type itself, 2 for its family, 1 for all, 0 for others.
func exactness(media, kind, sub string) int {
	switch media {
	case kind + "/" + sub:
		return 3
	case kind + "/*":
		return 2
	case "*/*":
		return 1
	}
	return 0
}

func weight(q string) float64 {
	if q == "" {
		return 1
	}
	w, err := strconv.ParseFloat(q, 64)
	if err != nil || !(w >= 0 && w <= 1) {
		return 0
	}
	return w
}
