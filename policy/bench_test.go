package policy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/assentdev/assent/policy"
)

var sizes = []int{10, 1000, 10000}

// load makes a policy of n rules over n/4 servers of 20 tools, a contract of
// 200 of these tools, and 64 calls. Rules: three in five name one tool, one in
// three a server, the rest have a star inside; three in ten ask for a group, two
// for an agent. About as many rules meet a call whatever n is.
func load(n int) (*policy.Document, []policy.Facts) {
	r := rand.New(rand.NewPCG(7, 7))
	servers := max(50, n/4)
	name := func() string {
		verb := []string{"list", "get", "read", "create", "update", "delete", "send"}[r.IntN(7)]
		noun := []string{"issue", "file", "order"}[r.IntN(3)]
		return fmt.Sprintf("mcp.server%04d.%s_%s", r.IntN(servers), verb, noun)
	}
	doc := &policy.Document{Version: "1", Contract: &policy.Contract{}}
	listed := make(map[string]bool)
	for len(listed) < 200 {
		if t := name(); !listed[t] {
			listed[t] = true
			doc.Contract.Entries = append(doc.Contract.Entries, policy.Entry{Tool: t, Class: policy.Class(1 + r.IntN(4))})
		}
	}
	for i := range n {
		doc.Rules = append(doc.Rules, loadRule(r, fmt.Sprintf("%05d", i), servers, name))
	}
	calls := make([]policy.Facts, 64)
	for i := range calls {
		f := &calls[i]
		f.Tool = policy.Tool{Kind: policy.Host, Name: doc.Contract.Entries[r.IntN(200)].Tool, Pin: "pin", Class: policy.Read}
		f.Mode, f.Agent = policy.Mode(2+r.IntN(2)), fmt.Sprintf("agent%02d", r.IntN(20))
		f.Args = []byte(`{}`)
		for range 4 {
			f.Groups = append(f.Groups, fmt.Sprintf("group%02d", r.IntN(40)))
		}
	}
	return doc, calls
}

func loadRule(r *rand.Rand, id string, servers int, name func() string) policy.Rule {
	u := policy.Rule{ID: id, Effect: policy.EffectAsk}
	if r.IntN(100) < 4 {
		u.Effect = policy.EffectDeny
	}
	switch k := r.IntN(100); {
	case k < 60:
		u.Tools = []string{name()}
		if r.IntN(2) == 0 {
			u.Effect, u.Source, u.Pins = policy.EffectAllow, policy.Source{Kind: policy.Host}, []string{"pin"}
			u.Classes = []policy.Class{policy.Write}
		}
	case k < 95:
		u.Tools = []string{fmt.Sprintf("mcp.server%04d.*", r.IntN(servers))}
	default:
		u.Tools = []string{fmt.Sprintf("mcp.server%02d*.get_*", r.IntN(servers)%100)}
	}
	if r.IntN(100) < 30 {
		u.Groups = []string{fmt.Sprintf("group%02d", r.IntN(40))}
	}
	if r.IntN(100) < 20 {
		u.Agents = []string{fmt.Sprintf("agent%02d", r.IntN(20))}
	}
	if u.Classes == nil && r.IntN(100) < 20 {
		u.Classes = []policy.Class{policy.Destructive}
	}
	return u
}

// TestCostDoesNotGrowWithRules counts instead of measuring time: no memory, and
// no more rules looked at than meet the tool's name.
//
// proves: D1 D2
func TestCostDoesNotGrowWithRules(t *testing.T) {
	for _, n := range sizes {
		doc, calls := load(n)
		p := compiled(t, doc)
		examined := 0
		for i := range calls {
			got := p.Decide(&calls[i])
			if i%16 == 0 && n <= 1000 { // the reference takes milliseconds
				if want := oracle(doc, &calls[i]); bare(got) != want {
					t.Fatalf("%d rules: %+v, want %+v", n, got, want)
				}
			}
			examined += got.Examined
			if a := testing.AllocsPerRun(10, func() { p.Decide(&calls[i]) }); a != 0 {
				t.Fatalf("%d rules: %v allocations", n, a)
			}
			if a := testing.AllocsPerRun(10, func() { p.Offer(&calls[i]) }); a != 0 {
				t.Fatalf("%d rules: %v allocations of an offer", n, a)
			}
		}
		if mean := float64(examined) / float64(len(calls)); mean > 12 {
			t.Errorf("%d rules: %.1f looked at for each call", n, mean)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range sizes {
		doc, calls := load(n)
		p := compiled(b, doc)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			examined, i := 0, 0
			for b.Loop() {
				d := p.Decide(&calls[i&63])
				examined += d.Examined
				i++
			}
			b.ReportMetric(float64(examined)/float64(i), "rules/op")
		})
	}
}

func BenchmarkOffer(b *testing.B) {
	doc, calls := load(1000)
	p := compiled(b, doc)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Offer(&calls[i&63])
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range sizes {
		doc, _ := load(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			before := heap()
			p := compiled(b, doc)
			kept := heap() - before
			runtime.KeepAlive(p)
			for b.Loop() {
				compiled(b, doc)
			}
			b.ReportMetric(float64(kept)/1e6, "MB-kept")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range sizes {
		doc, _ := load(n)
		text, err := policy.Marshal(doc)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := policy.Parse(text, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUnmarshal is what encoding/json takes to read the same text loosely.
func BenchmarkUnmarshal(b *testing.B) {
	doc, _ := load(10000)
	text, err := policy.Marshal(doc)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
