package resourcetest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/resourcetest"
)

// fake is a test whose failures are kept instead of reported.
type fake struct {
	testing.TB
	failed []string
}

func (f *fake) Helper() {}

func (f *fake) Errorf(format string, args ...any) {
	f.failed = append(f.failed, fmt.Sprintf(format, args...))
}

func (f *fake) Fatalf(format string, args ...any) { f.Errorf(format, args...); runtime.Goexit() }

func (f *fake) Fatal(args ...any) { f.Fatalf("%s", fmt.Sprint(args...)) }

// failures runs a test and returns how it fails.
func failures(t *testing.T, test func(tb testing.TB)) []string {
	f := &fake{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(f)
	}()
	<-done
	return f.failed
}

// A kit that finds nothing wrong proves nothing, so each of its wants is seen to fail.
//
// proves: R5, R6
func TestAFailureSaysWhatWasThere(t *testing.T) {
	for _, tt := range []struct {
		name string
		use  func(k *resourcetest.Kit, s *shop)
		want string
	}{
		{"success", func(k *resourcetest.Kit, s *shop) { resourcetest.View(k, s.detail, key{"9"}).WantOK() },
			`orders.detail: want a success` + "\n" + `got {"kind":"error","status":404,"error":{"code":"E_NOT_FOUND","message":"There is no order 9."}}`},
		{"text", func(k *resourcetest.Kit, s *shop) { resourcetest.View(k, s.detail, key{"7"}).WantText("Order 8") }, `want the text "Order 8", read "`},
		{"status", func(k *resourcetest.Kit, s *shop) { resourcetest.View(k, s.detail, key{"7"}).WantStatus(404) }, `want status 404, not 200`},
		{"code", func(k *resourcetest.Kit, s *shop) {
			resourcetest.View(k, s.detail, key{"9"}).WantError(resource.Forbidden)
		}, `want an error with the code E_FORBIDDEN`},
		{"issue", func(k *resourcetest.Kit, s *shop) { k.Tool("orders_refund", `{"id":"7"}`).WantIssue("id") }, `orders_refund {"id":"7"}: want an issue with id`},
		{"link", func(k *resourcetest.Kit, s *shop) {
			resourcetest.Action(k, s.refund, key{"7"}, refund{5}).WantLink(s.detail.Link(key{"8"}, ""))
		}, `"params":{"id":"7"}`},
		{"records", func(k *resourcetest.Kit, s *shop) {
			resourcetest.Lookup(k, s.find, resource.None{}, "").WantRecords("8")
		}, `want the records ["8"], not ["7" "8"]`},
		{"asked", func(k *resourcetest.Kit, s *shop) {
			k.InMode(assent.Auto).Tool("orders_refund", `{"id":"7","cents":5}`).WantAsked()
		}, `orders_refund {"id":"7","cents":5} in auto: want that a person is asked`},
		{"not asked", func(k *resourcetest.Kit, s *shop) {
			k.InMode(assent.Ask).Tool("orders_refund", `{"id":"7","cents":5}`).WantNotAsked()
		}, `class write, outcome ok, category "", 1 questions, ran true`},
		{"hidden", func(k *resourcetest.Kit, s *shop) {
			k.InMode(assent.Ask).Tool("orders_refund", `{"id":"7","cents":5}`).WantHidden()
		}, `want that the mode hides the tool`},
		{"class", func(k *resourcetest.Kit, s *shop) {
			k.InMode(assent.Ask).Tool("orders_refund", `{"id":"7","cents":5}`).WantClass(policy.Destructive)
		}, `want class destructive, not write`},
		{"no mode", func(k *resourcetest.Kit, s *shop) { k.Tool("orders_refund", `{}`).WantAsked() }, `make it with InMode(…).Tool(…)`},
		{"no tool", func(k *resourcetest.Kit, s *shop) { k.Modes("orders_gone", ``) }, `there is no tool orders_gone; there are orders_detail, orders_find, orders_refund`},
		{"arguments that do not fit", func(k *resourcetest.Kit, s *shop) { k.Modes("orders_refund", `{"id":"7","cents":0}`) }, `want that a person is asked`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShop("")
			got := failures(t, func(tb testing.TB) { tt.use(resourcetest.New(tb, s.app).As("ann"), s) })
			if len(got) != 1 || !strings.Contains(got[0], tt.want) {
				t.Errorf("it fails with %q\nwant %q", got, tt.want)
			}
		})
	}
}

// proves: R4
func TestAKitOfAnAppWithMistakesSaysThem(t *testing.T) {
	r := resource.New("Orders")
	resource.View(r, "all", func(*resource.Context, resource.None) (resource.Node, error) { return nil, nil })
	got := failures(t, func(tb testing.TB) { resourcetest.New(tb, resource.NewApp(nil, r)) })
	if len(got) != 1 || !strings.Contains(got[0], "E_DEFINITION: Orders.all") {
		t.Errorf("got %q", got)
	}
}
