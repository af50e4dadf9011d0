package postgres

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"time"

	"github.com/assentdev/assent/server/internal/sqlstore"
	"github.com/assentdev/assent/server/store"
	"github.com/jackc/pgx/v5"
)

const (
	// together is how long hints are gathered before they are sent: a NOTIFY takes a
	// lock of the whole server when it is committed.
	together = 10 * time.Millisecond
	// payloadSize is what one NOTIFY may carry, with room to spare.
	payloadSize = 7900
	// backlog is how many hints wait to be sent; what comes beyond is lost.
	backlog = 1024
)

// wire brings hints to other replicas and takes theirs. It is lossy: nothing of
// it is needed for anything to be right.
type wire struct {
	config  *pgx.ConnConfig
	db      *sql.DB
	hub     *sqlstore.Hub
	channel string
	sender  string
	o       Options

	hints chan store.Hint
	stop  context.CancelFunc
	ctx   context.Context
	wg    sync.WaitGroup
}

func newWire(config *pgx.ConnConfig, db *sql.DB, hub *sqlstore.Hub, channel string, o Options) *wire {
	w := &wire{config: config, db: db, hub: hub, channel: channel, sender: newSender(), o: o, hints: make(chan store.Hint, backlog)}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

func (w *wire) start() {
	w.wg.Go(w.send)
	w.wg.Go(w.listen)
}

func (w *wire) close() error {
	w.stop()
	w.wg.Wait()
	return nil
}

// publish takes hints without waiting.
func (w *wire) publish(hints []store.Hint) {
	for _, h := range hints {
		select {
		case w.hints <- h:
		default:
			return
		}
	}
}

func (w *wire) send() {
	for {
		select {
		case <-w.ctx.Done():
			return
		case h := <-w.hints:
			w.flush(h)
		}
	}
}

// flush sends a hint and those that come until it is sent.
func (w *wire) flush(first store.Hint) {
	select {
	case <-w.ctx.Done():
		return
	case <-time.After(together):
	}
	seen := map[store.Hint]bool{first: true}
	payload := w.sender + "\n" + line(first)
	for range len(w.hints) {
		h := <-w.hints
		if seen[h] {
			continue
		}
		seen[h] = true
		if len(payload)+len(line(h)) > payloadSize {
			w.notify(payload)
			payload = w.sender + "\n"
		}
		payload += line(h)
	}
	w.notify(payload)
}

// line is a hint on the wire: neither name has a space.
func line(h store.Hint) string { return h.Tenant + " " + h.Stream + "\n" }

func (w *wire) notify(payload string) {
	ctx, cancel := context.WithTimeout(w.ctx, 5*time.Second)
	defer cancel()
	if _, err := w.db.ExecContext(ctx, "select pg_notify($1, $2)", w.channel, payload); err != nil && w.ctx.Err() == nil {
		w.o.Log.Warn("other replicas could not be told of changes", "err", err)
	}
}

// listen takes hints until the wire is closed, and connects again when it has to.
func (w *wire) listen() {
	for w.ctx.Err() == nil {
		if err := w.hear(); err != nil && w.ctx.Err() == nil {
			w.o.Log.Warn("no hints of other replicas come: polls find what they miss", "err", err)
			select {
			case <-w.ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

func (w *wire) hear() error {
	conn, err := pgx.ConnectConfig(w.ctx, w.config)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(w.ctx, "listen "+pgx.Identifier{w.channel}.Sanitize()); err != nil {
		return err
	}
	for {
		n, err := conn.WaitForNotification(w.ctx)
		if err != nil {
			return err
		}
		w.take(n.Payload)
	}
}

// take hands on what another replica said.
func (w *wire) take(payload string) {
	sender, lines, _ := strings.Cut(payload, "\n")
	if sender == w.sender {
		return // everybody here knows
	}
	for text := range strings.Lines(lines) {
		if tenant, stream, ok := strings.Cut(strings.TrimSuffix(text, "\n"), " "); ok {
			w.hub.Tell(store.Hint{Tenant: tenant, Stream: stream})
		}
	}
}
