package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/sqlstore"
	"github.com/assentdev/assent/server/store"
)

var errPlanted = errors.New("planted")

// faulty is a store on SQLite whose batches fail where fails says so, before they
// are run.
func faulty(t *testing.T, d sqlstore.Dialect, fails func(list []sqlstore.Statement) error) store.Store {
	t.Helper()
	file := "file:" + filepath.Join(t.TempDir(), "x.db") + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"
	var db [2]*sql.DB
	for i := range db {
		var err error
		if db[i], err = sql.Open("sqlite", file); err != nil {
			t.Fatal(err)
		}
	}
	d.Name, d.Begin, d.Now = "faulty", "begin immediate", "cast(unixepoch('subsec') * 1000 as integer)"
	d.Batch = func(ctx context.Context, c *sql.Conn, list []sqlstore.Statement) error {
		if err := fails(list); err != nil {
			return err
		}
		for _, s := range list {
			if _, err := c.ExecContext(ctx, s.SQL, s.Args...); err != nil {
				return err
			}
		}
		return nil
	}
	s, err := sqlstore.Open(t.Context(), db[0], db[1], sqlstore.NewHub(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func note(text string) []audit.Draft {
	return []audit.Draft{{Type: "noted", Version: 1, Time: time.UnixMilli(1), Payload: []byte(text)}}
}

// appends says how many records a batch writes, and whether one of them is poison.
func appends(list []sqlstore.Statement) (n int, poison bool) {
	for _, s := range list {
		if strings.HasPrefix(s.SQL, "insert into records") {
			n++
			poison = poison || slices.ContainsFunc(s.Args, func(a any) bool { b, ok := a.([]byte); return ok && string(b) == "poison" })
		}
	}
	return n, poison
}

func codes(t *testing.T, s store.Store, callers int, payload func(i int) string) []fault.Code {
	t.Helper()
	list := make([]fault.Code, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			_, err := s.Journal("acme").Append(t.Context(), fmt.Sprint("s", i), 0, note(payload(i)))
			list[i] = fault.CodeOf(err)
		})
	}
	wg.Wait()
	return list
}

// proves: D8 (one request that the database refuses does not fail those that share
// its transaction)
func TestOneOfAGroupFailsAlone(t *testing.T) {
	var shared atomic.Int64
	s := faulty(t, sqlstore.Dialect{}, func(list []sqlstore.Statement) error {
		if n, poison := appends(list); poison {
			shared.Add(int64(n - 1))
			return errPlanted
		}
		time.Sleep(2 * time.Millisecond) // so that others gather
		return nil
	})
	payload := func(i int) string {
		if i%10 == 3 {
			return "poison"
		}
		return "good"
	}
	for i, code := range codes(t, s, 64, payload) {
		if want := map[bool]fault.Code{true: fault.Unwritable, false: ""}[i%10 == 3]; code != want {
			t.Errorf("caller %d: %q, want %q", i, code, want)
		}
	}
	if shared.Load() == 0 {
		t.Error("no group held poison and something else: nothing was tested")
	}
	heads, err := s.Heads(t.Context(), "acme")
	if err != nil || len(heads) != 57 {
		t.Errorf("%d streams, %v, want 57", len(heads), err)
	}
}

// proves: D8 (after an error that leaves the disk in doubt nothing more is
// written, and reading goes on)
func TestABrokenDiskEndsAllWriting(t *testing.T) {
	broken := false
	d := sqlstore.Dialect{Broken: func(err error) bool { return errors.Is(err, errPlanted) }}
	s := faulty(t, d, func([]sqlstore.Statement) error {
		if broken {
			return errPlanted
		}
		return nil
	})
	if got := codes(t, s, 1, func(int) string { return "before" }); got[0] != "" {
		t.Fatal(got)
	}
	broken = true
	_, err := s.Journal("acme").Append(t.Context(), "s0", 1, note("in between"))
	if fault.CodeOf(err) != fault.Unwritable || !errors.Is(err, errPlanted) {
		t.Fatal(err)
	}
	broken = false
	for name, err := range map[string]error{
		"Append": func() error { _, err := s.Journal("acme").Append(t.Context(), "s0", 1, note("after")); return err }(),
		"Erase":  s.Journal("acme").Erase(t.Context(), "s0", 1),
		"Post":   s.Post(t.Context(), store.Command{Tenant: "acme", Session: "s", Key: "k"}),
		"Join":   s.Join(t.Context(), "m", time.Second),
	} {
		if fault.CodeOf(err) != fault.Unwritable || !strings.Contains(fault.TextOf(err), "open it again") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for r, err := range s.Journal("acme").Read(t.Context(), "s0", 0) {
		if err != nil || string(r.Payload) != "before" {
			t.Errorf("read %s, %v", r.Payload, err)
		}
	}
}

// proves: V6 (a row that somebody changed behind the log's back is found when it
// is read, and a head that was set back when the store is checked)
func TestChangedRowsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		change string
		find   func(s store.Store) error
	}{
		"a payload":                 {"update records set payload = x'62616421' where seq = 2", readAll},
		"a type":                    {"update records set type = 'other' where seq = 2", readAll},
		"a missing record":          {"delete from records where seq = 2", readAll},
		"a head that was set back":  {"update heads set seq = 2", func(s store.Store) error { return s.Check(context.Background()) }},
		"a record that was cut off": {"delete from records where seq = 3", func(s store.Store) error { return s.Check(context.Background()) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := onSQLite(t)
			s, err := b.open()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for i := range uint64(3) {
				if _, err := s.Journal("acme").Append(t.Context(), "s", i, note(fmt.Sprint(i))); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(readAll(s), s.Check(t.Context())); err != nil {
				t.Fatal(err)
			}
			mustExec(t, b.db, c.change)
			defer b.db.Close()
			if err := c.find(s); fault.CodeOf(err) != fault.BadJournal {
				t.Errorf("found: %v", err)
			}
		})
	}
}

func readAll(s store.Store) error {
	for _, err := range s.Journal("acme").Read(context.Background(), "s", 0) {
		if err != nil {
			return err
		}
	}
	return nil
}
