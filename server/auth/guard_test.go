package auth_test

import (
	"bytes"
	"context"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/auth"
	"github.com/assentdev/assent/server/internal/gate"
	"pgregory.net/rapid"
)

// counted notes what a guard asks of its rows.
type counted struct {
	auth.Rows
	mu    sync.Mutex
	asked []string
	slow  time.Duration
}

func (c *counted) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, what)
}

func (c *counted) take() (asked []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked, c.asked = c.asked, nil
	return asked
}

func (c *counted) ByHash(ctx context.Context, h auth.Hash) (auth.Key, auth.Hash, error) {
	c.note("ByHash")
	return c.Rows.ByHash(ctx, h)
}

func (c *counted) Used(ctx context.Context, tenant, id string, at int64) error {
	c.note("Used")
	time.Sleep(c.slow)
	return c.Rows.Used(ctx, tenant, id, at)
}

var carol = auth.Operator("acme")

func create(t testing.TB, keys *auth.Keys, d auth.Draft) (auth.Key, auth.Token) {
	t.Helper()
	if d.Principal == "" {
		d.Principal = "alice"
	}
	if d.Roles == 0 {
		d.Roles = auth.User
	}
	k, token, err := keys.Create(t.Context(), carol, d)
	if err != nil {
		t.Fatal(err)
	}
	return k, token
}

// request is one with a key as a bearer.
func request(text string) *http.Request {
	r := httptest.NewRequest("GET", "http://localhost/", nil)
	r.Header.Set("Authorization", "Bearer "+text)
	return r
}

// proves: V4
func TestAKeySaysWhoActs(t *testing.T) {
	rows := auth.Memory()
	keys, guard := auth.NewKeys(rows, nil), auth.NewGuard(rows, nil)
	k, token := create(t, keys, auth.Draft{Principal: "alice", Groups: []string{"sales"}, Agents: []string{"desk"}, Roles: auth.User | auth.Approver, Ceiling: policy.Ask})
	for _, c := range []struct{ name, value string }{
		{"Authorization", "Bearer " + token.Reveal()}, {"Authorization", "bearer " + token.Reveal()}, {"X-Api-Key", token.Reveal()},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set(c.name, c.value)
		ctx, id, err := guard.Identify(r)
		if err != nil || id != k.ID {
			t.Fatalf("%s: %q, %v", c.name, id, err)
		}
		p := auth.From(ctx)
		if p.Tenant != "acme" || p.Name != "alice" || !slices.Equal(p.Groups, []string{"sales"}) || p.Key != k.ID {
			t.Errorf("%s: %+v", c.name, p)
		}
		if !p.Is(auth.User|auth.Approver) || p.Is(auth.Auditor) || p.Is(auth.User|auth.Administrator) {
			t.Errorf("roles %v", p.Roles)
		}
		if !p.Uses("desk") || p.Uses("other") || p.Uses("") || p.Uses("*") {
			t.Errorf("agents %v", p.Agents)
		}
		if p.Narrow(policy.Auto) != policy.Ask || p.Narrow(policy.ReadOnly) != policy.ReadOnly {
			t.Errorf("modes %v and %v", p.Narrow(policy.Auto), p.Narrow(policy.ReadOnly))
		}
		// Case G-O02: what is behind the gate cannot pass the key on.
		if len(r.Header) != 0 {
			t.Errorf("the request still has %v", slices.Collect(maps.Keys(r.Header)))
		}
	}
}

func TestNobodyMayDoNothing(t *testing.T) {
	for _, p := range []auth.Principal{{}, auth.From(t.Context()), {Roles: auth.Administrator, Agents: []string{"*"}}} {
		if p.Is(0) || p.Is(auth.User) || p.Is(auth.Administrator) || p.Uses("desk") || p.Narrow(policy.Auto) != policy.Off {
			t.Errorf("%+v may do something", p)
		}
	}
}

// forge makes a well-formed token, as the documentation of the form says.
func forge(id, secret string) string {
	digits := base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)
	text := "assent_" + id + "_" + secret
	return text + digits.EncodeToString(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(text))))
}

// What is wrong with a key does not show, neither in the answer nor in the work
// for it (case G-A16).
//
// proves: V4, V10
func TestWhatIsWrongWithAKeyDoesNotShow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := &counted{Rows: auth.Memory()}
		keys := auth.NewKeys(rows, nil)
		all := []string{"*"}
		good, goodToken := create(t, keys, auth.Draft{Agents: all, Ceiling: policy.Auto})
		revoked, revokedToken := create(t, keys, auth.Draft{Agents: all})
		_, expired := create(t, keys, auth.Draft{Agents: all, Expires: time.Now().Add(time.Hour)})
		_, foreign, err := keys.Create(t.Context(), auth.Operator("umbrella"), auth.Draft{Principal: "erin", Roles: auth.Administrator, Agents: all})
		if err != nil || keys.Revoke(t.Context(), carol, revoked.ID) != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)

		guard := auth.NewGuard(rows, &auth.GuardOptions{Tenant: func(*http.Request) string { return "acme" }})
		passed := 0
		g, err := gate.New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed++ }), &gate.Options{Identify: guard.Identify})
		if err != nil {
			t.Fatal(err)
		}
		secret := goodToken.Reveal()[24:76]
		var want string
		rows.take()
		for _, c := range []struct{ name, text string }{
			{"unknown", forge("0000000000000000", strings.Repeat("0", 52))},
			{"the id of a good key with another secret", forge(good.ID, strings.Repeat("0", 52))},
			{"another id with the secret of a good key", forge("0000000000000000", secret)},
			{"revoked", revokedToken.Reveal()},
			{"expired this very moment", expired.Reveal()},
			{"of another tenant", foreign.Reveal()},
		} {
			w := httptest.NewRecorder()
			g.ServeHTTP(w, request(c.text))
			answer := answerOf(w)
			if want == "" {
				want = answer
			}
			if w.Code != 401 || answer != want || passed != 0 {
				t.Errorf("%s: answered\n%s\nwant\n%s", c.name, answer, want)
			}
			if asked := rows.take(); !slices.Equal(asked, []string{"ByHash"}) {
				t.Errorf("%s: the rows were asked %v", c.name, asked)
			}
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, request(goodToken.Reveal()))
		if w.Code != 200 || passed != 1 {
			t.Errorf("the good one: %d %s", w.Code, w.Body)
		}
	})
}

var reference = regexp.MustCompile(`"reference":"[a-z0-9]+"`)

// answerOf is all of an answer but the request's own id.
func answerOf(w *httptest.ResponseRecorder) string {
	w.Header().Del("X-Request-Id")
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	w.Header().Write(&b)
	b.WriteString(reference.ReplaceAllString(w.Body.String(), ""))
	return b.String()
}

func TestAKeyIsShownOnceAndInOneWay(t *testing.T) {
	rows := &counted{Rows: auth.Memory()}
	_, token := create(t, auth.NewKeys(rows, nil), auth.Draft{})
	_, other := create(t, auth.NewKeys(rows, nil), auth.Draft{})
	bearer, xkey := "Authorization: Bearer "+token.Reveal(), "X-Api-Key: "+token.Reveal()
	for _, c := range []struct {
		name  string
		lines []string
	}{
		{"none", nil},
		{"two of one kind", []string{bearer, bearer}},
		{"one of each kind", []string{bearer, xkey}},
		{"two of the other kind", []string{xkey, "X-Api-Key: " + other.Reveal()}},
		{"an empty one beside it", []string{xkey, "Authorization:"}},
		{"as a password", []string{"Authorization: Basic " + token.Reveal()}},
		{"without a scheme", []string{"Authorization: " + token.Reveal()}},
		{"with something behind it", []string{bearer + " x"}},
		{"in upper case", []string{"Authorization: Bearer " + strings.ToUpper(token.Reveal())}},
		{"somebody else's kind", []string{"Authorization: Bearer sk-1234"}},
	} {
		r := httptest.NewRequest("GET", "/?key="+token.Reveal(), nil)
		for _, line := range c.lines {
			name, value, _ := strings.Cut(line, ":")
			r.Header.Add(name, strings.TrimSpace(value))
		}
		_, _, err := auth.NewGuard(rows, nil).Identify(r)
		if fault.CodeOf(err) != gate.Unauthenticated || len(rows.take()) > 0 || strings.Contains(fmt.Sprint(err), token.Reveal()[30:60]) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Law: no slip of the pen makes another key of one, and it is told apart from a
// key that is not valid.
func TestASlipOfThePenIsToldApart(t *testing.T) {
	_, token := create(t, auth.NewKeys(auth.Memory(), nil), auth.Draft{})
	text := token.Reveal()
	if !regexp.MustCompile(`^assent_[0-9a-z]{16}_[0-9a-z]{59}$`).MatchString(text) {
		t.Errorf("the form of %s", text)
	}
	if p, err := auth.ParseToken(text); err != nil || p != token || p.ID() != text[7:23] {
		t.Errorf("read back: %v, %v", p, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		wrong := []byte(text)
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "slip") {
		case 0:
			wrong[at] = rapid.Byte().Draw(t, "byte")
		case 1:
			wrong = slices.Delete(wrong, at, at+1)
		case 2:
			wrong = slices.Insert(wrong, at, rapid.Byte().Draw(t, "byte"))
		case 3:
			next := (at + 1) % len(wrong)
			wrong[at], wrong[next] = wrong[next], wrong[at]
		}
		if string(wrong) == text {
			t.Skip("no slip")
		}
		if _, err := auth.ParseToken(string(wrong)); fault.CodeOf(err) != fault.BadArguments {
			t.Errorf("%q is read: %v", wrong, err)
		}
	})
}

func FuzzATokenIsReadOrRefused(f *testing.F) {
	f.Add(forge("0000000000000000", strings.Repeat("0", 52)))
	f.Add("assent_")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		token, err := auth.ParseToken(text)
		if err == nil && (token.Reveal() != text || text != forge(token.ID(), text[24:76])) {
			t.Errorf("%q is read as %q", text, token.Reveal())
		}
		if err != nil && (token != auth.Token{} || len(text) > 20 && strings.Contains(err.Error(), text)) {
			t.Errorf("%v, %v", token, err)
		}
	})
}

// Case G-S08: printing or logging what holds a token shows no secret.
func TestATokenThatIsPrintedHidesItsSecret(t *testing.T) {
	k, token := create(t, auth.NewKeys(auth.Memory(), nil), auth.Draft{})
	var out bytes.Buffer
	for _, format := range []string{"%v", "%s", "%+v", "%#v", "%q"} {
		fmt.Fprintf(&out, format, token)
		fmt.Fprintf(&out, format, struct{ T auth.Token }{token})
		fmt.Fprintf(&out, format, []auth.Token{token})
		fmt.Fprintf(&out, format, k)
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("made", "token", token, "key", k)
	slog.New(slog.NewTextHandler(&out, nil)).Info("made", "token", token, "key", k)
	if strings.Contains(out.String(), token.Reveal()[24:]) || !strings.Contains(out.String(), k.ID) {
		t.Errorf("printed %s", out.String())
	}
}

// Case G-O12: revoked means revoked, from the next request on, and a stream can
// ask again.
//
// proves: V4
func TestAKeyThatIsRevokedIsDeadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := auth.Memory()
		keys, guard := auth.NewKeys(rows, nil), auth.NewGuard(rows, nil)
		k, token := create(t, keys, auth.Draft{Expires: time.Now().Add(time.Hour)})
		ctx, _, err := guard.Identify(request(token.Reveal()))
		if err != nil {
			t.Fatal(err)
		}
		p := auth.From(ctx)
		if err := guard.Again(ctx, p); err != nil {
			t.Errorf("a stream of a good key: %v", err)
		}
		time.Sleep(time.Hour - time.Nanosecond)
		if err := guard.Again(ctx, p); err != nil {
			t.Errorf("just before it expires: %v", err)
		}
		time.Sleep(time.Nanosecond)
		if err := guard.Again(ctx, p); fault.CodeOf(err) != gate.Unauthenticated {
			t.Errorf("when it expires: %v", err)
		}
		k, token = create(t, keys, auth.Draft{})
		ctx, _, _ = guard.Identify(request(token.Reveal()))
		if err := keys.Revoke(t.Context(), carol, k.ID); err != nil {
			t.Fatal(err)
		}
		if _, _, err := guard.Identify(request(token.Reveal())); fault.CodeOf(err) != gate.Unauthenticated {
			t.Errorf("after it was revoked: %v", err)
		}
		if err := guard.Again(ctx, auth.From(ctx)); fault.CodeOf(err) != gate.Unauthenticated {
			t.Errorf("a stream after that: %v", err)
		}
		if err := guard.Again(ctx, auth.Principal{}); fault.CodeOf(err) != gate.Unauthenticated {
			t.Errorf("nobody: %v", err)
		}
	})
}

func TestTheUseOfAKeyIsWrittenOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := &counted{Rows: auth.Memory(), slow: time.Second}
		keys, guard := auth.NewKeys(rows, nil), auth.NewGuard(rows, nil)
		k, token := create(t, keys, auth.Draft{})
		many := func() (written int) {
			var wg sync.WaitGroup
			for range 100 {
				wg.Go(func() {
					if _, _, err := guard.Identify(request(token.Reveal())); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for _, what := range rows.take() {
				if what == "Used" {
					written++
				}
			}
			return written
		}
		for i, want := range []int{1, 0, 0, 1} {
			if got := many(); got != want {
				t.Errorf("round %d: written %d times, want %d", i, got, want)
			}
			time.Sleep(25 * time.Second)
		}
		if got, _ := keys.Find(t.Context(), carol, k.ID); got.Used == 0 {
			t.Error("nothing was noted")
		}
	})
}

// broken is a database that does not answer.
type broken struct{ auth.Rows }

func (broken) ByHash(context.Context, auth.Hash) (auth.Key, auth.Hash, error) {
	return auth.Key{Tenant: "acme", Roles: auth.Administrator}, auth.Hash{}, errors.New("select * from api_keys: disk I/O error")
}

func (broken) Find(context.Context, string, string) (auth.Key, error) {
	return auth.Key{Tenant: "acme"}, io.ErrUnexpectedEOF
}

// mixed is a database whose index leads to the wrong row.
type mixed struct {
	auth.Rows
	key auth.Key
}

func (m mixed) ByHash(context.Context, auth.Hash) (auth.Key, auth.Hash, error) {
	return m.key, auth.Hash{1}, nil
}

// Case G-R19: the hash that is kept decides, not that a row was found.
func TestARowWithAnotherHashIsNotTheKey(t *testing.T) {
	k, token := create(t, auth.NewKeys(auth.Memory(), nil), auth.Draft{})
	if _, _, err := auth.NewGuard(mixed{key: k}, nil).Identify(request(token.Reveal())); fault.CodeOf(err) != gate.Unauthenticated {
		t.Errorf("Identify: %v", err)
	}
}

type unwritable struct{ auth.Rows }

func (unwritable) Used(context.Context, string, string, int64) error {
	return fault.New(fault.Unwritable, "disk full")
}

// What cannot be looked up is refused, and not as a bad key.
func TestADatabaseThatFailsLetsNobodyPass(t *testing.T) {
	_, token := create(t, auth.NewKeys(auth.Memory(), nil), auth.Draft{})
	guard := auth.NewGuard(broken{}, nil)
	if ctx, id, err := guard.Identify(request(token.Reveal())); fault.CodeOf(err) != fault.Internal || ctx != nil || id != "" {
		t.Errorf("Identify: %v, %q, %v", ctx, id, err)
	}
	if err := guard.Again(t.Context(), auth.Principal{Tenant: "acme", Key: "k"}); fault.CodeOf(err) != fault.Internal {
		t.Errorf("Again: %v", err)
	}
}

func TestAUseThatCannotBeNotedIsLoggedAndNoReasonToRefuse(t *testing.T) {
	rows := auth.Memory()
	_, token := create(t, auth.NewKeys(rows, nil), auth.Draft{})
	var out bytes.Buffer
	guard := auth.NewGuard(unwritable{rows}, &auth.GuardOptions{Log: slog.New(slog.NewTextHandler(&out, nil))})
	if _, _, err := guard.Identify(request(token.Reveal())); err != nil || !strings.Contains(out.String(), token.ID()) || strings.Contains(out.String(), token.Reveal()[24:]) {
		t.Errorf("%v, logged %q", err, out.String())
	}
}
