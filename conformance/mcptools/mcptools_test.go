package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// proves: A3, C3, T6: a schema that cannot be understood holds its tool back
// with the keyword, annotations class nothing, and names stay apart.
func TestServers(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-v", "-dir", filepath.Join("testdata", "servers")}, &out); err != nil {
		t.Errorf("%v", err)
	}
	golden := filepath.Join("testdata", "servers.txt")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || out.String() != string(want) {
		t.Errorf("error %v, got\n%swant\n%s", err, out.String(), want)
	}
}

// proves: T6, T7: a tool that got lost is an error.
func TestALostToolIsAnError(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), []string{"-dir", filepath.Join("testdata", "wrong")}, &out)
	if err == nil || !strings.Contains(out.String(), "MISMATCH the start says: ") {
		t.Errorf("error %v\n%s", err, out.String())
	}
}

// proves: A3, T6: the public servers' tools are all offered or held for a keyword.
func TestPublicServers(t *testing.T) {
	data := os.Getenv("ASSENT_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(data, "mcp-tools")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the public servers' descriptors are not here (set ASSENT_DATA): %v", err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-dir", dir}, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// A judge that finds nothing is worth nothing.
func TestWhatIsWrongIsFound(t *testing.T) {
	d := descriptor{Name: "f", InputSchema: json.RawMessage(`{"type":"object","required":["a"]}`)}
	fine := assent.ToolInfo{Name: "s__f", Class: assent.Unknown, Verdicts: [4]assent.Verdict{policy.Hidden, policy.Hidden, policy.AskFirst, policy.AskFirst}}
	held := assent.ToolInfo{Name: "s__f", Held: "its schema"}
	wide := fine
	wide.Class = assent.Read
	runs := fine
	runs.Verdicts[assent.Auto] = policy.Run
	bad := d
	bad.InputSchema = json.RawMessage(`{"type":"nothing"}`)
	for _, c := range []struct {
		name   string
		d      descriptor
		info   assent.ToolInfo
		reason string
		wrong  int
	}{
		{"an offered tool", d, fine, "", 0},
		{"a tool held for a keyword that it has", d, held, `keyword "required" at the root`, 0},
		{"a tool that is not listed", d, assent.ToolInfo{}, "", 1},
		{"a tool that is held without a reason", d, held, "", 1},
		{"a reason for a tool that is offered", d, fine, `keyword "required"`, 1},
		{"a reason without a keyword", d, held, "it is odd", 1},
		{"a keyword that the schema does not have", d, held, `keyword "$ref"`, 1},
		{"a tool that is classed by its annotations", d, wide, "", 1},
		{"a tool that runs without a question", d, runs, "", 1},
		{"a tool that is offered with a schema that does not compile", bad, fine, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &report{out: new(bytes.Buffer), held: map[string]int{}}
			r.tool(c.d, &tool.Entry{Wire: "s__f"}, c.info, c.reason)
			if r.wrong != c.wrong {
				t.Errorf("%d mismatches, want %d", r.wrong, c.wrong)
			}
		})
	}
}

func TestCommandLine(t *testing.T) {
	empty := t.TempDir()
	broken := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, dir, want string }{
		{"no files", empty, "no *.json in"},
		{"a file that is no JSON", filepath.Dir(broken), "x.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := run(t.Context(), []string{"-dir", c.dir}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
