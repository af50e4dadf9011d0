package audit_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

func export(t testing.TB, recs []audit.Record, opts *audit.ExportOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := audit.Export(&b, seq(recs), opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// states writes what of each exported record is there: whole, erased, withheld
// (-) or masked.
func states(t testing.TB, file []byte) string {
	t.Helper()
	var b strings.Builder
	for line, err := range audit.Lines(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Signed == nil {
			b.WriteByte("we-m"[line.Record.State])
		}
	}
	return b.String()
}

func TestExport(t *testing.T) {
	key, public := newKey(t)
	opts := &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}}
	recs := story(t)
	at := recs[0].When()
	for name, c := range map[string]struct {
		filter audit.Filter
		want   string
	}{
		"V6 everything":                 {audit.Filter{}, "wwwwewwwww"},
		"V6 one stream":                 {audit.Filter{Streams: []string{"session/s1"}}, "wwwwewww"},
		"V6 one turn":                   {audit.Filter{Turn: "t2"}, "----ew----"},
		"V6 from the time of all":       {audit.Filter{From: at}, "wwwwewwwww"},
		"V6 from later":                 {audit.Filter{From: at.Add(time.Millisecond)}, "----e-----"},
		"V6 until the time of all":      {audit.Filter{Until: at}, "----e-----"},
		"V6 a stream that is not there": {audit.Filter{Streams: []string{"session/s9"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := export(t, recs, &audit.ExportOptions{Filter: c.filter, Key: key})
			report := verifyFile(t, file, opts)
			if err := report.Err(); err != nil || report.Signed == nil {
				t.Fatalf("the export does not verify: %v\n%s", err, file)
			}
			if got := states(t, file); got != c.want {
				t.Errorf("states %s, want %s", got, c.want)
			}
			if report.Records != len(c.want) || report.Withheld != strings.Count(c.want, "-") || report.Erased != strings.Count(c.want, "e") {
				t.Errorf("counted %+v", report)
			}
			if report.Signed.Checkpoint.Whole != (c.filter.Streams == nil) {
				t.Error("the checkpoint says the wrong thing about being whole")
			}
		})
	}
	t.Run("V6 an export that was cut is found", func(t *testing.T) {
		lines := bytes.SplitAfter(export(t, recs, &audit.ExportOptions{Key: key}), []byte("\n"))
		for name, c := range map[string]struct {
			file [][]byte
			want audit.Kind
		}{
			"its checkpoint":         {lines[:len(lines)-2], audit.Unsigned},
			"the line before it":     {append(append([][]byte{}, lines[:8]...), lines[9:]...), audit.Edited},
			"half of its checkpoint": {append(append([][]byte{}, lines[:10]...), lines[10][:50]), audit.Incomplete},
			"nothing, but more":      {append(append([][]byte{}, lines...), lines[0]), audit.Malformed},
		} {
			report := verifyFile(t, bytes.Join(c.file, nil), opts)
			if report.Count == 0 || report.Problems[0].Kind != c.want {
				t.Errorf("%s: found %q, want %s", name, found(report), c.want)
			}
		}
	})
	t.Run("V6 without a key the chains still verify", func(t *testing.T) {
		file := export(t, recs, nil)
		if report := verifyFile(t, file, nil); report.Err() != nil || report.Signed != nil {
			t.Errorf("%v, signed %v", report.Err(), report.Signed)
		}
		if got := found(verifyFile(t, file, opts)); got != "unsigned 11 /0" {
			t.Errorf("with a key: found %q", got)
		}
	})
	t.Run("V6 a stream that the checkpoint does not know", func(t *testing.T) {
		c := audit.NewCheckpoint(at, true, verify(t, recs[:8], nil).Heads)
		signed, err := audit.Sign(c, key)
		if err != nil {
			t.Fatal(err)
		}
		end, err := signed.Line()
		if err != nil {
			t.Fatal(err)
		}
		if got := found(verifyFile(t, append(lines(recs), end...), opts)); got != "rewritten 11 admin/1, rewritten 11 policy/1" {
			t.Errorf("found %q", got)
		}
	})
	t.Run("V6 another checkpoint in its place", func(t *testing.T) {
		file := export(t, recs, nil)
		other := export(t, anew(t, recs, 8), nil)
		end := bytes.LastIndex(other[:len(other)-1], []byte("\n")) + 1
		mixed := append(bytes.Clone(file[:bytes.LastIndex(file[:len(file)-1], []byte("\n"))+1]), other[end:]...)
		if got := found(verifyFile(t, mixed, nil)); got != "edited 11 /0, rewritten 11 policy/1" {
			t.Errorf("found %q", got)
		}
	})
}

// proves: V6 (secrets are redacted in the copy; the commitment covers the real ones)
func TestExportMasksSecrets(t *testing.T) {
	key, public := newKey(t)
	recs := chain(t, "session/s",
		draft("call_started", "", `{"args":{"token":"hunter2","n":1}}`),
		draft("call_started", "", `{"args":{"n":2}}`),
		draft("call_finished", "", `hunter2, not JSON`),
	)
	file := export(t, recs, &audit.ExportOptions{Key: key, Secrets: func(r *audit.Record) []string { return []string{"/args/token"} }})
	if bytes.Contains(file, []byte("hunter2")) {
		t.Errorf("the export holds the secret:\n%s", file)
	}
	if bytes.Contains(file, fmt.Appendf(nil, "%x", recs[0].Salt)) {
		t.Error("the export holds the salt of a masked payload: secrets could be guessed")
	}
	if !bytes.Contains(file, []byte(`"payload":{"args":{"token":"***","n":1}}`)) {
		t.Errorf("not masked as expected:\n%s", file)
	}
	report := verifyFile(t, file, &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}})
	if report.Err() != nil || report.Masked != 1 || report.Withheld != 1 {
		t.Errorf("%v, report %+v", report.Err(), report)
	}
	if string(recs[0].Payload) != `{"args":{"token":"hunter2","n":1}}` {
		t.Error("the log itself was masked")
	}
	forged := bytes.Replace(file, []byte(`"n":1`), []byte(`"n":7`), 1)
	if got := found(verifyFile(t, forged, &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}})); got != "edited 4 /0" {
		t.Errorf("a changed masked copy: found %q", got)
	}
}

// A result has a text for the model and a structured form for programs, which say
// the same: whoever hides the one means the other.
//
// proves: V6
func TestAMaskedResultIsMaskedInBothForms(t *testing.T) {
	const result, other = `{"text":"hunter2","structured":{"token":"hunter2"},"n":1}`, `{"text":"seen","structured":{"a":1}}`
	for _, c := range []struct{ name, pointer, want string }{
		{"its text", "/text", `{"text":"***","structured":"***","n":1}`},
		{"everything", "/*", `{"text":"***","structured":"***","n":"***"}`},
		{"a part of the structured form", "/structured/token", `{"text":"hunter2","structured":{"token":"***"},"n":1}`},
		{"something else", "/n", `{"text":"hunter2","structured":{"token":"hunter2"},"n":"***"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			recs := chain(t, "session/s", draft("call.ended", "", result), draft("turn.started", "", other))
			pointers := append(make([]string, 0, 9), c.pointer) // with room that must stay empty
			file := export(t, recs, &audit.ExportOptions{Secrets: func(*audit.Record) []string { return pointers }})
			if !bytes.Contains(file, []byte(`"payload":`+c.want+"}")) || c.pointer == "/text" && !bytes.Contains(file, []byte(`{"text":"***","structured":{"a":1}}`)) {
				t.Errorf("masked %s:\n%s", c.pointer, file)
			}
			if pointers[:2][1] != "" {
				t.Error("the caller's pointers were written into")
			}
		})
	}
}

func TestMask(t *testing.T) {
	const doc = ` {"a": 1.50,"b":[ {"k":"x"},{"k":[2]} ],"a/b":"~","a":null, "c":{}}`
	for _, c := range []struct {
		pointers, want string
		n              int
	}{
		{"/a", ` {"a": "***","b":[ {"k":"x"},{"k":[2]} ],"a/b":"~","a":"***", "c":{}}`, 2},
		{"/b/*/k", ` {"a": 1.50,"b":[ {"k":"***"},{"k":"***"} ],"a/b":"~","a":null, "c":{}}`, 2},
		{"/b/1/k/0", ` {"a": 1.50,"b":[ {"k":"x"},{"k":["***"]} ],"a/b":"~","a":null, "c":{}}`, 1},
		{"/a~1b", ` {"a": 1.50,"b":[ {"k":"x"},{"k":[2]} ],"a/b":"***","a":null, "c":{}}`, 1},
		{"/b /b/0", ` {"a": 1.50,"b":"***","a/b":"~","a":null, "c":{}}`, 1},
		{"/x /b/9 /a/x /c/x", doc, 0},
	} {
		got, n, err := audit.Mask([]byte(doc), strings.Fields(c.pointers))
		if err != nil || n != c.n || string(got) != c.want {
			t.Errorf("%s: %d %s, %v; want %d %s", c.pointers, n, got, err, c.n, c.want)
		}
	}
	if got, n, err := audit.Mask([]byte(doc), []string{""}); string(got) != `"***"` || n != 1 || err != nil {
		t.Errorf("the whole: %d %s, %v", n, got, err)
	}
	for _, c := range [][2]string{{"{", "/a"}, {"{}", "a"}} {
		if _, _, err := audit.Mask([]byte(c[0]), []string{c[1]}); fault.CodeOf(err) != fault.BadArguments {
			t.Errorf("Mask(%s, %s): %v", c[0], c[1], err)
		}
	}
}

func TestExportErrors(t *testing.T) {
	broken := errors.New("broken")
	_, err := audit.Export(io.Discard, func(yield func(audit.Record, error) bool) { yield(audit.Record{}, broken) }, nil)
	if !errors.Is(err, broken) {
		t.Errorf("an error of the log became %v", err)
	}
	if _, err := audit.Export(failing{broken}, seq(story(t)), nil); !errors.Is(err, broken) {
		t.Errorf("an error of the writer became %v", err)
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Export(io.Discard, seq(nil), &audit.ExportOptions{Key: other}); fault.CodeOf(err) != fault.BadConfig {
		t.Errorf("an RSA key: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestKeys(t *testing.T) {
	key, public := newKey(t)
	private, err := audit.EncodeKey(key)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := audit.EncodePublic(public)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := audit.DecodeKey(private); err != nil || !got.Equal(key) {
		t.Errorf("the private key came back with %v", err)
	}
	if got, err := audit.DecodePublic(shared); err != nil || !got.Equal(public) {
		t.Errorf("the public key came back with %v", err)
	}
	for name, text := range map[string][]byte{
		"nothing": nil, "text": []byte("key"), "the other half": shared, "two keys": append(bytes.Clone(private), private...),
		"a broken one": bytes.Replace(private, []byte("M"), []byte("N"), 1),
	} {
		if _, err := audit.DecodeKey(text); fault.CodeOf(err) != fault.BadConfig {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := audit.DecodePublic(private); fault.CodeOf(err) != fault.BadConfig {
		t.Errorf("a private key given as a public one: %v", err)
	}
}
