package auth_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/auth"
)

// An administrator makes a key for a program, which gets exactly what the key says.
func Example() {
	ctx := context.Background()
	rows := auth.Memory()
	keys, guard := auth.NewKeys(rows, nil), auth.NewGuard(rows, nil)

	key, token, err := keys.Create(ctx, auth.Operator("acme"), auth.Draft{
		Principal: "shop-backend",
		Roles:     auth.User,
		Agents:    []string{"desk"},
		Ceiling:   policy.Ask,
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	send := func() (context.Context, error) {
		r := httptest.NewRequest(http.MethodGet, "/v1/sessions", nil)
		r.Header.Set("Authorization", "Bearer "+token.Reveal())
		ctx, _, err := guard.Identify(r)
		return ctx, err
	}
	in, err := send()
	p := auth.From(in)
	fmt.Println(p.Name, "of", p.Tenant, "as", p.Roles, err)
	fmt.Println("desk:", p.Uses("desk"), "billing:", p.Uses("billing"), "mode:", p.Narrow(policy.Auto))

	if err := keys.Revoke(ctx, auth.Operator("acme"), key.ID); err != nil {
		fmt.Println(err)
	}
	_, err = send()
	fmt.Println(fault.CodeOf(err), "-", fault.TextOf(err))
	// Output:
	// shop-backend of acme as user <nil>
	// desk: true billing: false mode: ask
	// unauthenticated - The API key is not valid. Ask an administrator for one.
}
