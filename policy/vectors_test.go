package policy_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/policy"
)

var update = flag.Bool("update", false, "write conformance/decisions.json anew from the reference")

const vectorFile = "../conformance/decisions.json"

// vectors is conformance/decisions.json: what any implementation must answer.
type vectors struct {
	About    []string                   `json:"about"`
	Table    []cell                     `json:"table"`
	Policies map[string]json.RawMessage `json:"policies"`
	Cases    []vector                   `json:"cases"`
}

type cell struct {
	Mode    policy.Mode    `json:"mode"`
	Class   policy.Class   `json:"class"`
	Verdict policy.Verdict `json:"verdict"`
}

type vector struct {
	Name   string  `json:"name"`
	Policy string  `json:"policy,omitempty"` // "" is a policy that could not be read
	Facts  factsIn `json:"facts"`
	Want   wanted  `json:"want"`
}

type factsIn struct {
	Tool         toolIn          `json:"tool"`
	Agent        string          `json:"agent,omitempty"`
	Groups       []string        `json:"groups,omitempty"`
	Mode         policy.Mode     `json:"mode"`
	Tainted      bool            `json:"tainted,omitempty"`
	Args         json.RawMessage `json:"args,omitempty"`
	Digest       string          `json:"digest,omitempty"`
	Raised       policy.Class    `json:"raised,omitzero"`
	Confirm      bool            `json:"confirm,omitempty"`
	DeniedBefore bool            `json:"denied_before,omitempty"`
	Grants       []policy.Grant  `json:"grants,omitempty"`
	Now          time.Time       `json:"now"`
	Unreadable   bool            `json:"unreadable,omitempty"`
}

type toolIn struct {
	Kind   policy.SourceKind `json:"kind"`
	Source string            `json:"source,omitempty"`
	Name   string            `json:"name"`
	Pin    string            `json:"pin,omitempty"`
	Class  policy.Class      `json:"class,omitzero"`
	Hold   policy.Hold       `json:"hold,omitempty"`
}

type wanted struct {
	Verdict  policy.Verdict  `json:"verdict"`
	Category policy.Category `json:"category,omitempty"`
	Basis    policy.Basis    `json:"basis"`
	Class    policy.Class    `json:"class"`
	Mode     policy.Mode     `json:"mode"`
	Limit    string          `json:"limit,omitempty"`
	Hold     policy.Hold     `json:"hold,omitempty"`
	Rule     string          `json:"rule,omitempty"`
	Grant    string          `json:"grant,omitempty"`
	Wait     int             `json:"wait_seconds,omitempty"`
	Offered  bool            `json:"offered"`
}

func wantedOf(d policy.Decision, offered bool) wanted {
	return wanted{
		d.Verdict, d.Category, d.Basis, d.Class, d.Mode, d.Limit, d.Hold,
		d.Rule, d.Grant, int(d.Wait / time.Second), offered,
	}
}

// in writes facts as a vector has them; out reads them back.
func in(f *policy.Facts) factsIn {
	return factsIn{
		toolIn(f.Tool), f.Agent, f.Groups, f.Mode, f.Tainted, f.Args, f.Digest,
		f.Raised, f.Confirm, f.DeniedBefore, f.Grants, f.Now, f.Unreadable,
	}
}

func (v *factsIn) out(t *testing.T) *policy.Facts {
	f := &policy.Facts{
		Tool: policy.Tool(v.Tool), Agent: v.Agent, Groups: v.Groups, Mode: v.Mode,
		Tainted: v.Tainted, Args: v.Args, Digest: v.Digest, Raised: v.Raised, Confirm: v.Confirm,
		DeniedBefore: v.DeniedBefore, Grants: v.Grants, Now: v.Now, Unreadable: v.Unreadable,
	}
	for i := range f.Grants {
		if g := &f.Grants[i]; g.Pattern != nil {
			c, err := compileCondition(g.Pattern, nil)
			if err != nil {
				t.Fatal(err)
			}
			g.When = c
		}
	}
	return f
}

// TestVectors runs conformance/decisions.json, which other languages run too.
//
// proves: C1 C2 C3 C5 C8 D1 D2 D3 D4 D5 D5b D6 D7 D8 P3 P10
func TestVectors(t *testing.T) {
	made := encodeVectors(t, makeVectors())
	if *update {
		if err := os.WriteFile(vectorFile, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, made) {
		t.Errorf("%s is not what the reference gives: run go test ./policy -run TestVectors -update, and read the difference as a change of policy", vectorFile)
	}
	var v vectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Table) != 16 || len(v.Cases) < 500 {
		t.Fatalf("%d cells and %d cases, want 16 and at least 500", len(v.Table), len(v.Cases))
	}
	for _, c := range v.Table {
		if got := policy.Decide(c.Mode, c.Class); got != c.Verdict {
			t.Errorf("C1 mode %s, class %s: %s, want %s", c.Mode, c.Class, got, c.Verdict)
		}
	}
	policies := make(map[string]*policy.Policy)
	for name, text := range v.Policies {
		doc, _, err := policy.Parse(text, &policy.Options{Condition: compileCondition})
		if err != nil {
			t.Fatalf("policy %s: %v", name, err)
		}
		policies[name] = compiled(t, doc)
	}
	for _, c := range v.Cases {
		t.Run(c.Name, func(t *testing.T) { c.run(t, policies[c.Policy]) })
	}
}

func (v *vector) run(t *testing.T, p *policy.Policy) {
	f := v.Facts.out(t)
	_, offered := p.Offer(f)
	if got := wantedOf(p.Decide(f), offered); got != v.Want {
		t.Errorf("Decide\n got %+v\nwant %+v", got, v.Want)
	}
	explained, _ := p.Explain(f)
	if got := wantedOf(explained, offered); got != v.Want {
		t.Errorf("Explain\n got %+v\nwant %+v", got, v.Want)
	}
}

// encodeVectors writes a policy and a case to a line, so that a difference shows what changed.
func encodeVectors(t *testing.T, v *vectors) []byte {
	var b strings.Builder
	line := func(x any) string {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(x); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String())
	}
	list := func(name string, n int, open, close string, item func(i int) string) {
		b.WriteString("  " + line(name) + ": " + open + "\n")
		for i := range n {
			comma := ","
			if i == n-1 {
				comma = ""
			}
			b.WriteString("    " + item(i) + comma + "\n")
		}
		b.WriteString("  " + close)
	}
	b.WriteString("{\n")
	list("about", len(v.About), "[", "],\n", func(i int) string { return line(v.About[i]) })
	list("table", len(v.Table), "[", "],\n", func(i int) string { return line(v.Table[i]) })
	names := sortedKeys(v.Policies)
	list("policies", len(names), "{", "},\n", func(i int) string { return line(names[i]) + ": " + line(v.Policies[names[i]]) })
	list("cases", len(v.Cases), "[", "]\n", func(i int) string { return line(v.Cases[i]) })
	b.WriteString("}\n")
	return []byte(b.String())
}
