package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// The log of each format is kept with turns open in it, and every later release
// reads it and goes on with it. A new format gets a new file; the old ones stay.
//
// proves: S1, S2

const oldLogs = "testdata/logs"

// writeLog makes the log of this release: run once for a new format, with
// ASSENT_UPDATE=1 and the old file renamed.
func writeLog(t *testing.T, path string) {
	t.Helper()
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	f := setUp(t, policy.Ask)
	var n atomic.Int64
	f.o.Journal, f.o.Owner = j, "first"
	f.o.NewID = func(kind string) string { return fmt.Sprintf("%s_%02d", kind, n.Add(1)) }
	f.start(t)
	begin := func(messages ...string) {
		f.model.list = nil
		for _, m := range messages {
			f.model.list = append(f.model.list, says("", call("1", "put", `{"id":"`+m+`"}`)))
		}
		if f.session, err = f.e.Create(engine.Who{Principal: "ada", Groups: []string{"staff"}}, policy.Ask); err != nil {
			t.Fatal(err)
		}
	}
	begin("A", "B") // approved for the session, covered, done
	w := f.send(t, "a turn that ended")
	f.desk.answer(f.desk.next(t), approval.ApproveForSession())
	finish(t, w)
	begin("C", "D") // edited, then denied with a reason
	w = f.send(t, "a turn that ended")
	f.desk.answer(f.desk.next(t), approval.Edit([]byte(`{"id":"<C&>"}`)))
	f.desk.answer(f.desk.next(t), approval.Deny("not this one"))
	finish(t, w)
	begin("E") // a question is open
	f.send(t, "a turn that waits")
	f.desk.next(t)
	begin("F") // started, and then the process was killed
	slow, started, _ := f.slow("put", policy.Write)
	f.e.SetTools(box(t, slow))
	f.send(t, "a turn that was lost")
	f.desk.answer(f.desk.next(t), approval.Approve())
	<-started
}

func TestOldLogsAreReadAndGoOn(t *testing.T) {
	if os.Getenv("ASSENT_UPDATE") == "1" && len(logs(t)) == 0 {
		writeLog(t, filepath.Join(oldLogs, "v1.jsonl"))
	}
	for _, path := range logs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			mine := filepath.Join(t.TempDir(), "journal")
			if err := os.WriteFile(mine, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := journal.OpenFile(mine, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			name := strings.TrimPrefix(strings.TrimSuffix(path, ".jsonl")+".txt", "testdata/")
			assenttest.Golden(t, name, []byte(summary(t, j)))
			goOn(t, j)
		})
	}
}

func logs(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(oldLogs + "/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// summary says what the sessions of a journal add up to.
func summary(t *testing.T, j journal.Journal) string {
	t.Helper()
	var b strings.Builder
	for stream, err := range j.Streams(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		s := turn.New(nil)
		for r, err := range j.Read(t.Context(), stream, 0) {
			if err != nil {
				t.Fatal(err)
			}
			ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
			if err == nil {
				err = s.Apply(ev)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		describe(&b, s)
	}
	return b.String()
}

func describe(b *strings.Builder, s *turn.Session) {
	fmt.Fprintf(b, "%s of %s %v, mode %v, owner %s, %d grants, turn open: %v\n", s.ID, s.Principal, s.Groups, s.Mode, s.Owner, len(s.Grants), s.Turn.Open())
	for _, m := range s.Messages {
		raw, _ := json.Marshal(m)
		fmt.Fprintf(b, "  %s\n", raw)
	}
	for _, c := range s.Turn.Calls {
		outcome := turn.Outcome("")
		if c.Ended != nil {
			outcome = c.Ended.Outcome
		}
		fmt.Fprintf(b, "  call %s %s %s %s %s\n", c.ID, c.Wire, c.Args, c.State, outcome)
	}
	ids := make([]string, 0, len(s.Approvals))
	for id := range s.Approvals {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		a := s.Approvals[id]
		fmt.Fprintf(b, "  approval %s of %s: %s %v by %q\n", id, a.Call, a.Question, a.State, a.By)
	}
}

// goOn takes the sessions up: the open question is asked again, and a person
// says what became of the lost call.
func goOn(t *testing.T, j journal.Journal) {
	t.Helper()
	f := setUp(t, policy.Ask)
	f.o.Journal = j
	f.restart(t)
	asked := map[bool]approval.Request{}
	for range 2 {
		r := f.desk.next(t)
		asked[r.Lost] = r
	}
	for _, lost := range []bool{false, true} {
		r := asked[lost]
		_, w, err := f.e.Follow(r.Session)
		if err != nil {
			t.Fatal(err)
		}
		a := approval.Approve()
		if lost {
			a = approval.Became(approval.ChooseHappened)
		}
		f.desk.answer(r, a)
		finish(t, w)
	}
	want(t, "did", []string{f.list()}, []string{`put{"id":"E"}`})
	for r, err := range journal.Records(t.Context(), j) {
		if err != nil || r.State != audit.Whole {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}
