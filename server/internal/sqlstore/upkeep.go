package sqlstore

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// Check implements [store.Upkeep].
func (s *Store) Check(ctx context.Context) error {
	if s.d.Sound != nil {
		if err := s.ready(ctx); err != nil {
			return err
		}
		if err := s.d.Sound(ctx, s.read); err != nil {
			return s.unreadable(ctx, err)
		}
	}
	const wrong = "select h.tenant, h.stream from heads h where h.seq > 0 and (" +
		"not exists (select 1 from records r where r.tenant = h.tenant and r.stream = h.stream and r.seq = h.seq and r.hash = h.hash)" +
		" or exists (select 1 from records r where r.tenant = h.tenant and r.stream = h.stream and r.seq = h.seq + 1)) limit 1"
	return s.query(ctx, wrong, nil, func(scan func(...any) error) error {
		var tenant, stream string
		if err := scan(&tenant, &stream); err != nil {
			return err
		}
		return fault.New(fault.BadJournal, "tenant %s, stream %s: it does not end where its head says: restore a backup, or export and verify it", tenant, stream)
	})
}

// Backup implements [store.Upkeep].
func (s *Store) Backup(ctx context.Context, path string) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return fault.New(fault.Conflict, "%s is there already: name a new file", path)
	}
	if s.d.Backup != nil {
		if err := s.d.Backup(ctx, s.read, path); err != nil {
			_ = os.Remove(path)
			return fault.Wrap(err, fault.Unwritable, "no backup could be written to %s", path)
		}
		return nil
	}
	return s.exportTo(ctx, path)
}

func (s *Store) exportTo(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fault.New(fault.Conflict, "%s is there already: name a new file", path)
	} else if err != nil {
		return fault.Wrap(err, fault.Unwritable, "no backup could be written to %s", path)
	}
	_, err = store.Export(ctx, s, f, nil)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(path)
		return fault.Wrap(err, fault.CodeOf(err), "no backup could be written to %s", path)
	}
	return nil
}
