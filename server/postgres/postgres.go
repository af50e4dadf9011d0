// Package postgres keeps a server's store in PostgreSQL, for many replicas.
//
// Each replica has one connection that writes, with what its callers append at
// the same time in one transaction, and some that read. Two replicas that append
// to one stream are kept apart by the lock on the stream's head.
//
// What was answered is committed with synchronous_commit=on. An asynchronous
// standby that takes over can have forgotten it: replicate synchronously where the
// promise has to hold after a failover.
package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/sqlstore"
	"github.com/assentdev/assent/server/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Options configures a store. Nil means all defaults.
type Options struct {
	// Log is told what an operator should know. Nil is silent.
	Log *slog.Logger
	// Readers is how many connections answer questions. Default 8.
	Readers int
	// Timeout bounds a transaction, and then how long it is tried to find out what
	// became of a commit whose answer was lost. Default 30 s.
	Timeout time.Duration
}

// Open opens the store in a database and brings its tables up to date, under a
// lock that keeps replicas out of each other's way. url is as PostgreSQL's own
// programs read it; its search_path names the schema, which has to exist. A
// pooler in between has to leave a session its connection.
//
// Errors: fault.BadConfig, url cannot be read, or a later release wrote the
// store; fault.Unwritable, the server cannot be reached or refuses.
func Open(ctx context.Context, url string, opts *Options) (store.Store, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	o.setDefaults()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fault.Wrap(withoutURL(err), fault.BadConfig, "the address of the PostgreSQL store cannot be read")
	}
	config.RuntimeParams["synchronous_commit"] = "on"
	config.RuntimeParams["application_name"] = "assent"
	write, read := connect(config, 2), connect(config, o.Readers)
	var schema string
	if err := read.QueryRowContext(ctx, "select coalesce(current_schema(), '')").Scan(&schema); err != nil || schema == "" {
		return nil, errors.Join(fault.Wrap(err, fault.Unwritable, "the PostgreSQL store cannot be reached, or its schema does not exist"), write.Close(), read.Close())
	}
	hub := sqlstore.NewHub()
	w := newWire(config, read, hub, "assent_"+schema, o)
	s, err := sqlstore.Open(ctx, write, read, hub, dialect(w, o.Timeout), o.Log)
	if err != nil {
		return nil, err
	}
	w.start()
	return s, nil
}

func (o *Options) setDefaults() {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Readers <= 0 {
		o.Readers = 8
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
}

// withoutURL leaves out the text of an error that may repeat a password.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*pgconn.ParseConfigError](err); ok && errors.Unwrap(e) != nil {
		return errors.Unwrap(e)
	}
	return errors.New("it is not well formed")
}

func connect(config *pgx.ConnConfig, connections int) *sql.DB {
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db
}

func dialect(w *wire, timeout time.Duration) sqlstore.Dialect {
	words := &rebinder{}
	return sqlstore.Dialect{
		Name:        "PostgreSQL",
		Begin:       "begin isolation level read committed",
		Now:         "(extract(epoch from clock_timestamp()) * 1000)::bigint",
		MigrateLock: "select pg_advisory_xact_lock(4702894150177)",
		ForUpdate:   " for update",
		Rebind:      words.rebind,
		Batch:       words.batch,
		Again:       again,
		Lost:        lost,
		Timeout:     timeout,
		Publish:     w.publish,
		Close:       w.close,
	}
}

// again says that a transaction came into another one's way, or that its
// connection broke before it was committed.
func again(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "40001" || e.Code == "40P01" || gone(e)
	}
	return lost(err)
}

// lost says that the connection broke, or the server went, without an answer.
func lost(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return gone(e)
	}
	_, ours := errors.AsType[*fault.Error](err)
	return !ours
}

// gone is the server's word when it is being stopped.
func gone(e *pgconn.PgError) bool {
	return e.Code == "57P01" || e.Code == "57P02" || e.Code == "57P03"
}

// newSender names this store among those that share the database.
func newSender() string { return rand.Text() }
