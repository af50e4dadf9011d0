package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/assentdev/assent/server/internal/sqlstore"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// rebinder writes $1, $2 … in the place of question marks, and remembers what it
// wrote: there are few different statements.
type rebinder struct{ known sync.Map }

func (r *rebinder) rebind(text string) string {
	if done, ok := r.known.Load(text); ok {
		return done.(string)
	}
	var b strings.Builder
	parts := strings.Split(text, "?")
	b.WriteString(parts[0])
	for i, part := range parts[1:] {
		b.WriteString("$" + strconv.Itoa(i+1))
		b.WriteString(part)
	}
	r.known.Store(text, b.String())
	return b.String()
}

// batch sends statements in one go: they cost one way to the server and back.
func (r *rebinder) batch(ctx context.Context, c *sql.Conn, list []sqlstore.Statement) error {
	var b pgx.Batch
	for _, s := range list {
		b.Queue(r.rebind(s.SQL), s.Args...)
	}
	return c.Raw(func(conn any) error {
		std, ok := conn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the connection is a %T", conn)
		}
		results := std.Conn().SendBatch(ctx, &b)
		for range list {
			if _, err := results.Exec(); err != nil {
				return errors.Join(err, results.Close())
			}
		}
		return results.Close()
	})
}
