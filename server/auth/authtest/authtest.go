// Package authtest holds what every [auth.Rows] must do, as one suite that runs on
// each of them.
package authtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/auth"
)

// Run runs the suite. open makes empty rows for each of its tests, and gives back
// what they hold when the test ends.
func Run(t *testing.T, open func(t testing.TB) auth.Rows) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, rows auth.Rows)
	}{
		{"V4 a key is found as it was inserted", testInsert},
		{"V4 an id or a hash is there once", testConflict},
		{"V10 what belongs to another tenant is not found", testTenants},
		{"lists are the newest first, in pages without gaps", testList},
		{"V4 the first time that a key was revoked stays", testRevoke},
		{"the use of a key is noted once a minute", testUsed},
		{"V4 a tenant has one first key", testFirst},
		{"V4 of many first keys at the same time one is made", testManyFirst},
		{"nothing is shared with who gets or gives a key", testCopies},
		{"many may use it at the same time", testMany},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func hash(text string) auth.Hash { return sha256.Sum256([]byte(text)) }

// key returns a key with something in each of its parts.
func key(tenant, id string) auth.Key {
	return auth.Key{
		ID: id, Tenant: tenant, Principal: "alice", Groups: []string{"sales", `"; drop table api_keys`}, Agents: []string{"desk", "*"},
		Roles: auth.User | auth.Auditor, Ceiling: policy.Auto, Note: "für ‘x’ \\ \"y\"\n", Maker: "carol", Created: 1_700_000_000_000, Expires: 1_800_000_000_000,
	}
}

func insert(t testing.TB, rows auth.Rows, k auth.Key) auth.Key {
	t.Helper()
	if err := rows.Insert(t.Context(), k, hash(k.ID)); err != nil {
		t.Fatal(err)
	}
	return k
}

func find(t testing.TB, rows auth.Rows, tenant, id string) auth.Key {
	t.Helper()
	k, err := rows.Find(t.Context(), tenant, id)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func same(t testing.TB, what string, got, want auth.Key) {
	t.Helper()
	for _, k := range []*auth.Key{&got, &want} { // none is none
		k.Groups, k.Agents = slices.Concat(k.Groups), slices.Concat(k.Agents)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

func missing(t testing.TB, what string, err error) {
	t.Helper()
	if fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%s: %v, want not_found", what, err)
	}
}

func testInsert(t *testing.T, rows auth.Rows) {
	full := insert(t, rows, key("acme", "full"))
	bare := insert(t, rows, auth.Key{ID: "bare", Tenant: "acme"})
	for _, want := range []auth.Key{full, bare} {
		same(t, "found", find(t, rows, "acme", want.ID), want)
		got, h, err := rows.ByHash(t.Context(), hash(want.ID))
		if err != nil || h != hash(want.ID) {
			t.Errorf("by its hash: %x, %v", h, err)
		}
		same(t, "found by its hash", got, want)
	}
	_, _, err := rows.ByHash(t.Context(), hash("other"))
	missing(t, "by another hash", err)
	_, err = rows.Find(t.Context(), "acme", "other")
	missing(t, "by another id", err)
}

func testConflict(t *testing.T, rows auth.Rows) {
	want := insert(t, rows, key("acme", "k1"))
	for what, err := range map[string]error{
		"the same id":              rows.Insert(t.Context(), auth.Key{ID: "k1", Tenant: "acme"}, hash("x")),
		"the id in another tenant": rows.Insert(t.Context(), auth.Key{ID: "k1", Tenant: "umbrella"}, hash("y")),
		"the same hash":            rows.Insert(t.Context(), auth.Key{ID: "k2", Tenant: "umbrella"}, hash("k1")),
	} {
		if fault.CodeOf(err) != fault.Conflict {
			t.Errorf("%s: %v, want conflict", what, err)
		}
	}
	same(t, "afterwards", find(t, rows, "acme", "k1"), want)
}

func testTenants(t *testing.T, rows auth.Rows) {
	want := insert(t, rows, key("acme", "k1"))
	for _, tenant := range []string{"umbrella", "", "%", "acme "} {
		_, err := rows.Find(t.Context(), tenant, "k1")
		missing(t, "Find as "+tenant, err)
		missing(t, "Revoke as "+tenant, rows.Revoke(t.Context(), tenant, "k1", 7))
		if err := rows.Used(t.Context(), tenant, "k1", 1<<50); err != nil {
			t.Errorf("Used as %q: %v", tenant, err)
		}
		if list, err := rows.List(t.Context(), tenant, auth.Query{}); err != nil || len(list) > 0 {
			t.Errorf("List as %q: %v, %v", tenant, list, err)
		}
	}
	same(t, "afterwards", find(t, rows, "acme", "k1"), want)
}

func testList(t *testing.T, rows auth.Rows) {
	for i := range 120 {
		k := auth.Key{ID: fmt.Sprintf("k%03d", i), Tenant: "acme", Principal: []string{"alice", "bob"}[i%2]}
		if i%3 == 0 {
			k.Roles = auth.User | auth.Administrator
		}
		insert(t, rows, k)
		insert(t, rows, auth.Key{ID: fmt.Sprintf("z%03d", i), Tenant: "umbrella", Principal: "alice"})
	}
	list := func(q auth.Query) (ids []string) {
		keys, err := rows.List(t.Context(), "acme", q)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			ids = append(ids, k.ID)
		}
		return ids
	}
	var all []string
	for page := list(auth.Query{}); len(page) > 0; page = list(auth.Query{After: page[len(page)-1]}) {
		all = append(all, page...)
	}
	if len(all) != 120 || all[0] != "k119" || all[119] != "k000" || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("all pages: %v", all)
	}
	for _, c := range []struct {
		q    auth.Query
		want []string
	}{
		{auth.Query{Limit: 2}, []string{"k119", "k118"}},
		{auth.Query{Limit: 2, Principal: "alice"}, []string{"k118", "k116"}},
		{auth.Query{Limit: 2, Roles: auth.Administrator}, []string{"k117", "k114"}},
		{auth.Query{Limit: 2, Roles: auth.Administrator | auth.User, Principal: "bob", After: "k010"}, []string{"k009", "k003"}},
		{auth.Query{Roles: auth.Auditor}, nil},
		{auth.Query{Principal: "carol"}, nil},
	} {
		if got := list(c.q); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.q, got, c.want)
		}
	}
	if n := len(list(auth.Query{Limit: 1 << 40})); n != 120 {
		t.Errorf("with a large limit: %d", n)
	}
}

func testRevoke(t *testing.T, rows auth.Rows) {
	insert(t, rows, key("acme", "k1"))
	for _, at := range []int64{50, 40, 60} {
		if err := rows.Revoke(t.Context(), "acme", "k1", at); err != nil {
			t.Fatal(err)
		}
	}
	if k := find(t, rows, "acme", "k1"); k.Revoked != 50 {
		t.Errorf("revoked at %d, want 50", k.Revoked)
	}
	if k, _, err := rows.ByHash(t.Context(), hash("k1")); err != nil || k.Revoked != 50 {
		t.Errorf("by its hash: %+v, %v", k, err)
	}
	missing(t, "another one", rows.Revoke(t.Context(), "acme", "k2", 1))
}

func testUsed(t *testing.T, rows auth.Rows) {
	insert(t, rows, key("acme", "k1"))
	const start = 1_700_000_000_000
	for _, c := range []struct{ at, want int64 }{
		{start, start}, {start + 59_999, start}, {start + 60_000, start + 60_000}, {start - 1, start + 60_000}, {start + 3_600_000, start + 3_600_000},
	} {
		if err := rows.Used(t.Context(), "acme", "k1", c.at); err != nil {
			t.Fatal(err)
		}
		if k := find(t, rows, "acme", "k1"); k.Used != c.want {
			t.Errorf("used at %d: noted %d, want %d", c.at, k.Used, c.want)
		}
	}
	if err := rows.Used(t.Context(), "acme", "k2", start); err != nil {
		t.Errorf("one that is not there: %v", err)
	}
}

func testFirst(t *testing.T, rows auth.Rows) {
	admin := func(tenant, id string) auth.Key {
		k := key(tenant, id)
		k.Roles = auth.Administrator
		return k
	}
	first := func(tenant, id string) bool {
		made, err := rows.InsertFirst(t.Context(), admin(tenant, id), hash(id))
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	insert(t, rows, key("acme", "user"))
	if !first("acme", "k1") {
		t.Error("a tenant without an administrator's key gets none")
	}
	same(t, "the first one", find(t, rows, "acme", "k1"), admin("acme", "k1"))
	if first("acme", "k2") {
		t.Error("a second first key is made")
	}
	rows.Revoke(t.Context(), "acme", "k1", 5)
	if first("acme", "k3") {
		t.Error("after it was revoked another one is made")
	}
	if !first("umbrella", "k4") {
		t.Error("another tenant gets none")
	}
	insert(t, rows, admin("initech", "k5"))
	if first("initech", "k6") {
		t.Error("a tenant whose administrator's key was made in another way gets a first one")
	}
}

func testManyFirst(t *testing.T, rows auth.Rows) {
	var wg sync.WaitGroup
	made := make([]bool, 16)
	for i := range made {
		wg.Go(func() {
			var err error
			k := auth.Key{ID: fmt.Sprint("k", i), Tenant: "acme", Roles: auth.Administrator}
			if made[i], err = rows.InsertFirst(t.Context(), k, hash(k.ID)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := rows.List(t.Context(), "acme", auth.Query{})
	if count := slices.Index(made, true); err != nil || len(list) != 1 || count < 0 || list[0].ID != fmt.Sprint("k", count) || slices.Contains(made[count+1:], true) {
		t.Errorf("made %v, listed %v, %v", made, list, err)
	}
}

func testCopies(t *testing.T, rows auth.Rows) {
	given := key("acme", "k1")
	insert(t, rows, given)
	given.Groups[0], given.Agents[0] = "administrators", "*"
	got := find(t, rows, "acme", "k1")
	got.Agents[0] = "*"
	same(t, "kept", find(t, rows, "acme", "k1"), key("acme", "k1"))
}

func testMany(t *testing.T, rows auth.Rows) {
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			k := auth.Key{ID: fmt.Sprint("k", i), Tenant: fmt.Sprint("t", i%2), Principal: "alice"}
			err := errors.Join(rows.Insert(t.Context(), k, hash(k.ID)), rows.Used(t.Context(), k.Tenant, k.ID, 1<<40), rows.Revoke(t.Context(), k.Tenant, k.ID, 9))
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 2 {
		list, err := rows.List(t.Context(), fmt.Sprint("t", i), auth.Query{})
		if err != nil || len(list) != 8 || slices.ContainsFunc(list, func(k auth.Key) bool { return k.Revoked != 9 || k.Used != 1<<40 }) {
			t.Errorf("tenant t%d: %v, %v", i, list, err)
		}
	}
}
