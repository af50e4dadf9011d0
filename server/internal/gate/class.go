package gate

import (
	"net/http"
	"slices"
	"strings"
)

// Class is a kind of request with limits of its own. The zero Class is a request
// to the API by somebody who is known.
type Class struct {
	// Methods are those that are served. Default: GET, HEAD, POST, PUT, PATCH and
	// DELETE. Only POST, PUT and PATCH have a body, and they must.
	Methods []string
	// Media are the types of a body. Default: application/json. JSON is checked
	// strictly; a body of another type is only bounded.
	Media []string
	// Bytes bounds a body. Default: 262,144 (256 KiB).
	Bytes int64
	// Levels and Keys bound a JSON body, as in schema.Limits. Default: 64 and 1,000.
	Levels, Keys int
	// Fold is in how many levels of a JSON body, from the outermost object on, no
	// two keys of an object may differ by case only: Go's reader takes one for the
	// other. Deeper ones may be a caller's own names. Default: 1; negative: 0.
	Fold int
	// Open serves everybody, and does not ask who it is.
	Open bool
	// Page lets a link on another site lead here. It must change nothing.
	Page bool
	// Stream marks answers that go on for long.
	Stream bool
}

func (c Class) orDefaults() Class {
	if c.Methods == nil {
		c.Methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	}
	if c.Media == nil {
		c.Media = []string{"application/json"}
	}
	c.Bytes = or(c.Bytes, 256<<10)
	if c.Fold == 0 {
		c.Fold = 1
	}
	return c
}

// serves says whether a class has a method.
func (c *Class) serves(method string) bool { return slices.Contains(c.Methods, method) }

// carries says whether requests with a method have a body.
func carries(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// isJSON says whether a media type is one of JSON.
func isJSON(media string) bool {
	return media == "application/json" || strings.HasSuffix(media, "+json")
}
