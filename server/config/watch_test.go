package config_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/config"
)

const small = "providers: [{name: demo, kind: scripted}]\nagents: [{slug: a, model: demo/x, instructions_file: a.md, contract: {tools: [{tool: t}]}}]\n"

// watched is a file that is followed in a bubble of its own time.
type watched struct {
	*testing.T
	path string
	file *config.File
	mu   sync.Mutex
	told []string // "ok" or the error's text, as onChange was called

	looks func(n int, apart time.Duration)
}

// looked is a file at which the test itself looks, at times of its own.
func looked(t *testing.T) *watched {
	w := &watched{T: t, path: filepath.Join(t.TempDir(), "assent.yaml")}
	w.open()
	now, look := time.Now(), w.file.Looks(w.tell)
	w.looks = func(n int, apart time.Duration) {
		for range n {
			now = now.Add(apart)
			look(now)
		}
	}
	return w
}

func (w *watched) open() {
	w.Helper()
	w.write("a.md", "Be brief.")
	w.write("assent.yaml", small)
	file, err := config.Open(w.path)
	if err != nil {
		w.Fatal(err)
	}
	w.file = file
}

// tell is what a watch calls.
func (w *watched) tell(c *config.Config, err error) {
	if c != w.file.Config() {
		w.Error("onChange was given another configuration than the file has")
	}
	text := "ok"
	if err != nil {
		text = fault.TextOf(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, text)
}

// watch runs f beside a watch of a file with the text small.
func watch(t *testing.T, f func(w *watched)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &watched{T: t, path: filepath.Join(dir, "assent.yaml")}
		w.open()
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() {
			if err := w.file.Watch(ctx, w.tell); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		w.wait(500 * time.Millisecond) // between two looks
		f(w)
		cancel()
		done.Wait()
	})
}

func (w *watched) write(name, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(w.path), name), []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// heard returns what was told since the last time, joined.
func (w *watched) heard() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := strings.Join(w.told, "|")
	w.told = nil
	return s
}

func (w *watched) instructions() string { return w.file.Config().Agent("local", "a").Instructions }

// offers reports what becomes of the listed tool.
func (w *watched) offers() policy.Verdict {
	tool := policy.Tool{Kind: policy.Host, Name: "t", Class: policy.Read, Pin: "x"}
	d, _ := w.file.Authority("local", "a").Policy().Offer(&policy.Facts{Tool: tool, Agent: "a", Mode: policy.Ask})
	return d.Verdict
}

// TestAChangedFileIsTakenWhole: a new text counts once it has been the same for
// two looks.
func TestAChangedFileIsTakenWhole(t *testing.T) {
	watch(t, func(w *watched) {
		w.wait(5 * time.Second)
		if s := w.heard(); s != "" {
			t.Error("told without a change:", s)
		}
		before := w.file.Config()
		w.write("assent.yaml", strings.Replace(small, "instructions_file: a.md", "instructions: New.", 1))
		w.wait(time.Second)
		if w.file.Config() != before {
			t.Error("taken after one look")
		}
		w.wait(time.Second)
		if s := w.heard(); s != "ok" || w.instructions() != "New." {
			t.Error(s, w.instructions())
		}
		w.write("assent.yaml", "# only a comment\n"+strings.Replace(small, "instructions_file: a.md", "instructions: New.", 1))
		w.wait(5 * time.Second)
		if s := w.heard(); s != "" {
			t.Error("told of a change of the layout:", s)
		}
	})
}

// TestAFileThatIsBeingWrittenIsNotTaken: a text that is cut off can be a good one
// that says less.
func TestAFileThatIsBeingWrittenIsNotTaken(t *testing.T) {
	watch(t, func(w *watched) {
		version := w.file.Config().Version
		text := small + "rules:\n- {id: r0, effect: deny}\n"
		for i := range 5 {
			w.write("assent.yaml", strings.Replace(text, "r0", strings.Repeat("r", i+1), 1))
			w.wait(time.Second)
			if w.file.Config().Version != version {
				t.Fatal("a text was taken that was there for one look")
			}
		}
		w.wait(time.Second)
		if s := w.heard(); s != "ok" {
			t.Error(s)
		}
	})
}

// TestABadFileChangesNothing: it is told once, and the old one stays for as long
// as it takes.
//
// proves: D5
func TestABadFileChangesNothing(t *testing.T) {
	w := looked(t)
	before := w.file.Config()
	w.write("assent.yaml", small+"rulez: []\n")
	w.looks(3, time.Second)
	s := w.heard()
	if !strings.Contains(s, `assent.yaml:3:1: rulez: unknown field "rulez"`) || strings.Contains(s, "|") || w.file.Config() != before {
		t.Error(s)
	}
	w.looks(48, time.Hour)
	if s := w.heard(); s != "" || w.offers() != policy.Run {
		t.Error(s, w.offers())
	}
	w.write("assent.yaml", small+"rules: []\n")
	w.looks(3, time.Second)
	if s := w.heard(); s != "" || w.file.Config().Version != before.Version {
		t.Error("the same content was told as new:", s)
	}
}

// TestAFileThatGoesAway keeps the last good one, its contracts for a day.
//
// proves: D6 D8
func TestAFileThatGoesAway(t *testing.T) {
	w := looked(t)
	w.looks(3, time.Second)
	before := w.file.Config()
	if err := os.Remove(w.path); err != nil {
		t.Fatal(err)
	}
	w.looks(23, time.Hour)
	if s := w.heard(); !strings.HasSuffix(s, "assent.yaml: the file is not there: make it, or correct the path") || strings.Contains(s, "|") {
		t.Error(s)
	}
	if w.offers() != policy.Run || w.file.Config() != before {
		t.Error("the last good copy did not stand in")
	}
	w.looks(2, time.Hour)
	if s := w.heard(); s == "" || strings.Contains(s, "|") || w.offers() != policy.Hidden || w.file.Config().Version == before.Version {
		t.Error("after a day the contract still counts:", s)
	}
	if before.Agent("local", "a").Document.Contract.Unreadable {
		t.Error("the old configuration was changed")
	}
	w.write("assent.yaml", small)
	w.looks(3, time.Second)
	if s := w.heard(); s != "ok" || w.offers() != policy.Run || w.file.Config().Version != before.Version {
		t.Error("the file is back:", s)
	}
}

// TestAFileThatComesBackInTimeIsTold ends what was reported.
func TestAFileThatComesBackInTimeIsTold(t *testing.T) {
	watch(t, func(w *watched) {
		if err := os.Rename(w.path, w.path+"~"); err != nil {
			t.Fatal(err)
		}
		w.wait(3 * time.Second)
		if err := os.Rename(w.path+"~", w.path); err != nil {
			t.Fatal(err)
		}
		w.wait(3 * time.Second)
		if s := w.heard(); strings.Count(s, "|") != 1 || !strings.HasSuffix(s, "|ok") {
			t.Error(s)
		}
	})
}

// TestANamedFileIsWatchedToo: instructions in a file of their own.
func TestANamedFileIsWatchedToo(t *testing.T) {
	watch(t, func(w *watched) {
		w.wait(3 * time.Second)
		w.write("a.md", "Be long.")
		w.wait(3 * time.Second)
		if s := w.heard(); s != "ok" || w.instructions() != "Be long." {
			t.Error(s, w.instructions())
		}
		if err := os.Remove(filepath.Join(filepath.Dir(w.path), "a.md")); err != nil {
			t.Fatal(err)
		}
		w.wait(3 * time.Second)
		if s := w.heard(); !strings.Contains(s, "instructions_file: the file is not there") || w.instructions() != "Be long." {
			t.Error(s, w.instructions())
		}
	})
}

// TestARemovedAgentRunsNothing: its authority has no policy, so all is refused.
//
// proves: D8
func TestARemovedAgentRunsNothing(t *testing.T) {
	watch(t, func(w *watched) {
		a := w.file.Authority("local", "a")
		w.write("assent.yaml", strings.Replace(small, "slug: a", "slug: b", 1))
		w.wait(3 * time.Second)
		if a.Policy() != nil {
			t.Error("a removed agent has a policy")
		}
		if _, err := a.Profile(t.Context()); fault.CodeOf(err) != fault.NotFound {
			t.Error(err)
		}
		if _, err := a.Report(t.Context(), nil); fault.CodeOf(err) != fault.NotFound {
			t.Error(err)
		}
	})
}

// TestWatchBeginsWithTheFile: the function that does all of it.
func TestWatchBeginsWithTheFile(t *testing.T) {
	dir := t.TempDir()
	if err := config.Watch(t.Context(), filepath.Join(dir, "none.yaml"), nil); fault.CodeOf(err) != fault.BadConfig {
		t.Error(err)
	}
	if err := config.Watch(t.Context(), dir, nil); fault.TextOf(err) != dir+": the file is no regular file: name one" {
		t.Error(fault.TextOf(err))
	}
	path := filepath.Join(dir, "assent.yaml")
	if err := os.WriteFile(path, config.Example(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := config.Watch(ctx, path, func(c *config.Config, err error) {
		calls++
		if c.Agent("local", "assistant") == nil || err != nil {
			t.Error(err)
		}
		cancel()
	})
	if calls != 1 || !errors.Is(err, context.Canceled) {
		t.Error(calls, err)
	}
}
