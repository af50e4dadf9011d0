package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assentdev/assent/policy"
)

// maxName is the longest name of a code tool and the longest wire name (SPEC T6).
const maxName = 64

var (
	validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	// A part of a plain wire name has single separators and none at its ends, so
	// that the two underscores between the parts are the only ones.
	plainPart  = regexp.MustCompile(`^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$`)
	otherRunes = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// ValidName reports whether name is allowed for a tool that is defined in code:
// 1 to 64 of the letters A to Z and a to z, digits, underscore and hyphen.
func ValidName(name string) bool { return validName.MatchString(name) }

// Identity is what policy, grants and pins know a tool by. It is comparable.
type Identity struct {
	Kind   policy.SourceKind
	Source string // the source's name; "" for the application itself
	Name   string // the raw name
}

// String returns kind, source and raw name for logs: "server github create_issue".
func (id Identity) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s", id.Kind, id.Source)) + " " + id.Name
}

// Identity returns the tool's identity. A tool without a kind of source is the
// application's own.
func (t *Tool) Identity() Identity {
	kind := t.Source.Kind
	if kind == "" {
		kind = policy.Host
	}
	return Identity{Kind: kind, Source: t.Source.Name, Name: t.Name}
}

// WireNames gives foreign tools the names that a model calls them by. taken are
// names in use already, those of the host tools.
//
// A wire name is the name of the source, two underscores and the raw name:
// "github__create_issue". It depends on the tool alone, not on the other tools
// nor on the order of connection, with two exceptions. A name that is not plain
// (other characters, doubled or outer separators, more than 64 characters) gets
// its plain remains and ten hexadecimal digits of a hash of the identity. And
// names that differ at most by case or separators ("read-file" and "Read_File",
// or a foreign name and one that is taken) would be mixed up by people, models
// and providers: then all the foreign ones among them get such a hash, whichever
// came first. Since the source is part of the name, that happens only within a
// source, between sources whose names are such twins, and against the
// application's own names.
//
// Should even those collide, the name is "tool_" and 40 digits. A tool for which
// that is taken too has no entry in the result; it cannot be offered.
func WireNames(foreign []Identity, taken []string) map[Identity]string {
	reserved := map[string]bool{}
	for _, name := range taken {
		reserved[fold(name)] = true
	}
	level := map[Identity]int{}
	for _, id := range foreign {
		level[id] = 0
		if !id.plain() {
			level[id] = 1
		}
	}
	for raiseTwins(level, reserved) {
	}
	names := make(map[Identity]string, len(level))
	for id, l := range level {
		if l <= lastLevel {
			names[id] = id.wire(l)
		}
	}
	return names
}

// lastLevel is the last form that a wire name can take; see Identity.wire.
const lastLevel = 2

// raiseTwins gives the next form to all tools whose present names are twins of
// each other or of a reserved name, and reports whether there were any. It
// depends on the set of tools only.
func raiseTwins(level map[Identity]int, reserved map[string]bool) bool {
	groups := map[string][]Identity{}
	for id, l := range level {
		if l <= lastLevel {
			key := fold(id.wire(l))
			groups[key] = append(groups[key], id)
		}
	}
	raised := false
	for key, ids := range groups {
		if len(ids) == 1 && !reserved[key] {
			continue
		}
		raised = true
		for _, id := range ids {
			level[id]++
		}
	}
	return raised
}

// fold returns what twins have in common.
func fold(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

func (id Identity) plain() bool {
	return plainPart.MatchString(id.Source) && plainPart.MatchString(id.Name) &&
		id.Source[0] > '9' && len(id.Source)+2+len(id.Name) <= maxName
}

// wire returns the name's form of a level: plain, with a hash, only a hash.
func (id Identity) wire(level int) string {
	switch level {
	case 0:
		return id.Source + "__" + id.Name
	case 1:
		remains := plainRemains(id.Source) + "__" + plainRemains(id.Name)
		hash := "_" + id.hash()[:10]
		return remains[:min(len(remains), maxName-len(hash))] + hash
	default:
		return "tool_" + id.hash()[:40]
	}
}

// plainRemains keeps the letters and digits of a name, "x" where there are none.
func plainRemains(name string) string {
	if s := strings.Trim(otherRunes.ReplaceAllString(name, "_"), "_"); s != "" {
		return s
	}
	return "x"
}

// hash is of the identity's parts with their lengths, so that no two identities
// have one text.
func (id Identity) hash() string {
	h := sha256.New()
	for _, part := range []string{string(id.Kind), id.Source, id.Name} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// twins returns the groups of names that differ only by case or separators, each
// sorted, in a stable order.
func twins(names []string) [][]string {
	groups := map[string][]string{}
	for _, name := range names {
		groups[fold(name)] = append(groups[fold(name)], name)
	}
	var found [][]string
	for _, group := range groups {
		slices.Sort(group)
		if group = slices.Compact(group); len(group) > 1 {
			found = append(found, group)
		}
	}
	slices.SortFunc(found, slices.Compare)
	return found
}
