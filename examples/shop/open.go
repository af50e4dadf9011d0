package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/assentdev/assent/examples/shop/store"
)

// open opens the shop's store and loads the data if it has none yet. closed
// closes it, and removes it where nobody said where to keep it.
func open(ctx context.Context, o options) (s *store.Store, closed func() error, err error) {
	remove := func() error { return nil }
	if o.db == "" {
		dir, err := os.MkdirTemp("", "shop-")
		if err != nil {
			return nil, nil, err
		}
		o.db, remove = filepath.Join(dir, "shop.db"), func() error { return os.RemoveAll(dir) }
	}
	if s, err = store.Open(o.db); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	closed = func() error { return errors.Join(s.Close(), remove()) }
	if err := load(ctx, s, o.data); err != nil {
		return nil, nil, errors.Join(err, closed())
	}
	return s, closed, nil
}

// load fills a store that holds nothing: with all of the data, or with none.
func load(ctx context.Context, s *store.Store, folder string) error {
	files := store.Own()
	if folder != "" {
		files = os.DirFS(folder)
	}
	tx, err := s.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of what was not committed
	products, err := store.Products(ctx, tx)
	if err != nil || len(products) > 0 {
		return err
	}
	if err := store.Load(ctx, tx, files); err != nil {
		return err
	}
	return tx.Commit()
}
