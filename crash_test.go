package assent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/model"
)

// These tests kill a child process with the file journal at each crash point of
// a turn, in pairs, and at random, and start it again until the turn has ended.
// A ledger that the tools write and sync is the witness of what really happened.
//
// proves: S2, D8, P5, G-R01, G-R02, G-R03, G-R04

const crashDir, crashAt = "ASSENT_TEST_CRASH_DIR", "ASSENT_TEST_CRASH_AT"

// TestMain makes the test binary the child as well.
func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		n, _ := strconv.Atoi(os.Getenv(crashAt))
		if err := crashChild(dir, n); err != nil {
			fmt.Println("child:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// ledger is what the tools really did, one line for each effect.
type ledger struct {
	mu   sync.Mutex
	path string
}

func (l *ledger) note(line string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		return err
	}
	return f.Sync()
}

func (l *ledger) has(call string) bool {
	b, _ := os.ReadFile(l.path)
	return strings.Contains(string(b), call+" ")
}

// planned is a model that asks for three calls, and then says it is done.
type planned struct{}

func (planned) Generate(_ context.Context, req *model.Request, _ func(model.Delta)) (*model.Answer, error) {
	if req.Messages[len(req.Messages)-1].Role == model.ToolRole {
		return &model.Answer{Message: model.Message{Role: model.Assistant, Text: "done"}, Finish: model.FinishStop}, nil
	}
	calls := []model.Call{{ID: "1", Name: "get", Args: `{}`}, {ID: "2", Name: "put", Args: `{}`}, {ID: "3", Name: "drop", Args: `{}`}}
	return &model.Answer{Message: model.Message{Role: model.Assistant, Calls: calls}, Finish: model.FinishCalls}, nil
}

// crashChild runs one turn to its end, or goes on with the one that is open. It
// is killed at the n-th crash point.
func crashChild(dir string, n int) error {
	l := &ledger{path: filepath.Join(dir, "ledger")}
	define := func(name string, class assent.Class) *assent.Tool {
		return assent.Define(name, name, func(ctx context.Context, _ struct{}) (string, error) {
			return name + " ok", l.note(assent.CallFrom(ctx).ID + " " + name)
		}, &assent.ToolOptions[struct{}]{Class: class})
	}
	// The person looks at the world before saying what became of a call.
	person := assenttest.NewPerson().Decides("", func(r approval.Request) (approval.Answer, error) {
		switch {
		case !r.Lost:
			return approval.Approve(), nil
		case l.has(r.Call):
			return approval.Became(approval.ChooseHappened), nil
		}
		return approval.Became(approval.ChooseRunAgain), nil
	})
	j, err := journal.OpenFile(filepath.Join(dir, "journal"), nil)
	if err != nil {
		return err
	}
	defer j.Close()
	agent, err := assent.New(assent.WithModel(planned{}), assent.WithJournal(j), assent.WithApprovals(person), assent.WithCrashPoints(assenttest.KillAt(n)),
		assent.WithTools(define("get", assent.Read), define("put", assent.Write), define("drop", assent.Destructive)))
	if err != nil {
		return err
	}
	defer agent.Close()
	return crashTurn(agent)
}

func crashTurn(agent *assent.Agent) error {
	ctx := context.Background()
	if err := agent.Start(ctx); err != nil {
		return err
	}
	ids, err := agent.Sessions(ctx)
	if err != nil {
		return err
	}
	var s *assent.Session
	if len(ids) == 0 {
		s, err = agent.StartSession(ctx, assent.Auto)
	} else {
		s, err = agent.OpenSession(ids[0])
	}
	if err != nil {
		return err
	}
	t, err := s.Resume(ctx)
	if err != nil && len(s.Messages()) > 0 {
		return nil // the turn has ended
	}
	if err != nil {
		t = s.Send(ctx, "go")
	}
	_, err = t.Wait()
	return err
}

// child runs the child once. It reports whether it was killed.
func child(t *testing.T, dir string, at int, after time.Duration) (killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir, crashAt+"="+strconv.Itoa(at))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	if err == nil {
		return false
	}
	if cmd.ProcessState.ExitCode() == -1 {
		return true
	}
	t.Fatalf("%v: %s", err, out.String())
	return false
}

// settled runs the child until the turn has ended, and then compares the log
// with the ledger.
func settled(t *testing.T, dir string) {
	t.Helper()
	if child(t, dir, 0, 0) {
		t.Fatal("the child died by itself")
	}
	path := filepath.Join(dir, "journal")
	report, err := journal.VerifyFile(path, nil)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		t.Fatalf("the log does not verify: %v", err)
	}
	outcomes := logged(t, path)
	if len(outcomes) != 3 {
		t.Fatalf("%d calls have a result, want 3: %v", len(outcomes), outcomes)
	}
	effects := map[string]int{}
	b, _ := os.ReadFile(filepath.Join(dir, "ledger"))
	for line := range strings.Lines(string(b)) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "get" {
			effects[id]++
		}
	}
	if len(effects) != 2 {
		t.Errorf("%d of 2 write calls had their effect", len(effects))
	}
	for id, n := range effects {
		if n != 1 || outcomes[id] != "ok" {
			t.Errorf("call %s: %d effects, outcome %q", id, n, outcomes[id])
		}
	}
}

// logged returns the outcome of every call in a journal.
func logged(t *testing.T, path string) map[string]string {
	t.Helper()
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	outcomes := map[string]string{}
	for r, err := range journal.Records(t.Context(), j) {
		if err != nil {
			t.Fatal(err)
		}
		var refs struct{ Call, State string }
		if err := json.Unmarshal(r.Header, &refs); err != nil {
			t.Fatal(err)
		}
		if r.Type == "call.ended" {
			if was := outcomes[refs.Call]; was != "" {
				t.Errorf("call %s has two results: %s and %s", refs.Call, was, refs.State)
			}
			outcomes[refs.Call] = refs.State
		}
	}
	return outcomes
}

// points counts the crash points of a turn that nothing disturbs.
func points(t *testing.T) int {
	t.Helper()
	for n := 1; ; n++ {
		dir := t.TempDir()
		if !child(t, dir, n, 0) {
			return n - 1
		}
		settled(t, dir)
	}
}

func TestKilledAtEachPointInPairsAndAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	n := points(t)
	if n < 10 {
		t.Fatalf("only %d crash points", n)
	}
	step, rounds := 7, 10
	if os.Getenv("ASSENT_NIGHTLY") != "" {
		step, rounds = 1, 500
	}
	pairs := 0
	for k := range n * n {
		if k%step != 0 {
			continue
		}
		dir := t.TempDir()
		child(t, dir, 1+k/n, 0)
		child(t, dir, 1+k%n, 0)
		settled(t, dir)
		pairs++
	}
	for range rounds {
		dir := t.TempDir()
		for range 3 {
			child(t, dir, 0, time.Duration(rand.IntN(60_000)+1)*time.Microsecond)
		}
		settled(t, dir)
	}
	t.Logf("%d points, %d pairs, %d random rounds of three kills", n, pairs, rounds)
}
