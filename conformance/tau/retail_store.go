package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	stock "github.com/assentdev/assent/examples/shop/store"
)

// retailStore is the shop as it was loaded.
type retailStore struct {
	temp   string
	own    bool         // the shop's own data, since the folder has none
	master *stock.Store // copied for each task
	loaded documents
}

// documents are all rows of the shop by kind and id, as they are stored.
type documents map[string]map[string]string

var retailKinds = []string{"users", "orders", "products"}

// openStore loads the shop from a folder, or its own data where the folder has none.
func openStore(ctx context.Context, dir, temp string) (_ *retailStore, err error) {
	r := &retailStore{temp: temp, loaded: documents{}}
	files := os.DirFS(dir)
	if _, err := fs.Stat(files, "users.json"); errors.Is(err, fs.ErrNotExist) {
		files, r.own = stock.Own(), true
	}
	if r.master, err = stock.Open(filepath.Join(temp, "master.db")); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	tx, err := r.master.Write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	if err := stock.Load(ctx, tx, files); err != nil {
		return nil, err
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	for _, kind := range retailKinds {
		r.loaded[kind] = map[string]string{}
		if err := rows(ctx, r.master.Read, kind, func(id, doc sql.RawBytes) { r.loaded[kind][string(id)] = string(doc) }); err != nil {
			return nil, err
		}
	}
	return r, r.holds(files)
}

func (r *retailStore) close() { _ = r.master.Close() }

// holds wants the store to hold what the files hold, since tasks are compared
// with the store.
func (r *retailStore) holds(files fs.FS) error {
	for _, kind := range retailKinds {
		data, err := fs.ReadFile(files, kind+".json")
		if err != nil {
			return err
		}
		want := map[string]json.RawMessage{}
		if err := json.Unmarshal(data, &want); err != nil {
			return fmt.Errorf("%s.json: %w", kind, err)
		}
		for id, doc := range want {
			if d := differs(r.loaded[kind][id], string(doc)); d != "" {
				return fmt.Errorf("%s was loaded otherwise than it is in %s.json: %s", id, kind, d)
			}
		}
		if n := len(r.loaded[kind]); n != len(want) {
			return fmt.Errorf("%d %s were loaded, not %d", n, kind, len(want))
		}
	}
	return nil
}

// inCopy lets f use a copy of the shop as it was loaded, and returns what it
// left on the disk.
func (r *retailStore) inCopy(ctx context.Context, f func(*stock.Store) error) (changed, error) {
	dir, err := os.MkdirTemp(r.temp, "task")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "shop.db")
	s, err := r.master.Copy(ctx, file)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f(s), s.Close()); err != nil {
		return nil, err
	}
	return r.changes(ctx, file)
}

// changed is what is different from what was loaded, by kind and id: the new
// document, or "" where there is none any more.
type changed map[string]string

// changes compares every row of a copy that nobody has open.
func (r *retailStore) changes(ctx context.Context, file string) (changed, error) {
	// Nothing is locked, and memory is small: this looks at all of the shop, often.
	at := url.URL{Scheme: "file", Path: file, RawQuery: "immutable=1&mode=ro&_pragma=cache_size(-64)"}
	db, err := sql.Open("sqlite", at.String())
	if err != nil {
		return nil, err
	}
	defer db.Close()
	all := changed{}
	for _, kind := range retailKinds {
		was, kept := r.loaded[kind], 0
		err := rows(ctx, db, kind, func(id, doc sql.RawBytes) {
			before, ok := was[string(id)]
			kept += count(ok)
			if !ok || before != string(doc) {
				all[kind+" "+string(id)] = string(doc)
			}
		})
		if err != nil {
			return nil, err
		}
		if kept < len(was) {
			all[fmt.Sprintf("%d of %s", len(was)-kept, kind)] = ""
		}
	}
	return all, nil
}

// rows hands out the rows of one kind. What use is given is void when it returns.
func rows(ctx context.Context, db *sql.DB, kind string, use func(id, doc sql.RawBytes)) error {
	found, err := db.QueryContext(ctx, "SELECT id, doc FROM "+kind)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		var id, doc sql.RawBytes
		if err := found.Scan(&id, &doc); err != nil {
			return err
		}
		use(id, doc)
	}
	return found.Err()
}
