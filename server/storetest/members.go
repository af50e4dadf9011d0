package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// proves: S2
func testMembers(t *testing.T, s store.Store) {
	ctx := t.Context()
	wantCode(t, "Beat of nobody", s.Beat(ctx, "m1", time.Minute), fault.Fenced)
	wantNone(t, "Leave of nobody", s.Leave(ctx, "m1"))
	wantNone(t, "Join", s.Join(ctx, "m2", time.Minute))
	wantNone(t, "Join", s.Join(ctx, "m1", time.Minute))
	wantCode(t, "Join again", s.Join(ctx, "m1", time.Minute), fault.Conflict)
	wantNone(t, "Beat", s.Beat(ctx, "m1", time.Hour))
	list, err := s.Members(ctx)
	if err != nil || len(list) != 2 || list[0].Name != "m1" || list[1].Name != "m2" {
		t.Fatalf("members %v, %v", list, err)
	}
	if life := time.Duration(list[0].Until-list[0].Since) * time.Millisecond; life < time.Hour || life > time.Hour+time.Minute {
		t.Errorf("a beat gives a life of %s, want an hour from then", life)
	}
	wantNone(t, "Leave", s.Leave(ctx, "m1"))
	wantCode(t, "Beat of one who left", s.Beat(ctx, "m1", time.Minute), fault.Fenced)
	wantCode(t, "Join of one who left", s.Join(ctx, "m1", time.Minute), fault.Conflict)

	wantNone(t, "Join", s.Join(ctx, "short", 20*time.Millisecond))
	within(t, "a silent member dies", 5*time.Second, func() bool {
		list, err := s.Members(ctx)
		wantNone(t, "Members", err)
		return len(list) == 1
	})
	wantCode(t, "Beat of the dead", s.Beat(ctx, "short", time.Minute), fault.Fenced)
	wantNone(t, "Sweep", s.Sweep(ctx))
	wantCode(t, "Join of the dead, after a sweep", s.Join(ctx, "short", time.Minute), fault.Conflict)
}

func testInbox(t *testing.T, s store.Store) {
	ctx := t.Context()
	post := func(key, session, input string) error {
		return s.Post(ctx, store.Command{Tenant: "acme", Session: session, Key: key, Input: []byte(input)})
	}
	for i := range 3 {
		wantNone(t, "Post", post(fmt.Sprint("k", i), "s1", fmt.Sprint("say ", i)))
		time.Sleep(2 * time.Millisecond) // they are told apart by the database's clock
	}
	wantNone(t, "Post", post("k9", "s2", ""))
	wantNone(t, "the same again", post("k1", "s1", "say 1"))
	wantCode(t, "another input under the key", post("k1", "s1", "say 2"), fault.Conflict)
	wantCode(t, "another session under the key", post("k1", "s2", "say 1"), fault.Conflict)
	wantCode(t, "a key with a quote", post(`k"`, "s1", ""), fault.BadEvent)

	take := func() string {
		list, err := s.Take(ctx, "acme", "s1")
		wantNone(t, "Take", err)
		text := ""
		for _, c := range list {
			if c.Tenant != "acme" || c.Session != "s1" || c.Posted == 0 {
				t.Errorf("took %+v", c)
			}
			text += c.Key + "=" + string(c.Input) + ";"
		}
		return text
	}
	for range 2 {
		if got, want := take(), "k0=say 0;k1=say 1;k2=say 2;"; got != want {
			t.Fatalf("took %q, want %q", got, want)
		}
	}
	_, done, err := s.Result(ctx, "acme", "k1")
	if err != nil || done {
		t.Errorf("before it is done: %v, %v", done, err)
	}
	wantNone(t, "Done", s.Done(ctx, "acme", "k1", []byte("first")))
	wantNone(t, "Done again", s.Done(ctx, "acme", "k1", []byte("second")))
	result, done, err := s.Result(ctx, "acme", "k1")
	if err != nil || !done || string(result) != "first" {
		t.Errorf("result %q, %v, %v", result, done, err)
	}
	wantNone(t, "the same again, when it is done", post("k1", "s1", "say 1"))
	if got, want := take(), "k0=say 0;k2=say 2;"; got != want {
		t.Errorf("took %q, want %q", got, want)
	}
	_, _, err = s.Result(ctx, "acme", "none")
	wantCode(t, "Result of an unknown key", err, fault.NotFound)
	wantCode(t, "Done of an unknown key", s.Done(ctx, "acme", "none", nil), fault.NotFound)
}
