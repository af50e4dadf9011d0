package store_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/assentdev/assent/examples/shop/store"
)

// open returns a store in a file of its own, with some files loaded.
func open(t testing.TB, files fs.FS) *store.Store {
	t.Helper()
	s, err := store.Open(filepath.Join(t.TempDir(), "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := load(t, s, files); err != nil {
		t.Fatal(err)
	}
	return s
}

// load loads in a transaction.
func load(t testing.TB, s *store.Store, files fs.FS) error {
	t.Helper()
	tx, err := s.Write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if err := store.Load(t.Context(), tx, files); err != nil {
		return err
	}
	return tx.Commit()
}
