package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// The structured form of a result is kept beside its text. One that cannot be
// kept costs neither the result nor the turn, and the model hears of neither.
//
// proves: T2, A5
func TestStructuredResults(t *testing.T) {
	type raw = json.RawMessage
	text := func(n int) raw { return raw(`"` + strings.Repeat("x", n-2) + `"`) }
	const most = 1 << 20
	for _, c := range []struct {
		name        string
		given, want raw
		logged      bool
	}{
		{name: "A5 it is kept in canonical form", given: raw(` {"b": 1e2, "a": [1.50, "<&>"]}`), want: raw(`{"a":[1.50,"<&>"],"b":100}`)},
		{name: "big integers stay exact", given: raw(`[12345678901234567890]`), want: raw(`[12345678901234567890]`)},
		{name: "null is a result", given: raw(`null`), want: raw(`null`)},
		{name: "none"},
		{name: "an object with many keys", given: manyKeys(50_000), want: manyKeys(50_000)},
		{name: "as long as it may be", given: text(most), want: text(most)},
		{name: "too long", given: text(most + 1), logged: true},
		{name: "too long in canonical form only", given: raw("[" + strings.Repeat("1e300,", 4000) + "0]"), logged: true},
		{name: "empty where JSON should be", given: raw{}, logged: true},
		{name: "A5 a key twice", given: raw(`{"a":1,"a":2}`), logged: true},
		{name: "no JSON", given: raw(`order 12`), logged: true},
		{name: "no UTF-8", given: raw("\"\xff\""), logged: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) {
				o.Log = slog.New(slog.NewJSONHandler(&log, nil))
				get := f.tool("get", policy.Read)
				get.Run = func(context.Context, []byte) (tool.Result, error) {
					return tool.Result{Text: "found", Structured: c.given}, nil
				}
				o.Tools = box(t, get)
			}, says("", call("a", "get", `{"id":"A"}`)))
			finish(t, f.send(t, "go"))
			ended := f.ended(t)
			if !bytes.Equal(ended.Structured, c.want) || ended.Outcome != turn.OK || ended.Text != "found" {
				t.Errorf("%s %q with %.80s, want %.80s", ended.Outcome, ended.Text, ended.Structured, c.want)
			}
			if got := strings.Contains(log.String(), `"level":"ERROR"`); got != c.logged {
				t.Errorf("logged: %s", log.String())
			}
			want(t, "told", f.told(), []string{"a: found"})
		})
	}
}

func manyKeys(n int) json.RawMessage {
	m := map[string]int{}
	for i := range n {
		m[fmt.Sprint("k", i)] = i
	}
	b, _ := json.Marshal(m) //nolint:errchkjson // plain values
	return b
}

// A result that is an error has no structured form, whatever the tool returns
// beside the error.
//
// proves: T2
func TestAnErrorHasNoStructuredForm(t *testing.T) {
	f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) {
		get := f.tool("get", policy.Read)
		get.Run = func(context.Context, []byte) (tool.Result, error) {
			return tool.Result{Structured: json.RawMessage(`{"half":1}`)}, context.Canceled
		}
		o.Tools = box(t, get)
	}, says("", call("a", "get", `{"id":"A"}`)))
	finish(t, f.send(t, "go"))
	if ended := f.ended(t); ended.Structured != nil || ended.Outcome != turn.Failed {
		t.Errorf("%+v", ended)
	}
}

// ended is how the first call of the newest turn ended.
func (f *fixture) ended(t *testing.T) *turn.CallEnded {
	t.Helper()
	var ended *turn.CallEnded
	if err := f.e.View(f.session, func(s *turn.Session) { ended = s.Turn.Calls[0].Ended }); err != nil {
		t.Fatal(err)
	}
	return ended
}
