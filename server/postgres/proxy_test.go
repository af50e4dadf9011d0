package postgres_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/jackc/pgx/v5"
)

// proxy stands between a store and its server, and loses what it is told to.
type proxy struct {
	net.Listener
	network, server string
	commit          atomic.Value // "before": the next commit is lost; "after": its answer is
	lost            atomic.Int64
}

// newProxy returns a proxy and the URL of the schema behind it.
func newProxy(t *testing.T, schema string) (*proxy, string) {
	t.Helper()
	config, err := pgx.ParseConfig(schema)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l}
	p.commit.Store("")
	p.network, p.server = networkOf(config)
	t.Cleanup(func() { l.Close() })
	go p.serve()
	u := url.URL{Scheme: "postgres", User: url.UserPassword(config.User, config.Password), Host: l.Addr().String(), Path: "/" + config.Database}
	u.RawQuery = "sslmode=disable&search_path=" + url.QueryEscape(config.RuntimeParams["search_path"])
	return p, u.String()
}

func networkOf(config *pgx.ConnConfig) (network, address string) {
	if config.Host[0] == '/' {
		return "unix", fmt.Sprintf("%s/.s.PGSQL.%d", config.Host, config.Port)
	}
	return "tcp", net.JoinHostPort(config.Host, fmt.Sprint(config.Port))
}

func (p *proxy) serve() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.server)
		if err != nil {
			client.Close()
			continue
		}
		go p.forth(client, server)
		go func() {
			_, _ = io.Copy(client, server)
			client.Close()
		}()
	}
}

// forth passes on what the store says. A commit without arguments is one message.
func (p *proxy) forth(client, server net.Conn) {
	defer server.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := client.Read(buf)
		if err != nil {
			return
		}
		if what := p.commit.Load(); what != "" && bytes.Contains(buf[:n], []byte("commit\x00")) {
			p.commit.Store("")
			p.lost.Add(1)
			client.Close()
			if what == "before" {
				return
			}
			_, _ = server.Write(buf[:n])
			time.Sleep(200 * time.Millisecond) // it commits; nobody is left to hear of it
			return
		}
		if _, err := server.Write(buf[:n]); err != nil {
			client.Close()
			return
		}
	}
}

// proves: D8, S2 (a commit whose answer was lost is looked up, and never guessed)
func TestACommitWithoutAnAnswerIsLookedUp(t *testing.T) {
	p, behind := newProxy(t, schema(t))
	s := open(t, behind)
	last := uint64(0)
	for i, what := range []string{"", "after", "before", "after", ""} {
		p.commit.Store(what)
		drafts := []audit.Draft{note(fmt.Sprint(i)), note("and another one")}
		recs, err := s.Journal("acme").Append(t.Context(), "s", last, drafts)
		if what == "before" {
			wantCode(t, "a commit that never came", err, fault.Unwritable)
		} else if err != nil {
			t.Fatalf("%q: %v", what, err)
		} else {
			last = recs[1].Seq
		}
		if got := len(read(t, s, "s")); uint64(got) != last {
			t.Fatalf("%q: %d records are there, want %d", what, got, last)
		}
	}
	if p.lost.Load() != 3 {
		t.Errorf("%d commits were lost, want 3", p.lost.Load())
	}
	checkChain(t, "s", read(t, s, "s"))
}
