package sqldata_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// open opens a database with one note, "first", and two pools of it.
func open(t *testing.T, reading string) (read, write *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes.db")
	pool := func(options string) *sql.DB {
		db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: options}).String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	write = pool("_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)")
	if _, err := write.Exec(`CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT); INSERT INTO notes VALUES ('1', 'first')`); err != nil {
		t.Fatal(err)
	}
	return pool(reading), write
}

type key struct {
	ID string `param:"id"`
}

type note struct {
	Text string `json:"text"`
	Then string `json:"then,omitempty"` // what the handler does after it wrote
}

func text(ctx context.Context, db sqldata.DB, id string) (text string, err error) {
	err = db.QueryRowContext(ctx, "SELECT text FROM notes WHERE id = ?", id).Scan(&text)
	return text, err
}

func write(c *resource.Context, id, to string) error {
	_, err := sqldata.From(c).ExecContext(c, "UPDATE notes SET text = ? WHERE id = ?", to, id)
	return err
}

// notes is an app whose every definition writes.
func notes(data resource.Data) *resource.App {
	r := resource.New("notes", func(next resource.Handler) resource.Handler {
		return func(c *resource.Context) resource.Result {
			if c.Principal == "middleware" {
				if err := write(c, "1", "written by middleware"); err != nil {
					return resource.Errorf(resource.Forbidden, "%v", err).Result()
				}
			}
			return next(c)
		}
	})
	resource.View(r, "show", func(c *resource.Context, k key) (resource.Node, error) {
		return resource.Text("shown"), write(c, k.ID, "written by a view")
	}).SetAgentOptions(resource.AgentOptions{Description: "Shows a note."})
	resource.Lookup(r, "find", func(c *resource.Context, _ resource.None, q string) ([]resource.Record, error) {
		return nil, write(c, "1", "written by a lookup")
	}).SetAgentOptions(resource.AgentOptions{Description: "Finds notes."})
	set := resource.Action(r, "set", func(c *resource.Context, k key, n note) (resource.Node, error) {
		if err := write(c, k.ID, n.Text); err != nil {
			return nil, err
		}
		switch n.Then {
		case "fail":
			return nil, errors.New("the disk is full")
		case "refuse":
			return nil, resource.Errorf(resource.Conflict, "not now")
		case "panic":
			panic("out of paper")
		case "redirect":
			return nil, resource.RedirectTo(&resource.LinkNode{To: resource.Address{Resource: "notes", View: "show"}})
		}
		return resource.Text("set"), nil
	}).SetClass(assent.Write)
	set.SetPreview(func(c *resource.Context, k key, n note) (*assent.Preview, error) {
		return &assent.Preview{Summary: "previewed"}, write(c, k.ID, "written by a preview")
	})
	set.SetUndo(resource.UndoBy(set, func(c *resource.Context, k key, _ note) (key, note, error) {
		was, err := text(c, sqldata.From(c), k.ID)
		return k, note{Text: was}, err
	}))
	set.SetAgentOptions(resource.AgentOptions{Description: "Sets a note."})
	return resource.NewApp(&resource.AppOptions{Data: data}, r)
}

// A read is a property: whatever a view, a lookup, a preview or middleware tries
// to write fails, and nothing is written.
//
// proves: R8
func TestAReadCannotWrite(t *testing.T) {
	for _, reading := range []string{"mode=ro", "_pragma=query_only(1)"} {
		read, w := open(t, reading)
		app := notes(sqldata.New(read, w, nil))
		calls := map[string]func() resource.Result{
			"view": func() resource.Result {
				return app.RenderView(t.Context(), resource.ViewCall{Resource: "notes", View: "show", Params: map[string]string{"id": "1"}})
			},
			"lookup": func() resource.Result {
				return app.HandleLookup(t.Context(), resource.LookupCall{Resource: "notes", Lookup: "find"})
			},
			"preview": func() resource.Result {
				_, r := app.PreviewAction(t.Context(), set("x", ""))
				return r
			},
			"middleware": func() resource.Result {
				x := set("x", "")
				x.By.Principal = "middleware"
				return app.HandleAction(t.Context(), x)
			},
			"a view as a tool": func() resource.Result {
				return app.Invoke(t.Context(), "notes_show", []byte(`{"id":"1"}`), resource.Caller{})
			},
		}
		for name, call := range calls {
			if r := call(); r.Kind != resource.Failure {
				t.Errorf("%s, %s: the write went through: %s", reading, name, r.JSON())
			}
		}
		if got, err := text(t.Context(), w, "1"); got != "first" || err != nil {
			t.Errorf("%s: the note is %q, %v", reading, got, err)
		}
	}
}

func set(to, then string) resource.ActionCall {
	payload := `{"text":"` + to + `","then":"` + then + `"}`
	if then == "" {
		payload = `{"text":"` + to + `"}`
	}
	return resource.ActionCall{Resource: "notes", Action: "set", Params: map[string]string{"id": "1"}, Payload: []byte(payload)}
}

// All that an action wrote is kept, or none of it.
//
// proves: R5, R6
func TestAnActionIsOneTransaction(t *testing.T) {
	for _, test := range []struct{ then, want, kind string }{
		{"", "second", "success"},
		{"redirect", "first", "redirect"},
		{"fail", "first", "error"},
		{"refuse", "first", "error"},
		{"panic", "first", "error"},
	} {
		read, w := open(t, "mode=ro")
		r := notes(sqldata.New(read, w, nil)).HandleAction(t.Context(), set("second", test.then))
		if string(r.Kind) != test.kind {
			t.Errorf("%q: %s", test.then, r.JSON())
		}
		if strings.Contains(string(r.JSON()), "disk") || strings.Contains(string(r.JSON()), "paper") {
			t.Errorf("%q: a cause has left the process: %s", test.then, r.JSON())
		}
		if got, _ := text(t.Context(), w, "1"); got != test.want {
			t.Errorf("%q: the note is %q, want %q", test.then, got, test.want)
		}
	}
}

// An app whose handle for reading can write does not start.
//
// proves: R8
func TestAHandleForReadingThatWritesIsFoundAtStart(t *testing.T) {
	for _, test := range []struct {
		reading string
		ok      bool
	}{{"mode=ro", true}, {"_pragma=query_only(1)", true}, {"mode=rwc", false}} {
		read, w := open(t, test.reading)
		app := notes(sqldata.New(read, w, nil))
		err := app.Check()
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", test.reading, err)
		}
		if _, err := app.Tools(); (err == nil) != test.ok {
			t.Errorf("%s: tools: %v", test.reading, err)
		}
		if _, err := w.Exec("SELECT * FROM assent_reads_only"); err == nil {
			t.Errorf("%s: the check left its table behind", test.reading)
		}
	}
}

// Where the database cannot be reached, a call says so and nothing else.
func TestADatabaseThatIsGone(t *testing.T) {
	read, w := open(t, "mode=ro")
	app := notes(sqldata.New(read, w, &sqldata.Options{ReadOnlyTx: true}))
	_ = read.Close()
	r := app.RenderView(t.Context(), resource.ViewCall{Resource: "notes", View: "show", Params: map[string]string{"id": "1"}})
	if r.Status != 503 || r.Error.Code != resource.Unreachable {
		t.Errorf("%s", r.JSON())
	}
	if err := app.Check(); fault.CodeOf(err) != resource.Unreachable {
		t.Errorf("check: %v", err)
	}
}

func session(t *testing.T, app *resource.App, mode assent.Mode) *assent.Session {
	t.Helper()
	agent, err := assent.Start(t.Context(), assent.WithToolSource(app.Source()), assent.WithPrincipal("ann"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.Close() })
	s, err := agent.StartSession(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An action is taken back by its partner if the thing is as it was left.
//
// proves: T4, R8
func TestUndo(t *testing.T) {
	for _, test := range []struct{ meanwhile, want, said string }{
		{"", "first", "set"},
		{"third", "third", "has changed since"},
		{"second", "first", "set"}, // what was changed and changed back is as it was left
	} {
		read, w := open(t, "mode=ro")
		app := notes(sqldata.New(read, w, nil))
		s := session(t, app, assent.Auto)
		if r, err := s.Call(t.Context(), "notes_set", []byte(`{"id":"1","text":"second"}`)).Wait(); err != nil || r.Text != "set" {
			t.Fatalf("%v, %v", r, err)
		}
		if test.meanwhile != "" {
			if _, err := w.Exec("UPDATE notes SET text = 'other'; UPDATE notes SET text = ?", test.meanwhile); err != nil {
				t.Fatal(err)
			}
		}
		r, err := s.Undo(t.Context(), s.Undoable()[0].ID).Wait()
		if err != nil || !strings.Contains(r.Text, test.said) {
			t.Errorf("%q: %v, %v", test.meanwhile, r, err)
		}
		if got, _ := text(t.Context(), w, "1"); got != test.want {
			t.Errorf("%q: the note is %q, want %q", test.meanwhile, got, test.want)
		}
	}
}

// What a model may take for a failed write may have had an effect elsewhere: a
// handler that panics leaves the outcome in doubt (SPEC T2).
//
// proves: T2
func TestAPanicLeavesDoubt(t *testing.T) {
	read, w := open(t, "mode=ro")
	s := session(t, notes(sqldata.New(read, w, nil)), assent.Auto)
	r, err := s.Call(t.Context(), "notes_set", []byte(`{"id":"1","text":"second","then":"panic"}`)).Wait()
	if err != nil || !strings.Contains(r.Text, "not known") || strings.Contains(r.Text, "paper") {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := s.Call(t.Context(), "notes_set", []byte(`{"id":"1","text":"second","then":"fail"}`)).Wait(); err != nil || strings.Contains(r.Text, "not known") {
		t.Errorf("an error of the handler: %v, %v", r, err)
	}
}
