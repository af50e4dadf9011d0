package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// config makes what the tree describes. What is noted on the way refuses it.
func (b *builder) config(root *node) *Config {
	c := &Config{Server: b.server(root.member("server")), Providers: b.providers(root)}
	tenants := root.elements("tenants")
	b.unique([][]*node{tenants}, "name", "the tenant")
	switch {
	case root.member("tenants") == nil && root.member("agents") == nil && root.kind == object && !root.odd:
		b.at(root, "there are no agents: write agents, or tenants with agents")
	case root.member("tenants") == nil:
		c.Tenants = []Tenant{b.tenant(LocalTenant, root)}
	default:
		for _, own := range []string{"agents", "rules", "limits"} {
			if n := root.member(own); n != nil {
				b.at(n, "%s stand within their tenant where there are tenants: move them", own)
			}
		}
		for _, n := range tenants {
			c.Tenants = append(c.Tenants, b.tenant(decode[wireTenant](n).Name, n))
		}
	}
	slices.SortFunc(c.Tenants, func(a, b Tenant) int { return strings.Compare(a.Name, b.Name) })
	c.Version = c.digest()
	return c
}

func (b *builder) server(n *node) Server {
	w := decode[wireServer](n)
	for _, h := range n.elements("hosts") {
		if !h.refused && !hostname(h.text) {
			b.at(h, "expected a host such as assent.example or assent.example:8080")
		}
	}
	for _, o := range n.elements("origins") {
		if !o.refused && !origin(o.text) {
			b.at(o, "expected an origin such as https://shop.example: a scheme, a host, and nothing behind")
		}
	}
	if l := n.member("listen"); l != nil && !l.refused && !hostPort(l.text) {
		b.at(l, "expected an address such as 127.0.0.1:4780 or :4780")
	}
	return Server{
		Listen: cmp.Or(w.Listen, "127.0.0.1:4780"), Hosts: set(w.Hosts), Origins: set(w.Origins),
		RequestBytes:      cmp.Or(w.RequestBytes, 1<<20),
		RequestsPerMinute: cmp.Or(w.RequestsPerMinute, 600),
		OpenSessions:      cmp.Or(w.OpenSessions, 10_000),
		OpenApprovals:     cmp.Or(w.OpenApprovals, 10_000),
	}
}

func hostPort(s string) bool {
	host, port, err := net.SplitHostPort(s)
	n, bad := strconv.Atoi(port)
	return err == nil && bad == nil && n >= 0 && n < 1<<16 && !strings.ContainsAny(host, "/ @")
}

func hostname(s string) bool {
	u, err := url.Parse("http://" + s)
	return err == nil && u.Host == s && u.Hostname() != "" && !strings.Contains(s, "*")
}

func origin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && s == u.Scheme+"://"+u.Host && hostname(u.Host)
}

// set returns a list in order, each once.
func set[T cmp.Ordered](list []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

func (b *builder) providers(root *node) []Provider {
	b.origin, b.known = root.member("providers"), map[string]Provider{}
	nodes := root.elements("providers")
	b.unique([][]*node{nodes}, "name", "the provider")
	var list []Provider
	for _, n := range nodes {
		p := b.provider(n)
		b.known[p.Name] = p
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Provider) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (b *builder) provider(n *node) Provider {
	w := decode[wireProvider](n)
	p := Provider{Name: w.Name, Kind: Kind(w.Kind), BaseURL: w.BaseURL, KeyEnv: w.KeyEnv, KeyFile: w.KeyFile, Retries: 2, file: b.file}
	p.Timeout = time.Duration(cmp.Or(w.TimeoutSeconds, 600)) * time.Second
	if w.Retries != nil {
		p.Retries = *w.Retries
	}
	foreign := []string{"script_file"}
	if p.Kind == Scripted {
		foreign = []string{"base_url", "key_env", "key_file", "timeout_seconds", "retries"}
	}
	for _, field := range foreign {
		if f := n.member(field); f != nil && p.Kind != "" {
			b.at(f, "a provider of kind %s has no %s: remove it", p.Kind, field)
		}
	}
	if p.Kind == Scripted {
		p.Script = b.script(n.member("script_file"))
		return p
	}
	b.address(n.member("base_url"), w.KeyEnv != "" || w.KeyFile != "")
	b.keys(n, p)
	return p
}

// address never shows the text: people write keys into addresses.
func (b *builder) address(n *node, key bool) {
	if n == nil || n.refused {
		return
	}
	u, err := url.Parse(n.text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		b.at(n, "expected an http or https address such as https://api.openai.com/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		b.at(n, "the address must have no user, query or fragment: give the key with key_env or key_file")
	case key && u.Scheme == "http" && !loopback(u.Hostname()):
		b.warnings.at(n, "the key goes over the network in the clear: use https")
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (b *builder) keys(n *node, p Provider) {
	if p.KeyEnv != "" && p.KeyFile != "" {
		b.at(n.member("key_file"), "the key comes from key_env or from key_file, not from both: remove one")
	}
	if p.KeyEnv == "" || b.opt.LookupEnv == nil {
		return
	}
	if v, ok := b.opt.LookupEnv(p.KeyEnv); !ok || v == "" {
		b.warnings.at(n.member("key_env"), "the variable is not set: the provider cannot be used until the server is started with it")
	}
}

// providerOf notes a model whose provider is not there. Where the providers
// themselves are wrong, that is said enough.
func (b *builder) providerOf(n *node, name string) {
	if _, ok := b.known[name]; ok || n == nil || n.refused || b.origin != nil && b.origin.bad {
		return
	}
	names := []string{}
	for name := range b.known {
		names = append(names, name)
	}
	slices.Sort(names)
	hint := "add it to providers"
	if len(names) > 0 {
		hint = fmt.Sprintf("write one of %s, or add it to providers", andList(names))
	}
	b.at(n, "there is no provider %s: %s", show(name), hint)
}
