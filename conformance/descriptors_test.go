package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/turn"
)

// descriptorsVector is one entry of descriptors.json, which other languages read too.
type descriptorsVector struct {
	ID, Name, Rule string
	Resources      []describedResource

	Tools    *exactly
	Render   *rendering
	None     []string
	Errors   *[]fault.Code
	Governed []governedTool
	Callout  string
	Node     *exactly
	Calls    []describedCall
	Refused  []describedCall
}

// exactly is a text that has to come out byte for byte.
type exactly struct {
	Text   string
	Bytes  int
	SHA256 string
}

func (e *exactly) check(t *testing.T, what string, got []byte) {
	t.Helper()
	sum := sha256.Sum256(got)
	if string(got) != e.Text || len(got) != e.Bytes || hex.EncodeToString(sum[:]) != e.SHA256 {
		t.Errorf("%s has %d bytes, want %d\ngot:  %s\nwant: %s", what, len(got), e.Bytes, got, e.Text)
	}
}

type rendering struct {
	View     string
	Params   map[string]string
	Result   exactly
	Indented *exactly
}

type governedTool struct {
	Tool  string
	Class policy.Class
	Modes map[string]policy.Verdict
}

type describedCall struct {
	Tool, Arguments, By string
	Kind                resource.ResultKind
	Status              int
	Names               []string
	Got                 *handed
}

// TestDescriptors runs every vector of descriptors.json: the vectors of the design.
//
// proves: R1, R2, R3, R4, R5, R6, R7, R8
func TestDescriptors(t *testing.T) {
	vectors := readDescriptors(t)
	if len(vectors) < 25 {
		t.Errorf("there are %d vectors, fewer than 25", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID+" "+v.Name, v.run)
	}
}

func readDescriptors(t *testing.T) []descriptorsVector {
	t.Helper()
	raw, err := os.ReadFile("descriptors.json")
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields() // a vector that nobody looks at proves nothing
	var file struct {
		About   []string
		Vectors []descriptorsVector
	}
	if err := dec.Decode(&file); err != nil {
		t.Fatal(err)
	}
	return file.Vectors
}

func (v descriptorsVector) run(t *testing.T) {
	b := build(t, v.Resources)
	b.codes(t, v.Errors)
	if v.Tools != nil {
		v.Tools.check(t, "the list of tools", []byte(b.tools()))
	}
	if v.Render != nil {
		v.Render.check(t, b.app)
	}
	for _, name := range v.None {
		if tool, err := b.find(t, name).AgentTool(); tool != nil || err != nil {
			t.Errorf("%s gives the tool %v, %v", name, tool, err)
		}
	}
	if v.Node != nil {
		v.Node.check(t, "the callout", resource.NodeJSON(resource.Callout(v.Callout)))
	}
	b.governed(t, v.Governed)
	for _, c := range v.Calls {
		b.call(t, c)
	}
	b.refused(t, v.Refused)
}

func (r *rendering) check(t *testing.T, app *resource.App) {
	owner, view, _ := strings.Cut(r.View, ".")
	got := app.RenderView(t.Context(), resource.ViewCall{Resource: owner, View: view, Params: r.Params}).JSON()
	r.Result.check(t, "the result", got)
	if r.Indented == nil {
		return
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got, "", "  "); err != nil {
		t.Fatal(err)
	}
	r.Indented.check(t, "the result, indented", pretty.Bytes())
}

// codes compares what the check of the app finds; without an expectation, nothing.
func (b *built) codes(t *testing.T, want *[]fault.Code) {
	t.Helper()
	var got, none []fault.Code
	if err := b.app.Check(); err != nil {
		for line := range strings.Lines(err.Error()) {
			code, _, _ := strings.Cut(line, ":")
			got = append(got, fault.Code(code))
		}
	}
	slices.Sort(got)
	if want == nil {
		want = &none
	}
	if !slices.Equal(got, *want) {
		t.Errorf("the check of the app finds %q, want %q: %v", got, *want, b.app.Check())
	}
}

// governed compares classes and verdicts, by the table and by an agent.
func (b *built) governed(t *testing.T, want []governedTool) {
	if want == nil {
		return
	}
	infos := b.agent(t, nil).Tools()
	if len(infos) != len(want) {
		t.Fatalf("the agent has %d tools, want %d", len(infos), len(want))
	}
	for i, w := range want {
		if infos[i].Name != w.Tool || infos[i].Class != w.Class {
			t.Errorf("the agent has %s of class %v, want %s of class %v", infos[i].Name, infos[i].Class, w.Tool, w.Class)
		}
		for word, verdict := range w.Modes {
			mode, err := policy.ParseMode(word)
			if err != nil {
				t.Fatal(err)
			}
			if got := policy.Decide(mode, w.Class); got != verdict || infos[i].Verdicts[mode] != verdict {
				t.Errorf("%s in %s: the table says %v, the agent %v, want %v", w.Tool, word, got, infos[i].Verdicts[mode], verdict)
			}
		}
	}
}

// call makes a call by the tool's name, as every door does.
func (b *built) call(t *testing.T, c describedCall) {
	b.got = nil
	res := b.app.Invoke(t.Context(), c.Tool, json.RawMessage(c.Arguments), resource.Caller{Principal: c.By})
	if res.Kind != c.Kind || res.Status != c.Status {
		t.Errorf("%s %s by %q: %s", c.Tool, c.Arguments, c.By, res.JSON())
	}
	var names []string
	for _, issue := range res.Issues {
		names = append(names, issue.Path[0])
	}
	if !slices.Equal(names, c.Names) {
		t.Errorf("%s %s: the issues name %q, want %q", c.Tool, c.Arguments, names, c.Names)
	}
	if ran := b.got != nil; ran != (c.Kind == resource.Success) {
		t.Errorf("%s %s by %q: a handler ran: %v", c.Tool, c.Arguments, c.By, ran)
	}
	if c.Got != nil && !c.Got.equal(b.got) {
		t.Errorf("%s %s: the handler got %v, want %v", c.Tool, c.Arguments, b.got, c.Got)
	}
}

// refused makes governed calls that end as invalid before anybody is asked.
func (b *built) refused(t *testing.T, calls []describedCall) {
	if calls == nil {
		return
	}
	person := assenttest.NewPerson()
	session, err := b.agent(t, person).StartSession(t.Context(), assent.Auto)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		res, err := session.Call(t.Context(), c.Tool, []byte(c.Arguments)).Wait()
		if err != nil || len(res.Calls) != 1 {
			t.Fatalf("%s: %v, %v", c.Arguments, res, err)
		}
		text := res.Calls[0].Text
		if res.Calls[0].Outcome != turn.Invalid || !strings.HasPrefix(text, "Error: Invalid arguments: ") || !strings.Contains(text, c.Names[0]) {
			t.Errorf("%s %s: %v, %s", c.Tool, c.Arguments, res.Calls[0].Outcome, text)
		}
	}
	if n := len(person.Asked()); n > 0 || b.got != nil {
		t.Errorf("%d questions were asked, and a handler got %v", n, b.got)
	}
}
