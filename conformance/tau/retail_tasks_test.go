package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A difference is an error of the command, and names where to look.
func TestADifferenceIsAnError(t *testing.T) {
	tasks, err := os.ReadFile(filepath.Join("testdata", "retail", "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Replace(tasks, []byte(`"balance": 139.9`), []byte(`"balance": 139.91`), 1)
	if bytes.Equal(wrong, tasks) {
		t.Fatal("the tasks have no such refund")
	}
	file := filepath.Join(t.TempDir(), "wrong.jsonl")
	if err := os.WriteFile(file, wrong, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), append(atDesk, "-tasks", file), &out)
	want := "DIFFERENCE task 1 (line 2): the store: users ada_obrien_1042: at /payment_methods/gift_card_7703158/balance got \"139.9\", want \"139.91\"\n"
	if err == nil || err.Error() != "1 differences" || !strings.Contains(out.String(), want) {
		t.Errorf("error %v\n%s", err, out.String())
	}
}

func TestTasksOfAnotherForm(t *testing.T) {
	const call = `{"name":"think","arguments":{"thought":""},"result":""}`
	for _, c := range []struct{ name, line, want string }{
		{"no JSON", `{"task":1`, "line 3: not strict JSON: the text ends too early"},
		{"two values", `{"task":1,"calls":[],"changed":{}} {}`, "text after the value"},
		{"a key that nobody knows", `{"task":1,"call":[],"changed":{}}`, `"call"`},
		{"a key given twice", `{"task":1,"calls":[],"calls":[],"changed":{}}`, "calls"},
		{"no number", `{"calls":[],"changed":{}}`, "no task"},
		{"a number that is none", `{"task":"one","calls":[],"changed":{}}`, "task"},
		{"no calls", `{"task":1,"changed":{}}`, "no calls"},
		{"no changed", `{"task":1,"calls":[]}`, "no changed"},
		{"a changed of another kind", `{"task":1,"calls":[],"changed":{"products":{}}}`, "products"},
		{"a changed user that is no object", `{"task":1,"calls":[],"changed":{"users":{"a":null}}}`, "a is no object"},
		{"a tool that does not exist", `{"task":1,"calls":[` + call + `,{"name":"fly","arguments":{},"result":""}],"changed":{}}`, `call 2: there is no tool "fly"`},
		{"a call without a name", `{"task":1,"calls":[{"arguments":{},"result":""}],"changed":{}}`, "no name"},
		{"a call without arguments", `{"task":1,"calls":[{"name":"think","result":""}],"changed":{}}`, "no object"},
		{"arguments as text", `{"task":1,"calls":[{"name":"think","arguments":"{}","result":""}],"changed":{}}`, "no object"},
		{"a call without a result", `{"task":1,"calls":[{"name":"think","arguments":{}}],"changed":{}}`, "no result of think"},
		{"a result that is no text", `{"task":1,"calls":[{"name":"think","arguments":{},"result":1}],"changed":{}}`, "result"},
		{"a call with more", `{"task":1,"calls":[{"name":"think","arguments":{},"result":"","id":"a"}],"changed":{}}`, `"id"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "tasks.jsonl")
			good := `{"task":0,"user_id":"","instruction":"","calls":[` + call + `],"changed":{},"outputs":[]}`
			if err := os.WriteFile(file, []byte(good+"\n\n"+c.line+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := run(t.Context(), append(atDesk, "-tasks", file), new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), file+", line 3: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestRetailCommandLine(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"a word too many", "retail now", `what is "now"`},
		{"no data", "retail -data testdata/nowhere", "tools.json"},
		{"never", "retail -repeat 0", "once at least"},
		{"no tasks", "retail -data testdata/retail -tasks none.jsonl", filepath.Join("testdata", "retail", "none.jsonl")},
		{"a file without tasks", "retail -data testdata/retail -tasks /dev/null", "has no tasks"},
		{"tools of another business", "retail -data testdata/retail -tools testdata/shop/tools.json", `nothing in the shop does what "find_item" does`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := run(t.Context(), strings.Fields(c.args), new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestResultsDiffer(t *testing.T) {
	for _, c := range []struct{ name, got, want, differs string }{
		{"the same text", "yusuf_rossi_9620", "yusuf_rossi_9620", ""},
		{"another text", "a", "b", `got "a", want "b"`},
		{"text and JSON", "a", `"a"`, "got"},
		{"no text and none", "", "", ""},
		{"no text and JSON", "", "null", "got"},
		{"keys in another order, and spaces", `{"a":1,"b":[true,null]}`, `{"b": [true, null], "a": 1}`, ""},
		{"escapes", `"ü\n"`, `"\u00fc\u000a"`, ""},
		{"binary floats", `{"a":0.05}`, `{"a": 0.04999999999999716}`, ""},
		{"zeroes", "[0,51]", "[-0.0, 51.00]", ""},
		{"a cent", `{"a":[0.05]}`, `{"a":[0.06]}`, `at /a/0 got "0.05", want "0.06"`},
		{"a tenth of a cent", "1.001", "1", "got"},
		{"long numbers that a float cannot tell apart", "9007199254740993", "9007199254740992", "got"},
		{"a number and its text", "1", `"1"`, "got"},
		{"a key too many", `{"a":1,"b":2}`, `{"a":1}`, `at /b got "2", want "nothing"`},
		{"a key too few", `{}`, `{"a":null}`, `at /a got "nothing", want "null"`},
		{"a longer list", `[1,2]`, `[1]`, `got "[1,2]", want "[1]"`},
		{"another order of a list", `[1,2]`, `[2,1]`, "at /0"},
		{"true and false", "true", "false", "got"},
		{"two values", "{} {}", "{}", "got"},
	} {
		if d := differs(c.got, c.want); (d == "") != (c.differs == "") || !strings.Contains(d, c.differs) {
			t.Errorf("%s: %q, want %q", c.name, d, c.differs)
		}
	}
}
