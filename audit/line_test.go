package audit_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"pgregory.net/rapid"
)

func goldenLines(t testing.TB) [][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/story.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// proves: V6 (every record has one line, and the line gives the record back)
func TestLineRoundTrip(t *testing.T) {
	for i, want := range story(t) {
		line := want.AppendLine(nil, []byte(`{"x":1}`))
		if bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("record %d has %d lines", i, bytes.Count(line, []byte("\n")))
		}
		got, frame, err := audit.ParseLine(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if string(frame) != `{"x":1}` || !reflect.DeepEqual(got, want) {
			t.Errorf("read back %+v with frame %s, want %+v", got, frame, want)
		}
		if err := got.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestParseLineIsStrict(t *testing.T) {
	l := goldenLines(t)
	json, base64, erased := string(l[0]), string(l[2]), string(l[4])
	for name, c := range map[string]struct{ line, old, new string }{
		"nothing":                          {json, json, ""},
		"another object":                   {json, json, `{"a":1}`},
		"a space":                          {json, `,"seq"`, `, "seq"`},
		"another order":                    {json, `"tenant":"acme","stream":"session/s1"`, `"stream":"session/s1","tenant":"acme"`},
		"a member more":                    {json, `,"seq"`, `,"x":1,"seq"`},
		"a member more at the end":         {json, `"}}`, `"},"x":1}`},
		"a repeated member":                {json, `"seq":1`, `"seq":1,"seq":1`},
		"an escaped name":                  {json, "acme", `ac\u006de`},
		"an empty name":                    {json, "acme", ""},
		"record 0":                         {json, `"seq":1`, `"seq":0`},
		"a negative seq":                   {json, `"seq":1`, `"seq":-1`},
		"a leading zero":                   {json, `"seq":1`, `"seq":01`},
		"a fraction":                       {json, `"seq":1`, `"seq":1.0`},
		"a seq beyond bounds":              {json, `"seq":1`, `"seq":9223372036854775808`},
		"a version beyond bounds":          {json, `"version":1`, `"version":65536`},
		"a time beyond bounds":             {json, `"time":1780000000000`, `"time":253402300800000`},
		"a header that is no object":       {json, `"header":{"turn":"t1"}`, `"header":[]`},
		"a header that is not JSON":        {json, `{"turn":"t1"}`, `{turn:"t1"}`},
		"a header without end":             {json, `{"turn":"t1"}`, `{"turn":"t1"`},
		"capitals in a hash":               {json, `"prev":"`, `"prev":"F`},
		"a short hash":                     {json, `"hash":"`, `"hash":"","x":"`},
		"no salt":                          {json, `"salt"`, `"malt"`},
		"a payload that is not JSON":       {json, `{"text":`, `{text:`},
		"a payload with spaces around it":  {json, `"payload":`, `"payload": `},
		"no payload":                       {json, `"payload":`, `"`},
		"two lines":                        {json, `{"text":`, "{\n\"text\":"},
		"invalid UTF-8":                    {json, "é", "\xff"},
		"more behind":                      {json, `"}}`, `"}}x`},
		"base64 of JSON on one line":       {base64, base64[strings.Index(base64, `"bytes"`):], `"bytes":"e30="}`},
		"more behind base64":               {base64, `"}`, `"}}`},
		"more behind an erased record":     {erased, `"erased"}`, `"erased"}}`},
		"base64 that another encoder made": {base64, `=="`, `"`},
		"base64 with unused bits":          {base64, `cw=="`, `cx=="`},
		"base64 with a line break":         {base64, `=="`, "==\r\""},
		"an unknown state":                 {erased, `"erased"`, `"whole"`},
		"an erased payload":                {erased, `"erased"`, `"erased","payload":1`},
		"a masked record without payload":  {erased, `"erased"`, `"masked"`},
		"a frame that is no object":        {json, `{"tenant"`, `{"frame":1,"tenant"`},
		"a frame that is not JSON":         {json, `{"tenant"`, `{"frame":{x},"tenant"`},
		"a nested frame":                   {json, `{"tenant"`, `{"frame":{"a":{}},"tenant"`},
	} {
		at := strings.LastIndex(c.line, c.old)
		changed := c.line[:at] + c.new + c.line[at+len(c.old):]
		if changed == c.line {
			t.Errorf("%s: nothing to replace", name)
		}
		if _, _, err := audit.ParseLine([]byte(changed)); fault.CodeOf(err) != fault.BadJournal {
			t.Errorf("%s: error %v for %s", name, err, changed)
		}
	}
}

// proves: V6 (a line that is accepted is the one that the record has)
func FuzzParseLine(f *testing.F) {
	for _, line := range goldenLines(f) {
		f.Add(line)
		f.Add(append([]byte(`{"frame":{"more":1},`), line[1:]...))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, frame, err := audit.ParseLine(line)
		if err != nil {
			if fault.CodeOf(err) != fault.BadJournal {
				t.Fatalf("code %q", fault.CodeOf(err))
			}
			return
		}
		if again := r.AppendLine(nil, frame); string(again) != string(line)+"\n" {
			t.Fatalf("written again it is\n%s, was\n%s", again, line)
		}
	})
}

// proves: V6 (any payload and any header come back byte for byte)
func TestAnyPayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload := rapid.OneOf(
			rapid.SliceOf(rapid.Byte()),
			rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
			rapid.SampledFrom([][]byte{[]byte(`{"a":"}"}`), []byte("1 "), []byte("[\n]"), []byte(`"` + "\u2028" + `"`), []byte(`"}`)}),
		).Draw(t, "payload")
		d := draft("noted", `{"k":"\"}"}`, string(payload))
		r, err := audit.Genesis("acme", "s").Seal(d, audit.NewSalt())
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := audit.ParseLine(bytes.TrimSuffix(r.AppendLine(nil, nil), []byte("\n")))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Payload, payload) || string(got.Header) != `{"k":"\"}"}` || got.Check() != nil {
			t.Fatalf("payload %q came back as %q", payload, got.Payload)
		}
	})
}
