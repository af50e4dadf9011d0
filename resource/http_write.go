package resource

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// write sends an answer.
func (a answer) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if a.style != "" {
		a.writeStyle(w, r)
		return
	}
	if a.media != "" {
		h.Set("Content-Type", a.media)
	}
	if a.location != "" {
		h.Set("Location", a.location)
	}
	if a.allow != "" {
		h.Set("Allow", a.allow)
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body) // the reader may be gone
	}
}

// styleURL is where the stylesheet is, with its version, so that it may be kept.
func (s *site) styleURL() string { return s.base + "/" + styleName + "?v=" + s.style }

func (e *exchange) stylesheet() answer {
	if e.r.Method != http.MethodGet && e.r.Method != http.MethodHead {
		a := e.failed(&Error{Code: codeMethod, Status: http.StatusMethodNotAllowed, Text: "The stylesheet can only be read."})
		a.allow = "GET, HEAD"
		return a
	}
	return answer{style: e.style}
}

// writeStyle sends the stylesheet, for a year where it was asked for by its version.
func (a answer) writeStyle(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/css; charset=utf-8")
	h.Set("ETag", `"`+a.style+`"`)
	h.Set("Cache-Control", "no-cache")
	h.Del("Vary")
	if r.URL.RawQuery == "v="+a.style {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, styleName, time.Time{}, strings.NewReader(stylesheet))
}
