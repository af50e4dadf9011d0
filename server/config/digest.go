package config

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
)

var digestLimits = &schema.Limits{Bytes: 64 << 20, Levels: 256, Keys: 1 << 22}

// digest returns the digest of a value's canonical JSON.
func digest(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	canonical, err := schema.Canonical(b.Bytes(), digestLimits)
	if err != nil {
		return "", err
	}
	return schema.Digest(canonical), nil
}

// govern gives the agent a policy and its version, and then its own.
func (a *Agent) govern(d *policy.Document) error {
	order(d)
	raw, err := policy.Marshal(d)
	if err != nil {
		return err
	}
	if d.Version, err = digest(json.RawMessage(raw)); err != nil {
		return err
	}
	p, err := policy.Compile(d)
	if err != nil {
		return err
	}
	a.Document, a.policy = d, p
	a.Version, err = digest(map[string]any{
		"slug": a.Slug, "name": a.Name, "model": a.Provider + "/" + a.Model, "instructions": a.Instructions,
		"mode": a.Mode, "local_mcp": a.LocalMCP, "wait": a.Wait, "turn": a.Turn, "policy": d.Version,
	})
	return err
}

// order sorts what is a set, so that the order of a file means nothing.
func order(d *policy.Document) {
	slices.SortFunc(d.Rules, func(a, b policy.Rule) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(d.Limits, func(a, b policy.Limit) int { return strings.Compare(a.ID, b.ID) })
	for i := range d.Rules {
		r := &d.Rules[i]
		r.Tools, r.Except, r.Agents, r.Groups, r.Pins = set(r.Tools), set(r.Except), set(r.Agents), set(r.Groups), set(r.Pins)
		r.Classes, r.Modes = set(r.Classes), set(r.Modes)
	}
	for i := range d.Limits {
		d.Limits[i].Agents, d.Limits[i].Groups = set(d.Limits[i].Agents), set(d.Limits[i].Groups)
	}
	if d.Contract != nil {
		slices.SortFunc(d.Contract.Entries, func(a, b policy.Entry) int { return strings.Compare(a.Tool, b.Tool) })
		for i := range d.Contract.Entries {
			d.Contract.Entries[i].Pins = set(d.Contract.Entries[i].Pins)
		}
	}
}

// digest returns the version of the whole. Tenants, agents and providers are
// sorted by then.
func (c *Config) digest() string {
	tenants := map[string]map[string]string{}
	for _, t := range c.Tenants {
		tenants[t.Name] = map[string]string{}
		for _, a := range t.Agents {
			tenants[t.Name][a.Slug] = a.Version
		}
	}
	version, _ := digest(map[string]any{"server": c.Server, "providers": c.Providers, "tenants": tenants}) // texts and numbers: cannot fail
	return version
}
