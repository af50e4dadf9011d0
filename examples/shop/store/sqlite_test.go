package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/fault"
)

// SPEC R8: that a read changes nothing is a property, not a promise.
func TestNothingCanBeWrittenThroughRead(t *testing.T) {
	s := open(t, store.Own())
	o, err := store.GetOrder(t.Context(), s.Read, coats)
	if err != nil {
		t.Fatal(err)
	}
	o.Status = "eaten"
	if err := store.PutOrder(t.Context(), s.Read, o); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("an order was put through Read: %v", err)
	}
	for _, text := range []string{"DELETE FROM orders", "DROP TABLE users", "CREATE TEMP TABLE x (y)", "VACUUM",
		"PRAGMA query_only = 0; DELETE FROM orders", "UPDATE orders SET doc = '' RETURNING id"} {
		if _, err := s.Read.ExecContext(t.Context(), text); err == nil {
			t.Errorf("%s ran through Read", text)
		}
	}
	if o, err = store.GetOrder(t.Context(), s.Read, coats); err != nil || o.Status != store.Pending {
		t.Errorf("the order is %v, %v", o, err)
	}
}

// Why Read is a pool with options of its own and not a transaction that says it
// reads: the driver does not hold such a transaction to it.
func TestWhatTheDriverEnforces(t *testing.T) {
	for _, c := range []struct {
		name, options string
		tx            *sql.TxOptions
		refused       bool
	}{
		{"a read-only transaction", "", &sql.TxOptions{ReadOnly: true}, false},
		{"query_only", "_pragma=query_only(1)", nil, true},
		{"mode=ro", "mode=ro", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "shop.db")
			s, err := store.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: file, RawQuery: c.options}).String())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := insert(t.Context(), db, c.tx); (err != nil) != c.refused {
				t.Errorf("a write gives %v", err)
			}
			var rows int
			if err := s.Read.QueryRow("SELECT count(*) FROM products").Scan(&rows); err != nil || (rows == 0) != c.refused {
				t.Errorf("%d rows were committed, %v", rows, err)
			}
		})
	}
}

func insert(ctx context.Context, db *sql.DB, options *sql.TxOptions) error {
	tx, err := db.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := store.PutProduct(ctx, tx, &store.Product{ID: "1", Name: "Spoon"}); err != nil {
		return err
	}
	return tx.Commit()
}

func TestACopyIsAShopOfItsOwn(t *testing.T) {
	s := open(t, store.Own())
	before := documents(t, s)
	var copies sync.WaitGroup
	dir := filepath.Join(t.TempDir(), "with space, ? and #%41")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		copies.Go(func() {
			c, err := s.Copy(t.Context(), filepath.Join(dir, fmt.Sprint(i)))
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if got := documents(t, c); !reflect.DeepEqual(got, before) {
				t.Errorf("copy %d holds %d documents, want %d", i, len(got), len(before))
			}
			if _, err := change(t.Context(), c, coats, cancel("no longer needed")); err != nil {
				t.Error(err)
			}
		})
	}
	copies.Wait()
	if !reflect.DeepEqual(documents(t, s), before) {
		t.Error("a copy changed its original")
	}
}

func TestACopyHoldsWhatWasCommittedLast(t *testing.T) {
	s := open(t, store.Own())
	if _, err := change(t.Context(), s, coats, cancel("no longer needed")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	c, err := s.Copy(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !reflect.DeepEqual(documents(t, c), documents(t, s)) {
		t.Error("the copy is older than the store")
	}
	if _, err := s.Copy(t.Context(), file); !errors.Is(err, os.ErrExist) {
		t.Errorf("a copy over an open store gives %v", err)
	}
}

// The child changes order and user in one transaction and is killed before, or
// right after, it commits.
func TestAKillInBetweenLeavesTheOldOrderWhole(t *testing.T) {
	if file := os.Getenv("SHOP_CHILD"); file != "" {
		child(t, file)
	}
	for _, commit := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "shop.db")
		s, err := store.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := load(t, s, store.Own()); err != nil {
			t.Fatal(err)
		}
		before := documents(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		killChild(t, file, commit)
		if s, err = store.Open(file); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		o, err := store.GetOrder(t.Context(), s.Read, coats)
		if err != nil {
			t.Fatal(err)
		}
		if after := documents(t, s); reflect.DeepEqual(after, before) == commit || (o.Status == store.Cancelled) != commit {
			t.Errorf("committed %t: the order is %s", commit, o.Status)
		}
	}
}

func killChild(t *testing.T, file string, commit bool) {
	c := exec.Command(os.Args[0], "-test.run=^TestAKillInBetweenLeavesTheOldOrderWhole$")
	c.Env = append(os.Environ(), "SHOP_CHILD="+file, fmt.Sprint("SHOP_COMMIT=", commit))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Errorf("the child said %q, %v", line, err)
	}
	c.Process.Kill()
	c.Wait()
}

// child changes the order, says so and waits for its end.
func child(t *testing.T, file string) {
	s, err := store.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := s.Write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	o, u := mustGet(t, tx, coats)
	if err := o.Cancel(u, "no longer needed"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.PutOrder(t.Context(), tx, o), store.PutUser(t.Context(), tx, u)); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("SHOP_COMMIT") == "true" {
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("ready")
	time.Sleep(time.Minute) // the parent does not wait that long
}

func mustGet(t *testing.T, db store.DB, id string) (*store.Order, *store.User) {
	o, err := store.GetOrder(t.Context(), db, id)
	if err != nil {
		t.Fatal(err)
	}
	u, err := store.GetUser(t.Context(), db, o.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return o, u
}

func TestOpenSaysWhichFileItCannotOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no", "such", "folder", "shop.db")
	if _, err := store.Open(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
	junk := filepath.Join(t.TempDir(), "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(junk); err == nil || !strings.Contains(err.Error(), junk) {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	s := open(t, store.Own())
	ctx := t.Context()
	for text, err := range map[string]error{
		"user not found":    errOf(store.GetUser(ctx, s.Read, "nobody")),
		"order not found":   errOf(store.GetOrder(ctx, s.Read, "W1004217")), // without its #
		"product not found": errOf(store.GetProduct(ctx, s.Read, "")),
		"item not found":    errOf2(store.FindItem(ctx, s.Read, "%")),
	} {
		if fault.CodeOf(err) != fault.NotFound || fault.TextOf(err) != text {
			t.Errorf("got %v, want %s", err, text)
		}
	}
}

func errOf[V any](_ V, err error) error          { return err }
func errOf2[V, W any](_ V, _ W, err error) error { return err }
