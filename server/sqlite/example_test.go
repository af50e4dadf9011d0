package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/sqlite"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/turn"
)

// A session asks a question; everybody who may can find it, whichever process
// runs the session.
func ExampleOpen() {
	err := withStore(func(ctx context.Context, s store.Store) error {
		asked := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC).UnixMilli()
		refs := turn.Refs{Turn: "t1", Call: "c1", Approval: "a1", Tool: "orders_refund", Class: "write"}
		_, err := s.Journal("acme").Append(ctx, audit.SessionStream("s1"), 0, drafts(
			turn.Event{At: asked, Body: &turn.SessionStarted{Session: "s1", Agent: "support", Principal: "alice", Mode: policy.Ask}},
			turn.Event{At: asked, Refs: refs, Body: &turn.Asked{Question: turn.MayRun, Class: policy.Write}},
		))
		if err != nil {
			return err
		}
		open, err := s.Approvals(ctx, "acme", store.ApprovalQuery{Agent: "support"})
		if err != nil {
			return err
		}
		for _, a := range open {
			fmt.Printf("%s of %s asks: may %s (%s) run?\n", a.Session, a.Principal, a.Tool, a.Class)
		}
		other, err := s.Approvals(ctx, "another tenant", store.ApprovalQuery{})
		fmt.Println("another tenant sees", len(other))
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// s1 of alice asks: may orders_refund (write) run?
	// another tenant sees 0
}

// What one store exports, another one imports, SQLite or PostgreSQL: every stream
// verifies there.
func ExampleOpen_export() {
	err := withStore(func(ctx context.Context, from store.Store) error {
		return withStore(func(ctx context.Context, to store.Store) error {
			note := audit.Draft{Type: "policy.published", Version: 1, Time: time.Now(), Payload: []byte(`{"version":"7"}`)}
			if _, err := from.Journal("acme").Append(ctx, audit.Policy, 0, []audit.Draft{note}); err != nil {
				return err
			}
			var file bytes.Buffer
			if _, err := store.Export(ctx, from, &file, nil); err != nil {
				return err
			}
			report, err := store.Import(ctx, to, bytes.NewReader(file.Bytes()), nil)
			if err != nil {
				return err
			}
			fmt.Println("imported", report.Records)
			for r, err := range to.Journal("acme").Read(ctx, audit.Policy, 0) {
				if err != nil {
					return err
				}
				fmt.Println(r.Type, string(r.Payload))
			}
			return nil
		})
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// imported 1
	// policy.published {"version":"7"}
}

// withStore opens a store in a folder that is removed afterwards.
func withStore(use func(context.Context, store.Store) error) error {
	dir, err := os.MkdirTemp("", "assent")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	s, err := sqlite.Open(ctx, dir, nil)
	if err != nil {
		return err
	}
	return errors.Join(use(ctx, s), s.Close())
}

// drafts makes drafts of events, as package engine does.
func drafts(events ...turn.Event) (list []audit.Draft) {
	for _, e := range events {
		header, payload, err := e.Encode()
		if err != nil {
			panic(err)
		}
		list = append(list, audit.Draft{Type: string(e.Body.Type()), Version: turn.Version, Time: time.UnixMilli(e.At), Header: header, Payload: payload})
	}
	return list
}
