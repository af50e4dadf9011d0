package auth_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/auth"
)

// Case G-O13: a key does what its roles say and no more.
//
// proves: V4
func TestOnlyAnAdministratorMakesKeys(t *testing.T) {
	keys := auth.NewKeys(auth.Memory(), nil)
	draft := auth.Draft{Principal: "alice", Roles: auth.Administrator, Agents: []string{"*"}, Ceiling: policy.Auto}
	for _, by := range []auth.Principal{
		{}, {Roles: auth.Administrator}, {Tenant: "acme", Name: "alice"}, {Tenant: "acme", Name: "alice", Roles: auth.User | auth.Approver | auth.Auditor},
	} {
		if k, token, err := keys.Create(t.Context(), by, draft); fault.CodeOf(err) != fault.NotAllowed || token != (auth.Token{}) || k.ID != "" {
			t.Errorf("%+v: %v", by, err)
		}
	}
	if list, _ := keys.List(t.Context(), carol, auth.Query{}); len(list) != 0 {
		t.Errorf("there are %v", list)
	}
}

func TestADraftThatIsNotWellFormedIsRefused(t *testing.T) {
	keys := auth.NewKeys(auth.Memory(), nil)
	for name, change := range map[string]func(d *auth.Draft){
		"nobody":              func(d *auth.Draft) { d.Principal = "" },
		"a name with a blank": func(d *auth.Draft) { d.Principal = "a b" },
		"a name with a trick": func(d *auth.Draft) { d.Principal = "al\u202eice" },
		"a group without one": func(d *auth.Draft) { d.Groups = []string{""} },
		"an agent with a line": func(d *auth.Draft) {
			d.Agents = []string{"desk\n*"}
		},
		"too many agents":     func(d *auth.Draft) { d.Agents = slices.Repeat([]string{"a"}, 101) },
		"too many groups":     func(d *auth.Draft) { d.Groups = slices.Repeat([]string{"a"}, 101) },
		"no role":             func(d *auth.Draft) { d.Roles = 0 },
		"a role that is none": func(d *auth.Draft) { d.Roles = auth.User | 1<<7 },
		"a long note":         func(d *auth.Draft) { d.Note = strings.Repeat("x", 201) },
		"a note of bytes":     func(d *auth.Draft) { d.Note = "\xff" },
		"a note with a zero":  func(d *auth.Draft) { d.Note = "a\x00b" },
		"expired":             func(d *auth.Draft) { d.Expires = time.Now().Add(-time.Second) },
	} {
		d := auth.Draft{Principal: "alice", Roles: auth.User}
		change(&d)
		if _, _, err := keys.Create(t.Context(), carol, d); fault.CodeOf(err) != fault.BadConfig {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Cases G-A16 and G-O14: for another tenant, and for somebody else of
// the same one, a key that is there is like one that is not.
//
// proves: V10
func TestKeysOfOthersAreNotThere(t *testing.T) {
	keys := auth.NewKeys(auth.Memory(), nil)
	k, _ := create(t, keys, auth.Draft{Principal: "alice"})
	own := auth.Principal{Tenant: "acme", Name: "alice", Roles: auth.User}
	for name, by := range map[string]auth.Principal{
		"nobody":                             {},
		"nobody of the tenant":               {Tenant: "acme"},
		"a colleague":                        {Tenant: "acme", Name: "bob", Roles: auth.User | auth.Approver | auth.Auditor},
		"an administrator of another tenant": auth.Operator("umbrella"),
		"a namesake of another tenant":       {Tenant: "umbrella", Name: "alice", Roles: auth.User},
	} {
		for _, call := range []func(id string) error{
			func(id string) error { _, err := keys.Find(t.Context(), by, id); return err },
			func(id string) error { return keys.Revoke(t.Context(), by, id) },
		} {
			there, not := call(k.ID), call("0000000000000000")
			if fault.CodeOf(there) != fault.NotFound || strings.ReplaceAll(there.Error(), k.ID, "0000000000000000") != not.Error() {
				t.Errorf("%s: %v, and for one that is not there %v", name, there, not)
			}
		}
		for _, q := range []auth.Query{{}, {Principal: "alice"}} {
			if list, err := keys.List(t.Context(), by, q); err != nil || len(list) != 0 {
				t.Errorf("%s: List: %v, %v", name, list, err)
			}
		}
	}
	if list, err := keys.List(t.Context(), own, auth.Query{}); err != nil || len(list) != 1 {
		t.Errorf("one's own: %v, %v", list, err)
	}
	if list, err := keys.List(t.Context(), carol, auth.Query{Principal: "alice"}); err != nil || len(list) != 1 {
		t.Errorf("the administrator's: %v, %v", list, err)
	}
	if err := keys.Revoke(t.Context(), own, k.ID); err != nil {
		t.Errorf("one's own: %v", err)
	}
	if got, err := keys.Find(t.Context(), carol, k.ID); err != nil || got.Revoked == 0 {
		t.Errorf("afterwards: %+v, %v", got, err)
	}
}

// What cannot be recorded does not happen.
func TestEveryChangeIsRecordedBeforeItIsMade(t *testing.T) {
	var events []auth.Event
	var fail error
	keys := auth.NewKeys(auth.Memory(), &auth.Options{Record: func(_ context.Context, e auth.Event) error {
		events = append(events, e)
		return fail
	}})
	k, token := create(t, keys, auth.Draft{})
	fail = fault.New(fault.Unwritable, "disk full")
	_, lost, err := keys.Create(t.Context(), carol, auth.Draft{Principal: "bob", Roles: auth.User})
	if fault.CodeOf(err) != fault.Unwritable || lost != (auth.Token{}) {
		t.Errorf("Create: %v, %v", lost, err)
	}
	if err := keys.Revoke(t.Context(), carol, k.ID); fault.CodeOf(err) != fault.Unwritable {
		t.Errorf("Revoke: %v", err)
	}
	if first, err := keys.First(t.Context(), "umbrella"); fault.CodeOf(err) != fault.Unwritable || first != (auth.Token{}) {
		t.Errorf("First: %v, %v", first, err)
	}
	if list, _ := keys.List(t.Context(), carol, auth.Query{}); len(list) != 1 || list[0].Revoked != 0 {
		t.Errorf("there are %+v", list)
	}
	fail = nil
	if err := keys.Revoke(t.Context(), carol, k.ID); err != nil {
		t.Error(err)
	}
	if err := keys.Revoke(t.Context(), carol, k.ID); err != nil {
		t.Error(err)
	}
	var told []string
	for _, e := range events {
		told = append(told, e.Type+" "+e.Key.Tenant)
	}
	want := []string{"key.created acme", "key.created acme", "key.revoked acme", "key.created umbrella", "key.revoked acme"}
	if !slices.Equal(told, want) || events[0].By.Name != "operator" || events[4].Key.Revoked == 0 {
		t.Errorf("told %v, want %v", told, want)
	}
	if strings.Contains(fmt.Sprintf("%+v", events), token.Reveal()[24:]) {
		t.Error("an event holds the secret")
	}
}

// The first start makes one administrator's key, and no later start does.
//
// proves: V4
func TestTheFirstStartMakesOneKey(t *testing.T) {
	keys := auth.NewKeys(auth.SQL(sqlite(t)), nil)
	var wg sync.WaitGroup
	tokens := make([]auth.Token, 8) // replicas that start at the same time
	for i := range tokens {
		wg.Go(func() {
			var err error
			if tokens[i], err = keys.First(t.Context(), "acme"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	made := slices.DeleteFunc(tokens, func(token auth.Token) bool { return token == auth.Token{} })
	if len(made) != 1 {
		t.Fatalf("%d keys were made", len(made))
	}
	k, err := keys.Find(t.Context(), carol, made[0].ID())
	if err != nil || k.Roles != auth.Administrator || k.Ceiling != policy.Off || len(k.Agents) != 0 {
		t.Errorf("it is %+v, %v", k, err)
	}
	keys.Revoke(t.Context(), carol, k.ID)
	if again, err := keys.First(t.Context(), "acme"); err != nil || again != (auth.Token{}) {
		t.Errorf("after it was revoked: %v, %v", again, err)
	}
	if other, err := keys.First(t.Context(), "umbrella"); err != nil || other == (auth.Token{}) {
		t.Errorf("another tenant: %v, %v", other, err)
	}
	if _, err := keys.First(t.Context(), ""); err == nil {
		t.Error("a tenant without a name gets a key")
	}
}

func TestRolesAreWordsAndUnknownWordsAreRefused(t *testing.T) {
	all := auth.User | auth.Approver | auth.Auditor | auth.Administrator
	if r, err := auth.ParseRoles(all.Words()...); err != nil || r != all || all.String() != "user approver auditor administrator" {
		t.Errorf("%v, %v", r, err)
	}
	for _, word := range []string{"admin", "User", "", "user approver"} {
		if r, err := auth.ParseRoles("user", word); fault.CodeOf(err) != fault.BadConfig || r != 0 {
			t.Errorf("%q: %v, %v", word, r, err)
		}
	}
}
