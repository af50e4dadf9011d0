package gate

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// Body is the body of a request that passed: see [BodyOf]. Its bytes are not to
// be changed.
type Body struct {
	Raw       []byte // as it was sent, or as it came out of its compression
	Canonical []byte // as schema.Canonical writes it; nil where the body is no JSON
}

// readBody reads a body whole, checks it, and hands it on.
func (g *Gate) readBody(w *writer, r *http.Request, class *Class) (*http.Request, error) {
	if !carries(r.Method) {
		return r, nil
	}
	body, err := g.check(w, r, class)
	if err != nil {
		return nil, err
	}
	infoOf(r.Context()).body = body
	r.Body = io.NopCloser(bytes.NewReader(body.Raw))
	r.ContentLength = int64(len(body.Raw))
	r.TransferEncoding, r.Trailer = nil, nil
	r.Header.Del("Content-Encoding")
	r.Header.Set("Content-Length", strconv.Itoa(len(body.Raw)))
	return r, nil
}

func (g *Gate) check(w *writer, r *http.Request, class *Class) (b Body, err error) {
	if b.Raw, err = g.read(w, r, class.Bytes); err != nil {
		return b, err
	}
	media, err := class.media(r)
	if err == nil && isJSON(media) {
		b.Canonical, err = class.parse(b.Raw)
	}
	return b, err
}

// read reads a body whole.
func (g *Gate) read(w *writer, r *http.Request, most int64) ([]byte, error) {
	src := io.Reader(http.MaxBytesReader(w, r.Body, most))
	if strings.EqualFold(r.Header.Get("Content-Encoding"), "gzip") {
		unzip, err := gzip.NewReader(src)
		if err != nil {
			return nil, unread(err, most)
		}
		src = unzip
	}
	raw, err := io.ReadAll(io.LimitReader(src, most+1))
	if err != nil {
		return nil, unread(err, most)
	}
	if int64(len(raw)) > most {
		return nil, tooLarge(most)
	}
	return raw, nil
}

func unread(err error, most int64) error {
	switch _, large := errors.AsType[*http.MaxBytesError](err); {
	case large:
		return tooLarge(most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault.Wrap(err, TooSlow, "The body took too long to arrive.")
	}
	return fault.Wrap(err, BadRequest, "The body could not be read to its end.")
}

// parse reads JSON as strictly as a call's arguments (SPEC A5).
func (c *Class) parse(raw []byte) ([]byte, error) {
	canonical, err := schema.Canonical(raw, &schema.Limits{Bytes: int(c.Bytes), Levels: c.Levels, Keys: c.Keys})
	if err != nil {
		text := "The body is not strict JSON."
		if bad, ok := errors.AsType[*schema.Invalid](err); ok && len(bad.Problems) > 0 {
			text = "The body is " + bad.Problems[0].Text + "."
		}
		return nil, fault.Wrap(err, BadJSON, "%s", text)
	}
	if key := twin(canonical, c.Fold); key != "" {
		return nil, fault.New(BadJSON, "The body has two keys like %q that differ by case only.", clip(key))
	}
	return canonical, nil
}

// twin finds a key that Go's reader of structs takes for another one of the same
// object, in so many levels of objects. "" means that there is none.
func twin(value []byte, levels int) string {
	var object map[string]json.RawMessage
	if levels <= 0 || len(value) == 0 || value[0] != '{' || json.Unmarshal(value, &object) != nil {
		return ""
	}
	seen := make(map[string]bool, len(object))
	for key, inner := range object {
		folded := fold(key)
		if seen[folded] {
			return key
		}
		seen[folded] = true
		if key := twin(inner, levels-1); key != "" {
			return key
		}
	}
	return ""
}

// fold maps what encoding/json takes for equal to the same text. Besides the
// letters' cases these are signs such as the one for Kelvin, which folds to k.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, key)
}
