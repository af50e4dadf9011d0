package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

var shop = []string{"shop", "-data", filepath.Join("testdata", "shop"), "-classes", filepath.Join("testdata", "shop", "classes.json")}

// proves: S1, S2, S3, C1, C2, D4, P2, P7: recordings run in each mode as they
// were recorded, also where a message has several calls, an id comes again, and
// the recording ends with a result.
func TestRecordings(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), shop, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	want := `tau shop: 3 conversations, 10 calls, 2 conversations use a call id again; 5 tools
  auto                               3 conversations    10 calls     3 asked    10 ran; ok 10; mismatches 0
  ask                                3 conversations    10 calls     5 asked    10 ran; ok 10; mismatches 0
  read_only                          3 conversations    10 calls     0 asked     5 ran; not_allowed 5 ok 5; mismatches 0
tau shop: 0 mutants; 0 mismatches; TIME
`
	if got := regexp.MustCompile(`[0-9.]+ s\n`).ReplaceAllString(out.String(), "TIME\n"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// proves: A1, A2, A3, A5, A6, A7, C6, D1, D3, P5, P6, P8, P9, P10, P11, P12, S6: harder
// conversations, of every kind, come out as the oracle says.
func TestMutants(t *testing.T) {
	var out bytes.Buffer
	args := append(append([]string{}, shop...), "-mutate", "1")
	if !testing.Short() {
		args = append(args, "-mutate", "2", "-mutate", "3")
	}
	if err := run(t.Context(), args, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, k := range kinds {
		if !strings.Contains(out.String(), "  "+k.name+" ") {
			t.Errorf("no mutant of the kind %q", k.name)
		}
	}
}

// proves: S2, S3, D4: the airline's recordings, and harder ones made of some.
func TestAirline(t *testing.T) {
	data := os.Getenv("ASSENT_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(data, "tau-airline")); err != nil {
		t.Skipf("the airline's recordings are not here (set ASSENT_DATA): %v", err)
	}
	for _, args := range [][]string{{"airline", "-data", data}, {"airline", "-data", data, "-limit", "5", "-mutate", "7"}} {
		if testing.Short() {
			args = append(args, "-limit", "5")
		}
		var out bytes.Buffer
		if err := run(t.Context(), args, &out); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out.String())
		}
	}
}

// A judge that finds nothing is worth nothing: each of these is a small lie
// about what must happen, and has to be found.
func TestWhatDiffersIsFound(t *testing.T) {
	s, err := load(&options{set: "shop", data: shop[2], classes: shop[4]})
	if err != nil {
		t.Fatal(err)
	}
	scenario := s.replays()[4] // the second conversation, mode ask
	for _, c := range []struct {
		name string
		lie  func(e *expectation)
	}{
		{"another outcome", func(e *expectation) { e.fates[0].outcome = turn.Denied }},
		{"another category", func(e *expectation) { e.fates[0].outcome, e.fates[0].category = turn.NotAllowed, policy.ByMode }},
		{"a call that ran and must not", func(e *expectation) { e.fates[1].ran = false }},
		{"other arguments", func(e *expectation) { e.fates[1].args = `{"order":"o1"}` }},
		{"a question too many", func(e *expectation) { e.fates[2].asked = nil }},
		{"a question with other arguments", func(e *expectation) { e.fates[0].asked[0] = `{"order":"o1","refund":20.0}` }},
		{"another end", func(e *expectation) { e.turns[0].end = turn.Stopped }},
		{"another text", func(e *expectation) { e.exchanges[1].want[2].text = exactly("Cancelled") }},
		{"another order", func(e *expectation) { w := e.exchanges[2].want; w[3], w[4] = w[4], w[3] }},
		{"another call", func(e *expectation) {
			e.exchanges[1].want[1].calls = []model.Call{{ID: "x", Name: "cancel_order", Args: "{}"}}
		}},
		{"another id", func(e *expectation) {
			c := e.exchanges[1].want[1].calls[0]
			c.ID = "z"
			e.exchanges[1].want[1].calls = []model.Call{c}
		}},
		{"a request that does not come", func(e *expectation) { e.exchanges = append(e.exchanges, e.exchanges[0]) }},
		{"a request too many", func(e *expectation) { e.exchanges = e.exchanges[:2] }},
		{"a call that was never made", func(e *expectation) { e.fates = append(e.fates, e.fates[0]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			honest := s.expect(scenario)
			c.lie(honest)
			out, err := s.play(t.Context(), http.DefaultClient, scenario, honest)
			if err != nil || len(out.wrong) == 0 {
				t.Errorf("nothing was found, error %v", err)
			}
		})
	}
}

// A mismatch is an error of the command, and names where to look.
func TestMismatchIsAnError(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "conversations.jsonl")
	// The call does not fit its schema, so it cannot have given this result.
	line := `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"find_item","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"lamp"},{"role":"assistant","content":"A lamp."}]}`
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run(t.Context(), append(append([]string{}, shop...), "-conversations", file), &out)
	if err == nil || !strings.Contains(out.String(), "MISMATCH conversation 1, replay, mode ask: ") {
		t.Errorf("error %v\n%s", err, out.String())
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"no set", "", "name the set"},
		{"a flag before the set", "-mutate 1", "name the set"},
		{"a word too many", "shop now", `what is "now"`},
		{"a seed that is no number", "shop -mutate x", "invalid"},
		{"no data", "shop -data testdata/nowhere", "tools.json"},
		{"a kind that does not exist", "shop -data testdata/shop -mutate 1 -kinds no", "nothing can be made"},
		{"classes that do not exist", "shop -data testdata/shop -classes testdata/none.json", "none.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := run(t.Context(), strings.Fields(c.args), new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestBrokenRecordings(t *testing.T) {
	for _, c := range []struct{ name, messages, want string }{
		{"a result of no call", `[{"role":"tool","tool_call_id":"a","content":""}]`, "message 0 is the result of no call"},
		{"a call without a result", `[{"role":"user","content":""},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]},{"role":"user","content":""}]`, "before the result of call a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "c.jsonl")
			if err := os.WriteFile(file, []byte(`{"messages":`+c.messages+`}`), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := readConversations(file, 0); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
