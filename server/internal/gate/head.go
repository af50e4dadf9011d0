package gate

import (
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
)

// The bounds of a request's head.
const (
	maxURL         = 8 << 10
	maxHeaders     = 100
	maxHeaderBytes = 32 << 10
)

// checkHead looks at everything but the sender and the body.
func (g *Gate) checkHead(r *http.Request, class *Class) error {
	for _, check := range []func(*http.Request, *Class) error{
		g.checkHost, checkSize, checkPath, checkHeaders, checkMethod, g.checkOrigin, g.checkBody,
	} {
		if err := check(r, class); err != nil {
			return err
		}
	}
	return nil
}

func (g *Gate) checkHost(r *http.Request, _ *Class) error {
	host := strings.ToLower(r.Host)
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		name = bracketed(bare)
	}
	if g.hosts[host] || g.hosts[name] {
		return nil
	}
	return fault.New(WrongHost, "This server is not asked for by this name. Its administrator can add the name to the hosts.")
}

// bracketed writes an IPv6 address as it stands in a Host header.
func bracketed(name string) string {
	if strings.Contains(name, ":") {
		return "[" + name + "]"
	}
	return name
}

// hostSet reads the names of Options.Hosts.
func hostSet(hosts []string) (map[string]bool, error) {
	set := map[string]bool{}
	for _, h := range hosts {
		u, err := url.Parse("http://" + h)
		if err != nil || u.Host != h || u.Hostname() == "" || strings.ContainsAny(h, "*@ ") {
			return nil, fault.New(fault.BadConfig, "the host %q is not of the form name, name:port or [address]:port", h)
		}
		set[strings.ToLower(h)] = true
	}
	return set, nil
}

func checkSize(r *http.Request, _ *Class) error {
	if len(r.RequestURI) > maxURL {
		return fault.New(URLTooLong, "The address is longer than %d bytes.", maxURL)
	}
	count, bytes := 0, 0
	for name, values := range r.Header {
		for _, v := range values {
			count, bytes = count+1, bytes+len(name)+len(v)
		}
	}
	if count > maxHeaders || bytes > maxHeaderBytes {
		return fault.New(HeadTooLarge, "There are more than %d headers or %d bytes of them.", maxHeaders, maxHeaderBytes)
	}
	return nil
}

// checkPath refuses addresses that readers read differently.
func checkPath(r *http.Request, _ *Class) error {
	odd := func(c rune) bool { return unicode.IsControl(c) || c == '\\' }
	if !utf8.ValidString(r.URL.Path) || strings.ContainsFunc(r.URL.Path, odd) {
		return fault.New(BadRequest, "The path holds bytes that are no text.")
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return fault.Wrap(err, BadRequest, "The query is not well formed.")
	}
	return nil
}

// single are the headers that somebody decides by, so that there must not be two.
var single = []string{
	"Authorization", "X-Api-Key", "Origin", "Sec-Fetch-Site", "Content-Type", "Content-Encoding", "X-Request-Id",
	"Idempotency-Key", "Last-Event-Id", "If-Match", "Mcp-Name", "Mcp-Method", "Mcp-Session-Id", "Mcp-Protocol-Version",
}

func checkHeaders(r *http.Request, _ *Class) error {
	for _, name := range single {
		if len(r.Header[name]) > 1 {
			return fault.New(BadRequest, "The header %s is there twice.", name)
		}
	}
	for name, values := range r.Header {
		if slices.ContainsFunc(values, func(v string) bool { return !utf8.ValidString(v) }) {
			return fault.New(BadRequest, "The header %s is not UTF-8.", clip(name))
		}
	}
	if len(r.Trailer) > 0 {
		return fault.New(BadRequest, "Headers behind the body are not read.")
	}
	return nil
}

func checkMethod(r *http.Request, class *Class) error {
	if !class.serves(r.Method) {
		return &headed{fault.New(WrongMethod, "This method is not served here."), "Allow", strings.Join(class.Methods, ", ")}
	}
	return nil
}

// checkOrigin refuses what a stranger's page sends. A program sends neither
// Origin nor Sec-Fetch-Site, and passes.
func (g *Gate) checkOrigin(r *http.Request, class *Class) error {
	// CrossOriginProtection lets every GET pass. Here a GET may begin a stream or
	// hold private text, and only a link to a page is a reason to come from elsewhere.
	probe := *r
	probe.Method = http.MethodPost
	if g.cross.Check(&probe) == nil || class.Page && isLink(r) {
		return nil
	}
	return fault.New(CrossSite, "This came from a page of another site.")
}

// isLink says whether a person followed a link, so that the answer takes the
// place of the other site's page.
func isLink(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// checkBody looks at what the head says about the body.
func (g *Gate) checkBody(r *http.Request, class *Class) error {
	if !carries(r.Method) {
		if r.ContentLength != 0 {
			return fault.New(BadRequest, "A request with %s has no body.", r.Method)
		}
		return nil
	}
	if _, err := class.media(r); err != nil {
		return err
	}
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); {
	case encoding == "" || encoding == "identity", encoding == "gzip" && g.o.Gzip:
	default:
		return &headed{fault.New(WrongMedia, "A body with the encoding %s is not read here.", clip(encoding)), "Accept-Encoding", g.encodings()}
	}
	if r.ContentLength > class.Bytes {
		return tooLarge(class.Bytes)
	}
	return nil
}

func (g *Gate) encodings() string {
	if g.o.Gzip {
		return "gzip, identity"
	}
	return "identity"
}

// media returns the type of a body, which has to be one of the class.
func (c *Class) media(r *http.Request) (string, error) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || !slices.Contains(c.Media, media) || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return "", fault.New(WrongMedia, "The body has to be %s, in UTF-8, and Content-Type has to say so.", strings.Join(c.Media, " or "))
	}
	return media, nil
}

func tooLarge(most int64) error {
	return fault.New(TooLarge, "The body is longer than %d bytes.", most)
}

// clip shortens what a sender wrote before it is shown or logged.
func clip(text string) string {
	if len(text) > 64 {
		text = text[:64]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
