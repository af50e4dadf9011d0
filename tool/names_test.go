package tool_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// TestValidName. proves: T6
func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"read_page": true, "a": true, "A-9_": true, "-": true, strings.Repeat("a", 64): true,
		"": false, strings.Repeat("a", 65): false, "read page": false, "read.page": false, "lösche": false, "a\n": false, "а": false, "a/b": false,
	} {
		if got := tool.ValidName(name); got != want {
			t.Errorf("ValidName(%q) = %v", name, got)
		}
	}
}

func server(source, name string) tool.Identity {
	return tool.Identity{Kind: policy.Server, Source: source, Name: name}
}

// wireName is T6's form of a wire name.
var wireName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// twinFree fails for names that are not valid or that are the same but for case
// and separators.
func twinFree(t interface{ Errorf(string, ...any) }, names []string) {
	seen := map[string]string{}
	for _, name := range names {
		if !wireName.MatchString(name) {
			t.Errorf("%q is no wire name", name)
		}
		key := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
		if was, ok := seen[key]; ok {
			t.Errorf("%q and %q are twins", was, name)
		}
		seen[key] = name
	}
}

// TestWireNames. proves: T6
func TestWireNames(t *testing.T) {
	hashed := regexp.MustCompile(`_[0-9a-f]{10}$`)
	for _, c := range []struct {
		name  string
		ids   []tool.Identity
		taken []string
		want  []string // "…" stands for a name with a hash

	}{
		{"T6 a plain name is source and name", []tool.Identity{server("github", "create_issue")}, nil, []string{"github__create_issue"}},
		{"T6 case is kept", []tool.Identity{server("notion", "API-post-search")}, nil, []string{"notion__API-post-search"}},
		{"T6 one name in two servers", []tool.Identity{server("a", "search"), server("b", "search")}, nil, []string{"a__search", "b__search"}},
		{"T6 separator twins", []tool.Identity{server("fs", "read-file"), server("fs", "read_file")}, nil, []string{"…", "…"}},
		{"T6 case twins", []tool.Identity{server("fs", "readFile"), server("fs", "readfile"), server("fs", "other")}, nil, []string{"…", "…", "fs__other"}},
		{"T6 twin sources", []tool.Identity{server("a-b", "x"), server("a_b", "x")}, nil, []string{"…", "…"}},
		{"T6 where the source ends", []tool.Identity{server("a_b", "c"), server("a", "b_c")}, nil, []string{"…", "…"}},
		{"T6 an umlaut in two forms", []tool.Identity{server("s", "\u00c4"), server("s", "A\u0308")}, nil, []string{"…", "…"}},
		{"T6 a Cyrillic letter", []tool.Identity{server("s", "p\u0430y"), server("s", "pay")}, nil, []string{"…", "s__pay"}},
		{"T6 nothing", []tool.Identity{server("s", ""), server("", "x"), server("", "")}, nil, []string{"…", "…", "…"}},
		{"T6 names of JavaScript", []tool.Identity{server("s", "__proto__"), server("s", "constructor")}, nil, []string{"…", "s__constructor"}},
		{"T6 65 characters", []tool.Identity{server("s", strings.Repeat("a", 65)), server("s", strings.Repeat("a", 66)), server("s", strings.Repeat("a", 61))}, nil, []string{"…", "…", "s__" + strings.Repeat("a", 61)}},
		{"T6 a source that begins with a digit", []tool.Identity{server("7z", "x")}, nil, []string{"…"}},
		{"T6 two kinds of source", []tool.Identity{server("fs", "x"), {Kind: policy.LocalMCP, Source: "fs", Name: "x"}}, nil, []string{"…", "…"}},
		{"T7 a host tool has the name", []tool.Identity{server("fs", "x"), server("fs", "y")}, []string{"fs__x"}, []string{"…", "fs__y"}},
		{"T7 a host tool has a twin of the name", []tool.Identity{server("fs", "x")}, []string{"FS-X"}, []string{"…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := tool.WireNames(c.ids, c.taken)
			twinFree(t, append(slices.Collect(maps.Values(got)), c.taken...))
			for i, id := range c.ids {
				if c.want[i] == "…" && !hashed.MatchString(got[id]) || c.want[i] != "…" && got[id] != c.want[i] {
					t.Errorf("%q: got %q, want %q", id, got[id], c.want[i])
				}
			}
		})
	}
}

// TestWireNameStays pins one hashed name: transcripts and providers' caches hold
// it, so it must not change between releases.
func TestWireNameStays(t *testing.T) {
	id := server("fs", "Dateien löschen!")
	if got := tool.WireNames([]tool.Identity{id}, nil)[id]; got != "fs__Dateien_l_schen_bebf99f715" {
		t.Errorf("got %q", got)
	}
}

// TestWireNameNoneIsFree: with even the last form taken, a tool is not offered
// under any name rather than under another's.
// proves: T6
func TestWireNameNoneIsFree(t *testing.T) {
	id := server("fs", "x")
	var taken []string
	for n := range 3 {
		wire := tool.WireNames([]tool.Identity{id}, taken)[id]
		if wire == "" || slices.Contains(taken, wire) {
			t.Fatalf("form %d: %q, taken are %q", n, wire, taken)
		}
		taken = append(taken, wire)
	}
	if wire, ok := tool.WireNames([]tool.Identity{id}, taken)[id]; ok {
		t.Errorf("got %q", wire)
	}
}

// TestWireNamesLaws: unique without twins, valid, and a function of the set:
// neither order nor repetition matter, and a tool without twins has the name
// that it has alone.
// proves: T6
func TestWireNamesLaws(t *testing.T) {
	part := rapid.OneOf(
		rapid.StringMatching(`[abA]{1,2}[_-]?[abB1]{0,2}`), rapid.StringMatching(`[a-b_-]{0,4}`), rapid.String(),
		rapid.SampledFrom([]string{"read_file", "readFile", "read-file", "__proto__", strings.Repeat("x", 70), "\u00c4", "A\u0308"}),
	)
	identity := rapid.Custom(func(t *rapid.T) tool.Identity {
		kind := rapid.SampledFrom([]policy.SourceKind{policy.Server, policy.LocalMCP}).Draw(t, "kind")
		return tool.Identity{Kind: kind, Source: part.Draw(t, "source"), Name: part.Draw(t, "name")}
	})
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(identity, 0, 30, rapid.ID).Draw(t, "ids")
		taken := rapid.SliceOf(rapid.StringMatching(`[ab]{1,2}__?[abB]{1,2}`)).Draw(t, "taken")
		slices.Sort(taken)
		taken = slices.CompactFunc(taken, func(a, b string) bool { return fold(a) == fold(b) })
		taken = slices.DeleteFunc(taken, func(a string) bool {
			return slices.ContainsFunc(taken, func(b string) bool { return b < a && fold(b) == fold(a) })
		})
		names := tool.WireNames(ids, taken)
		if len(names) != len(ids) {
			t.Fatalf("%d names for %d tools", len(names), len(ids))
		}
		twinFree(t, append(slices.Collect(maps.Values(names)), taken...))
		shuffled := append(slices.Clone(ids), ids...)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := tool.WireNames(shuffled, taken); !maps.Equal(names, again) {
			t.Fatalf("another order gives other names:\n%v\n%v", names, again)
		}
		for _, id := range ids {
			alone := tool.WireNames([]tool.Identity{id}, nil)[id]
			if alone != names[id] && !slices.ContainsFunc(ids, func(other tool.Identity) bool {
				return other != id && fold(tool.WireNames([]tool.Identity{other}, nil)[other]) == fold(alone)
			}) && !slices.ContainsFunc(taken, func(name string) bool { return fold(name) == fold(alone) }) {
				t.Fatalf("%v is %q alone and %q among others without a twin", id, alone, names[id])
			}
		}
	})
}

func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

func ExampleWireNames() {
	ids := []tool.Identity{
		{Kind: policy.Server, Source: "github", Name: "create_issue"},
		{Kind: policy.Server, Source: "files", Name: "read-file"},
		{Kind: policy.Server, Source: "files", Name: "read_file"},
	}
	names := tool.WireNames(ids, []string{"read_page"})
	for _, id := range ids {
		fmt.Println(names[id])
	}
	// Output:
	// github__create_issue
	// files__read_file_de18bd4e01
	// files__read_file_3646df558e
}
