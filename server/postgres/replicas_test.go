package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/postgres"
	"github.com/assentdev/assent/server/store"
	"github.com/jackc/pgx/v5"
)

func note(text string) audit.Draft {
	return audit.Draft{Type: "noted", Version: 1, Time: time.UnixMilli(1_700_000_000_000), Payload: []byte(text)}
}

func wantCode(t testing.TB, what string, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Fatalf("%s: code %q (%v), want %q", what, got, err, want)
	}
}

func read(t testing.TB, s store.Store, stream string) (recs []audit.Record) {
	t.Helper()
	for r, err := range s.Journal("acme").Read(context.Background(), stream, 0) {
		if err != nil {
			t.Fatal(err)
		}
		recs = append(recs, r)
	}
	return recs
}

func checkChain(t testing.TB, stream string, recs []audit.Record) {
	t.Helper()
	head := audit.Genesis("acme", stream)
	for i := range recs {
		if err := errors.Join(recs[i].After(head), recs[i].Check()); err != nil {
			t.Fatal(err)
		}
		head = recs[i].Head()
	}
}

// proves: S1 (two replicas cannot both append seq n, however many streams they
// write at the same time and in whatever order)
func TestReplicasAppendInTurn(t *testing.T) {
	url := schema(t)
	var stores []store.Store
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 { // all of them find an empty schema
		wg.Go(func() {
			s, err := postgres.Open(t.Context(), url, nil)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			stores = append(stores, s)
		})
	}
	wg.Wait()
	defer func() {
		for _, s := range stores {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}()
	const streams, rounds = 8, 15
	var won sync.Map
	for n := range uint64(rounds) {
		for i, s := range stores {
			for k := range streams {
				wg.Go(func() {
					stream := fmt.Sprint("s", (k+i)%streams)
					_, err := s.Journal("acme").Append(t.Context(), stream, n, []audit.Draft{note(fmt.Sprint(i))})
					if err == nil {
						if other, twice := won.LoadOrStore(fmt.Sprint(stream, n), i); twice {
							t.Errorf("%s: replicas %d and %v appended record %d", stream, i, other, n+1)
						}
					} else if fault.CodeOf(err) != fault.Conflict {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
	}
	for k := range streams {
		recs := read(t, stores[k%len(stores)], fmt.Sprint("s", k))
		checkChain(t, fmt.Sprint("s", k), recs)
		if len(recs) != rounds {
			t.Errorf("s%d has %d records, want %d", k, len(recs), rounds)
		}
	}
}

// Hints of one replica come to another one, and a command can be taken there.
func TestReplicasTellEachOther(t *testing.T) {
	url := schema(t)
	a, b := open(t, url), open(t, url)
	hints := b.Changes(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for i := 0; ; i++ { // b's listener may need a moment to begin
		key := fmt.Sprint("k", i)
		if err := a.Post(ctx, store.Command{Tenant: "acme", Session: "s1", Key: key, Input: []byte("stop")}); err != nil {
			t.Fatal(err)
		}
		select {
		case h := <-hints:
			if h != (store.Hint{Tenant: "acme", Stream: "session/s1"}) {
				t.Fatalf("hint %v", h)
			}
		case <-time.After(200 * time.Millisecond):
			continue
		}
		break
	}
	list, err := b.Take(ctx, "acme", "s1")
	if err != nil || len(list) == 0 || string(list[0].Input) != "stop" {
		t.Errorf("took %v, %v", list, err)
	}
}

// proves: D8, S2 (connections that break at any moment, also in a commit: what was
// acknowledged is there, and what was refused is not)
func TestConnectionsBreak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := schema(t)
	s := open(t, url)
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		defer done.Store(true)
		breakConnections(t, url)
	})
	for w := range 6 {
		wg.Go(func() {
			stream := fmt.Sprint("s", w)
			last := uint64(0)
			for i := 0; !done.Load(); i++ {
				text := fmt.Sprintf("%d/%d", w, i)
				recs, err := s.Journal("acme").Append(t.Context(), stream, last, []audit.Draft{note(text)})
				switch fault.CodeOf(err) {
				case "":
					last = recs[0].Seq
				case fault.Unwritable:
				default:
					t.Errorf("%s: %v", text, err)
					return
				}
			}
			if last == 0 {
				t.Errorf("%s: nothing was ever written", stream)
			}
		})
	}
	wg.Wait()
	for w := range 6 {
		recs := read(t, s, fmt.Sprint("s", w))
		checkChain(t, fmt.Sprint("s", w), recs)
		for i := range recs {
			if i > 0 && string(recs[i].Payload) == string(recs[i-1].Payload) {
				t.Errorf("%s was written twice", recs[i].Payload)
			}
		}
	}
}

// breakConnections ends the store's connections while they work, again and again.
func breakConnections(t *testing.T, url string) {
	base, _, _ := strings.Cut(url, "search_path=")
	conn, err := pgx.Connect(t.Context(), strings.TrimRight(base, "?&"))
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close(context.Background())
	for broken := int64(0); broken < 25; time.Sleep(20 * time.Millisecond) {
		said, err := conn.Exec(t.Context(), "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assent' and state <> 'idle'")
		if err != nil {
			t.Error(err)
			return
		}
		broken += said.RowsAffected()
	}
}

func TestOpenRefuses(t *testing.T) {
	base := server(t)
	_, err := postgres.Open(t.Context(), "postgres://user:geheim@host:badport/x", nil)
	wantCode(t, "an address that cannot be read", err, fault.BadConfig)
	if strings.Contains(err.Error(), "geheim") {
		t.Errorf("the error repeats the password: %v", err)
	}
	_, err = postgres.Open(t.Context(), "postgres://nobody@127.0.0.1:1/x", nil)
	wantCode(t, "a server that is not there", err, fault.Unwritable)
	_, err = postgres.Open(t.Context(), base+"&search_path=no_such_schema", nil)
	wantCode(t, "a schema that is not there", err, fault.Unwritable)
	later := schema(t)
	s := open(t, later)
	conn, err := pgx.Connect(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "insert into schema_version values (1000, 0)"); err != nil {
		t.Fatal(err)
	}
	_ = s
	_, err = postgres.Open(t.Context(), later, nil)
	wantCode(t, "a store of a later release", err, fault.BadConfig)
}
