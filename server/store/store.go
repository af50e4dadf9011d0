// Package store says what a server keeps, and how it is asked for it.
//
// The logs are the truth: a [Store] holds those of all tenants, each as a
// [journal.Journal]. Everything else that is said about sessions, approvals,
// calls and grants are rows that [Project] makes of the log's records. They are
// written in the transaction that appends the records, and can be made anew
// from the log at any time.
//
// Every question names its tenant. What belongs to another one is not found,
// as if it did not exist (SPEC V10).
//
// server/sqlite and server/postgres keep a store; this package has no driver.
package store

import (
	"context"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
)

// Store is a server's database. It is safe for concurrent use.
//
// Its errors have codes: fault.NotFound, fault.Conflict, fault.Fenced and
// fault.BadConfig as the methods say; fault.BadEvent, a name is not well formed;
// fault.Cancelled, the context ended before anything was written; fault.Closed;
// fault.Unwritable, the database could not be written, and nothing runs until it
// can (SPEC D8); fault.BadJournal, it could not be read.
type Store interface {
	Logs
	Members
	Projections
	Inbox
	Upkeep

	// Changes tells of streams that got records and of sessions that got
	// commands, here or at another replica, until ctx ends; then the channel is
	// closed. It is lossy by design: who is slow misses hints, and so does who is
	// cut off. A poll is the truth, and the caller's.
	Changes(ctx context.Context) <-chan Hint

	// Close waits for what is being written and gives the database back.
	Close() error
}

// Logs are the logs of all tenants.
type Logs interface {
	// Journal returns the log of a tenant. Closing it ends this handle and not the
	// store. A tenant without a record is no error: it has no streams.
	Journal(tenant string) journal.Journal

	// Tenants returns the tenants that have records, sorted.
	Tenants(ctx context.Context) ([]string, error)

	// Heads returns the end of every stream of a tenant, sorted, for a checkpoint.
	Heads(ctx context.Context, tenant string) ([]audit.Head, error)

	// Restore adds records as another store wrote them, all or none, with their
	// salts and hashes. Records of a stream come in order. One that is there
	// already is left as it is.
	//
	// Errors: fault.BadChain, a record does not fit behind those that are there, or
	// is not as it was sealed; fault.BadJournal, its payload was left out.
	Restore(ctx context.Context, recs []audit.Record) error
}

// Upkeep is what an operator needs.
type Upkeep interface {
	// Check looks at the database's own soundness, for which SQLite reads all of it
	// once, and whether every stream ends where its head says. Whether the chains
	// hold is for audit.Verify to say, over [Records]. Errors: fault.BadJournal.
	Check(ctx context.Context) error

	// Backup writes a copy to a new file, while the store is in use. An existing
	// file is fault.Conflict. SQLite writes a database that can be opened;
	// PostgreSQL, which has better tools of its own, an export as by [Export].
	Backup(ctx context.Context, path string) error

	// Rebuild makes all rows of Projections anew from the logs, stream by stream,
	// beside whoever writes.
	Rebuild(ctx context.Context) error

	// Sweep removes what has no use any more: commands after a day, members that
	// have been gone for a day.
	Sweep(ctx context.Context) error
}

// Members are the processes that share the store. A session belongs to the
// member that the newest session.owned event of its log names, see [MemberOf]:
// so the lease of a session is its member's lease. One whose owner is no live
// member may be taken by another one, which appends the next session.owned; the
// append of an owner who was replaced then conflicts. Times are those of the
// database's clock.
type Members interface {
	// Join adds a member that is alive for ttl. A name is used once: one that was
	// there before is fault.Conflict.
	Join(ctx context.Context, member string, ttl time.Duration) error

	// Beat prolongs a member's life to ttl from now. One whose time ran out, or that
	// left, stays dead, since its sessions may have been taken: fault.Fenced.
	Beat(ctx context.Context, member string, ttl time.Duration) error

	// Leave ends a member at once. A member that is not there is no error.
	Leave(ctx context.Context, member string) error

	// Members returns the live members, sorted by name.
	Members(ctx context.Context) ([]Member, error)
}

// Member is a live process.
type Member struct {
	Name  string
	Since int64 // when it joined, Unix milliseconds by the database's clock
	Until int64 // when it is dead unless it beats
}

// Inbox brings commands to the member that owns a session. Any replica takes
// them from a person or a program; the owner hands them to its engine.
type Inbox interface {
	// Post leaves a command. The same key, session and input again is one and the
	// same command, so that a request can be repeated. Another session or input
	// under a known key is fault.Conflict. Keys are known for [CommandLife].
	Post(ctx context.Context, c Command) error

	// Take returns the commands of a session that are not done, oldest first. They
	// are given out again until Done says that they are: an owner that crashed in
	// between hands a command in twice.
	Take(ctx context.Context, tenant, session string) ([]Command, error)

	// Done keeps a command's result. The first one stays. An unknown key is
	// fault.NotFound.
	Done(ctx context.Context, tenant, key string, result []byte) error

	// Result returns the result of a command and whether there is one yet. An
	// unknown key is fault.NotFound.
	Result(ctx context.Context, tenant, key string) (result []byte, done bool, err error)
}

// CommandLife is how long a command is kept, done or not.
const CommandLife = 24 * time.Hour

// Command is an input for a session that another replica may own.
type Command struct {
	Tenant  string
	Session string
	Key     string // chosen by who sent it; unique within the tenant
	Input   []byte // what the owner understands; the store does not look at it
	Posted  int64  // Unix milliseconds by the database's clock; set by the store
}

// Hint says that something changed in a stream: records came, or, for a
// session's stream, a command or its result.
type Hint struct {
	Tenant string
	Stream string
}
