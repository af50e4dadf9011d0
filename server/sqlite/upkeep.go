package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"github.com/assentdev/assent/fault"
	"modernc.org/sqlite"
)

// What SQLite calls an error. The driver's constants are those of its machine.
const (
	corrupt     = 11
	notADB      = 26
	ioFsync     = 10 | 4<<8
	ioDirFsync  = 10 | 5<<8
	primaryMask = 0xff
)

// broken says that nobody knows what the disk holds, and asking again would not
// tell: nothing more is written (SPEC D8). A full disk is not among it.
func broken(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	return e.Code() == ioFsync || e.Code() == ioDirFsync || e.Code()&primaryMask == corrupt
}

func unusable(err error, path string) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && (e.Code()&primaryMask == notADB || e.Code()&primaryMask == corrupt) {
		return fault.Wrap(err, fault.BadJournal, "%s is damaged, or no store: restore a backup", path)
	}
	return fault.Wrap(err, fault.Unwritable, "the store %s cannot be opened", path)
}

// forget removes erased payloads from the write-ahead log too. In the database
// their place was overwritten when they went (secure_delete).
func forget(ctx context.Context, c *sql.Conn) error {
	var busy, pages, moved int
	return c.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&busy, &pages, &moved)
}

func sound(ctx context.Context, db *sql.DB) error {
	var said string
	if err := db.QueryRowContext(ctx, "pragma quick_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return fault.New(fault.BadJournal, "the database is damaged: restore a backup (%s)", said)
	}
	return nil
}

// backup writes what is committed now to a new database. It takes a connection of
// its own, since those of the readers refuse the statement.
func backup(ctx context.Context, from, to string) error {
	db, err := connect(from, 1, "mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // an empty file is taken for a new one
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "vacuum into ?", to); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Sync(), f.Close(), syncDir(filepath.Dir(to)))
}
