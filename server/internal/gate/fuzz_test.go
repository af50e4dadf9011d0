package gate_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/server/internal/gate"
	"github.com/go-json-experiment/json/jsontext"
)

var seeds = []string{
	`{}`, `null`, `{"a":1,"a":2}`, `{"a":{"b":1,"b":2}}`, `{"a":1,"\u0061":2}`, `{"id":1,"ID":2}`, "{\"k\":1,\"\u212a\":2}",
	`"\ud800"`, `"\ud83d\ude00"`, `"\udc00\ud800"`, "\"\xff\"", "\"\xed\xa0\x80\"", "\ufeff{}", `{} {}`, "{}\x00", `1e400`, `-0`, `1.0`, `01`, `+1`, `.5`,
	`9007199254740993`, `[[[[]]]]`, `{"__proto__":{"a":1}}`, `{"a\u0000":1,"a":2}`, "\"\u2028\"", `"\/\b\f\n\r\t"`, `{"a":tru}`, `[1,]`, `'a'`, "// c\n1", `{"":0}`,
	"\"\t\"", `"\x41"`, `"\u{41}"`, `NaN`, `Infinity`, ` [ 1 , 2 ] `, "\u00a0{}",
}

// Whatever bytes come, the handler behind sees only bodies that readers read
// alike, and sees those bytes (cases G-J01 to G-J17).
func FuzzTheHandlerSeesOnlyBodiesThatReadersReadAlike(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		passed := false
		g := newGate(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			passed = true
			got, err := io.ReadAll(r.Body)
			if err != nil || !bytes.Equal(got, body) {
				t.Errorf("the handler got %q, %v", got, err)
			}
			readAlike(t, got, gate.BodyOf(r.Context()).Canonical)
		}), gate.Options{})
		w := do(g, "/", string(body))
		if !passed && (w.Code < 400 || w.Code >= 500 || !json.Valid(w.Body.Bytes())) {
			t.Errorf("refused with %d %s", w.Code, w.Body)
		}
	})
}

// readAlike compares four readers: Go's, one that is strict, the schema's, and one
// that reads strings as JavaScript does.
func readAlike(t *testing.T, body, canonical []byte) {
	if !jsontext.Value(body).IsValid() { // keys that are there twice, and bytes that are no UTF-8, are not
		t.Errorf("%q: a strict reader refuses it", body)
	}
	again, err := schema.Canonical(asGo(t, body), nil)
	if err != nil || !bytes.Equal(again, canonical) {
		t.Errorf("%q: Go reads %s, the schema %s (%v)", body, again, canonical, err)
	}
	sameStrings(t, body)
	caseless(t, body)
}

// asGo writes what Go reads.
func asGo(t *testing.T, body []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: Go: %v", body, err)
	}
	if d.More() {
		t.Errorf("%q: Go sees a second value", body)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.Encode(v)
	return out.Bytes()
}

// sameStrings reads each string unit by unit, as JavaScript does, which keeps
// what is half of a pair, and compares with what Go reads.
func sameStrings(t *testing.T, body []byte) {
	for i := 0; i < len(body); i++ {
		if body[i] != '"' {
			continue
		}
		end := i + 1
		for body[end] != '"' {
			if body[end] == '\\' {
				end++
			}
			end++
		}
		var text string
		if err := json.Unmarshal(body[i:end+1], &text); err != nil {
			t.Fatalf("%q: Go: %v", body[i:end+1], err)
		}
		if js := unitsOf(body[i+1 : end]); !equal(js, utf16.Encode([]rune(text))) {
			t.Errorf("%q: Go reads %q, JavaScript %v", body[i:end+1], text, js)
		}
		i = end
	}
}

func unitsOf(s []byte) (units []uint16) {
	short := map[byte]uint16{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	for len(s) > 0 {
		switch {
		case s[0] != '\\':
			r, size := utf8.DecodeRune(s)
			units, s = utf16.AppendRune(units, r), s[size:]
		case s[1] == 'u':
			n, _ := strconv.ParseUint(string(s[2:6]), 16, 16)
			units, s = append(units, uint16(n)), s[6:]
		default:
			u, ok := short[s[1]]
			if !ok {
				u = uint16(s[1])
			}
			units, s = append(units, u), s[2:]
		}
	}
	return units
}

func equal(a, b []uint16) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// caseless reads the outermost object into a struct for each of its keys: what
// the struct gets must be that key's own value, whatever else the object has.
func caseless(t *testing.T, body []byte) {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil {
		return
	}
	for key, want := range object {
		if strings.ToLower(key) != "id" && strings.ToLower(key) != "k" {
			continue // a struct needs a name that Go has
		}
		var s struct {
			ID json.RawMessage `json:"id"`
			K  json.RawMessage `json:"k"`
		}
		if err := json.Unmarshal(body, &s); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(s.ID, want) && !bytes.Equal(s.K, want) {
			t.Errorf("%q: a struct reads neither %s nor %s for %q", body, s.ID, s.K, key)
		}
	}
}

// What passes is written alike by a real JavaScript engine and by Go, where no
// number needs more than a double holds.
func TestJavaScriptReadsWhatPassesAsGoDoes(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on this machine")
	}
	var bodies []string
	for _, s := range seeds {
		var got seen
		if do(newGate(t, &got, gate.Options{}), "/", s); got.count == 1 && s != `9007199254740993` {
			bodies = append(bodies, s)
		}
	}
	list, _ := json.Marshal(bodies)
	cmd := exec.CommandContext(t.Context(), node, "-e", `console.log(JSON.stringify(JSON.parse(process.argv[1]).map(s=>JSON.stringify(JSON.parse(s)))))`, string(list))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	if err := json.Unmarshal(out, &written); err != nil || len(written) != len(bodies) || len(bodies) < 8 {
		t.Fatalf("%d of %d bodies: %v", len(written), len(bodies), err)
	}
	for i, body := range bodies {
		ours, _ := schema.Canonical([]byte(body), nil)
		theirs, err := schema.Canonical([]byte(written[i]), nil)
		if body == "-0" {
			theirs = ours // JavaScript writes -0 as 0
		}
		if err != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("%q: we read %s, JavaScript %s (%v)", body, ours, theirs, err)
		}
	}
}
