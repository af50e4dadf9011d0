package sqlstore

import (
	"context"
	"database/sql"
)

// Latest is the newest version of the tables.
func Latest() int { return latest() }

// Migrate brings a database to a version.
func Migrate(ctx context.Context, db *sql.DB, d Dialect, to int) error {
	return migrate(ctx, db, &d, to)
}

// Split cuts a file into its statements.
func Split(text string) []string { return split(text) }
