package schema_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/assentdev/assent/schema"
)

// bothCheckers compiles the tools of a recorded benchmark for both checkers.
func bothCheckers(t *testing.T, dir string) (own, library map[string]*schema.Schema) {
	raw, err := os.ReadFile(filepath.Join(dir, "tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tools []struct {
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &tools); err != nil {
		t.Fatal(err)
	}
	own, library = map[string]*schema.Schema{}, map[string]*schema.Schema{}
	for _, tool := range tools {
		opts := &schema.Options{Foreign: true}
		own[tool.Function.Name] = compile(t, tool.Function.Parameters, opts)
		other, err := schema.CompileLibrary(tool.Function.Parameters, opts)
		if err != nil {
			t.Fatal(err)
		}
		library[tool.Function.Name] = other
	}
	return own, library
}

// eachLine decodes each line of a file.
func eachLine[T any](t *testing.T, file string, do func(T)) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		do(v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// recordedCall is a call as a model wrote it.
type recordedCall struct {
	Name      string
	Arguments string
}

// TestRecordedCalls checks the arguments of real conversations, as the model
// wrote them, with both checkers.
//
// proves: A1, A5
func TestRecordedCalls(t *testing.T) {
	dir := dataDir(t, "tau-airline")
	own, library := bothCheckers(t, dir)
	calls, valid, changed := 0, 0, 0
	eachLine(t, filepath.Join(dir, "conversations.jsonl"), func(talk struct {
		Messages []struct {
			ToolCalls []struct{ Function recordedCall } `json:"tool_calls"`
		}
	}) {
		for _, m := range talk.Messages {
			for _, c := range m.ToolCalls {
				calls++
				raw := []byte(c.Function.Arguments)
				args, err := own[c.Function.Name].Check(raw)
				if ok := library[c.Function.Name].Valid(raw); ok != (err == nil) {
					t.Errorf("%s %s: the library says %t, own: %v", c.Function.Name, raw, ok, err)
				}
				if err != nil {
					t.Logf("%s: %v", c.Function.Name, err)
					continue
				}
				valid++
				if string(args.Canonical) != string(raw) {
					changed++
				}
			}
		}
	})
	if calls != 572 {
		t.Errorf("there are %d calls, not 572", calls)
	}
	t.Logf("%d of %d calls are valid; %d were not in canonical form", valid, calls, changed)
	if valid == 0 || changed == 0 {
		t.Error("the recordings prove nothing")
	}
}

// TestRecordedTasks checks the arguments of tasks that all succeeded or failed
// for reasons of the shop, so that all of them fit their schemas.
//
// proves: A1
func TestRecordedTasks(t *testing.T) {
	dir := dataDir(t, "tau-retail")
	own, library := bothCheckers(t, dir)
	calls := 0
	eachLine(t, filepath.Join(dir, "tasks.jsonl"), func(task struct {
		Calls []struct {
			Name      string
			Arguments json.RawMessage
		}
	}) {
		for _, c := range task.Calls {
			calls++
			_, err := own[c.Name].Check(c.Arguments)
			if ok := library[c.Name].Valid(c.Arguments); !ok || err != nil {
				t.Errorf("%s %s: the library says %t, own: %v", c.Name, c.Arguments, ok, err)
			}
		}
	})
	if calls != 582 {
		t.Errorf("there are %d calls, not 582", calls)
	}
}
