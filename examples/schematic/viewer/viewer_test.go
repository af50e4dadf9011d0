package viewer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/examples/schematic/viewer"
	"github.com/assentdev/assent/turn"
)

func session(t testing.TB, v *viewer.Viewer, mode assent.Mode, asked *int) *assent.Session {
	t.Helper()
	agent, err := assent.New(assent.WithTools(v.Tools()...), assent.WithApprovalFunc(func(context.Context, approval.Request) (approval.Answer, error) {
		*asked++
		return approval.Approve(), nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agent.Close() })
	if err := agent.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := agent.StartSession(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func call(t testing.TB, s *assent.Session, tool, args string) assent.CallEnded {
	t.Helper()
	r, err := s.Call(t.Context(), tool, []byte(args)).Wait()
	if err != nil || len(r.Calls) != 1 {
		t.Fatalf("%s %s: %v, %v", tool, args, r, err)
	}
	return r.Calls[0]
}

// proves: C1
func TestEachClassIsThere(t *testing.T) {
	for _, test := range []struct {
		name, tool, args string
		mode             assent.Mode
		outcome          turn.Outcome
		asked            int
	}{
		{"C1 read runs in read_only", "read_page", `{"page":1}`, assent.ReadOnly, turn.OK, 0},
		{"C1 write is hidden in read_only", "rename_net", `{"net":"GND","name":"EARTH"}`, assent.ReadOnly, turn.NotAllowed, 0},
		{"C1 write asks in ask", "rename_net", `{"net":"GND","name":"EARTH"}`, assent.Ask, turn.OK, 1},
		{"C1 write runs in auto", "rename_net", `{"net":"GND","name":"EARTH"}`, assent.Auto, turn.OK, 0},
		{"C1 what destroys asks in auto", "delete_page", `{"page":2}`, assent.Auto, turn.OK, 1},
		{"C1 what sends away asks in auto", "export_netlist", `{"to":"a@b"}`, assent.Auto, turn.OK, 1},
		{"C1 what has no class asks in auto", "annotate", `{"page":2,"text":"x"}`, assent.Auto, turn.OK, 1},
		{"A1 arguments that do not fit are not asked about", "rename_net", `{"net":"GND","name":"earth"}`, assent.Ask, turn.Invalid, 0},
		{"T2 an error is a result", "read_page", `{"page":9}`, assent.Ask, turn.Failed, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := 0
			s := session(t, viewer.Open(), test.mode, &asked)
			if got := call(t, s, test.tool, test.args); got.Outcome != test.outcome || asked != test.asked {
				t.Errorf("%s: %s (%s), asked %d times", test.tool, got.Outcome, got.Text, asked)
			}
		})
	}
}

// proves: T4
func TestUndo(t *testing.T) {
	net := func(v *viewer.Viewer) string { return v.Pages()[0].Components[0].Pins[0] }
	t.Run("T4 a renamed net gets its name back", func(t *testing.T) {
		v, asked := viewer.Open(), 0
		s := session(t, v, assent.Auto, &asked)
		call(t, s, "rename_net", `{"net":"VBUS","name":"V5"}`)
		if net(v) != "V5" {
			t.Fatalf("the net is %s", net(v))
		}
		if _, err := s.Undo(t.Context(), s.Undoable()[0].ID).Wait(); err != nil || net(v) != "VBUS" {
			t.Errorf("after undo: %s, %v", net(v), err)
		}
	})
	for _, change := range []struct{ name, tool, args string }{
		{"T4 not where the net was renamed again", "rename_net", `{"net":"V5","name":"V5_USB"}`},
		{"T4 not where pins of the net are gone", "delete_page", `{"page":1}`},
		{"T4 not where its old name is taken", "rename_net", `{"net":"GND","name":"VBUS"}`},
	} {
		t.Run(change.name, func(t *testing.T) {
			v, asked := viewer.Open(), 0
			s := session(t, v, assent.Auto, &asked)
			call(t, s, "rename_net", `{"net":"VBUS","name":"V5"}`)
			undo := s.Undoable()[0].ID
			call(t, s, change.tool, change.args)
			before := fmt.Sprint(v.Pages())
			r, err := s.Undo(t.Context(), undo).Wait()
			if err != nil || !strings.Contains(r.Text, "changed since") || fmt.Sprint(v.Pages()) != before {
				t.Errorf("undo: %q, %v", r.Text, err)
			}
		})
	}
}

// proves: T3 T4 P12
func TestRenumber(t *testing.T) {
	refs := func(v *viewer.Viewer) string {
		return v.Pages()[1].Components[1].Ref + " " + v.Pages()[2].Components[1].Ref
	}
	t.Run("T4 components get their old references back", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			v, asked := viewer.Open(), 0
			s := session(t, v, assent.Auto, &asked)
			if got := call(t, s, "renumber", `{"prefix":"R","from":101}`); got.Text != "Renumbered R1 to R101, R2 to R102." || refs(v) != "R101 R102" {
				t.Fatalf("%s: %s", got.Text, refs(v))
			}
			if _, err := s.Undo(t.Context(), s.Undoable()[0].ID).Wait(); err != nil || refs(v) != "R1 R2" {
				t.Errorf("after undo: %s, %v", refs(v), err)
			}
		})
	})
	t.Run("T4 not where they were renumbered again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			v, asked := viewer.Open(), 0
			s := session(t, v, assent.Auto, &asked)
			call(t, s, "renumber", `{"prefix":"R","from":101}`)
			first := s.Undoable()[0].ID
			call(t, s, "renumber", `{"prefix":"R","from":201}`)
			r, err := s.Undo(t.Context(), first).Wait()
			if err != nil || !strings.Contains(r.Text, "changed since") || refs(v) != "R201 R202" {
				t.Errorf("undo: %q, %v, %s", r.Text, err, refs(v))
			}
		})
	})
	t.Run("P12 one that is stopped changes nothing", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			v, asked := viewer.Open(), 0
			s := session(t, v, assent.Auto, &asked)
			progress := ""
			for ev, err := range s.Call(t.Context(), "renumber", []byte(`{"prefix":"R","from":101}`)).Events() {
				if err != nil {
					t.Fatal(err)
				}
				if p, ok := ev.(assent.CallProgress); ok && progress == "" {
					progress = p.Text
					if err := s.Stop(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
			if progress != "page 1 of 3" || refs(v) != "R1 R2" {
				t.Errorf("after %q the components are %s", progress, refs(v))
			}
		})
	})
}

func TestPagesIsACopy(t *testing.T) {
	v := viewer.Open()
	v.Pages()[0].Components[0].Pins[0] = "X"
	if got := v.Pages()[0].Components[0].Pins[0]; got != "VBUS" {
		t.Errorf("the document changed: %s", got)
	}
}

func ExampleViewer_Tools() {
	agent, err := assent.New(assent.WithTools(viewer.Open().Tools()...))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	if err := agent.Start(context.Background()); err != nil {
		panic(err)
	}
	for _, t := range agent.Tools() {
		fmt.Printf("%-15s %-12s in ask: %s\n", t.Name, t.Class, t.Verdicts[assent.Ask])
	}
	// Output:
	// read_page       read         in ask: run
	// find_component  read         in ask: run
	// rename_net      write        in ask: ask
	// renumber        write        in ask: ask
	// delete_page     destructive  in ask: ask
	// export_netlist  destructive  in ask: ask
	// annotate        unknown      in ask: ask
}
