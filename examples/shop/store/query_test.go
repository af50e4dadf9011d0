package store_test

import (
	"strings"
	"testing"

	"github.com/assentdev/assent/examples/shop/store"
)

func TestUsersAreFoundWhateverTheCase(t *testing.T) {
	s := open(t, store.Own())
	ctx := t.Context()
	for _, email := range []string{"ada.obrien@example.com", "ADA.OBRIEN@EXAMPLE.COM"} {
		if u, err := store.UserByEmail(ctx, s.Read, email); err != nil || u.ID != "ada_obrien_1042" {
			t.Errorf("%s is of %v, %v", email, u, err)
		}
	}
	if u, err := store.UserByNameZip(ctx, s.Read, "JÜRGEN", "möller", "24937"); err != nil || u.ID != "juergen_moeller_2217" {
		t.Errorf("found %v, %v", u, err)
	}
	for _, no := range [][3]string{{"Jürgen", "Möller", "2493"}, {"Jürgen", "", "24937"}, {"", "", ""}} {
		if u, err := store.UserByNameZip(ctx, s.Read, no[0], no[1], no[2]); err == nil {
			t.Errorf("%v is %s", no, u.ID)
		}
	}
}

func TestAUserWhoMovedIsFoundAtTheNewPlace(t *testing.T) {
	s := open(t, store.Own())
	_, u := mustGet(t, s.Read, coats)
	u.SetAddress(store.Address{Zip: "BA1 1LN"})
	if err := store.PutUser(t.Context(), s.Write, u); err != nil {
		t.Fatal(err)
	}
	if got, err := store.UserByNameZip(t.Context(), s.Read, "ada", "o'brien", "BA1 1LN"); err != nil || got.ID != u.ID {
		t.Errorf("found %v, %v", got, err)
	}
	if all, err := store.FindUsers(t.Context(), s.Read, "", 1); err != nil || all[0].ID != u.ID {
		t.Errorf("the first user is %v, %v: a change keeps the place", all, err)
	}
}

func TestEveryWordOfAQueryIsFound(t *testing.T) {
	s := open(t, store.Own())
	for query, want := range map[string]string{
		"#w1090177":         "#W1090177",
		"1090177":           "#W1090177",
		"O'BRIEN raincoat":  "#W1090177",
		"raincoat O'Brien":  "#W1090177",
		"Möller":            "#W1017650",
		"MÖLLER":            "#W1017650",
		"mei@lindqvist":     "#W1048812 #W1128904",
		"chess":             "#W1031945 #W1134471",
		"chess blanket":     "",
		"100%":              "", // no wildcards
		"_":                 "",
		"grace pepper mill": "#W1134471",
	} {
		found, err := store.FindOrders(t.Context(), s.Read, query, 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range found {
			got = append(got, o.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s finds %v, want %s", query, got, want)
		}
	}
}

func TestALimitIsALimit(t *testing.T) {
	s := open(t, store.Own())
	for limit, want := range map[int]int{-1: 0, 0: 0, 1: 1, 6: 6, 7: 6} {
		if found, err := store.FindUsers(t.Context(), s.Read, " ", limit); err != nil || len(found) != want {
			t.Errorf("limit %d finds %d users, %v", limit, len(found), err)
		}
	}
	for limit, want := range map[int]int{-1: 0, 3: 3, 20: 14} {
		if found, err := store.LatestOrders(t.Context(), s.Read, limit); err != nil || len(found) != want {
			t.Errorf("limit %d finds %d orders, %v", limit, len(found), err)
		}
	}
	if found, err := store.FindUsers(t.Context(), s.Read, "tomás OLIVEIRA_4478", 9); err != nil || len(found) != 1 {
		t.Errorf("found %d users, %v", len(found), err)
	}
}

func TestListsHaveAnOrder(t *testing.T) {
	s := open(t, store.Own())
	products, err := store.Products(t.Context(), s.Read)
	if err != nil || len(products) != 8 || products[0].Name != "Chess Set" || products[7].Name != "Wool Blanket" {
		t.Errorf("%d products, %v", len(products), err)
	}
	orders, err := store.OrdersOf(t.Context(), s.Read, "ada_obrien_1042")
	if err != nil || len(orders) != 3 || orders[0].ID != delivered || orders[2].ID != coats {
		t.Errorf("%d orders, %v", len(orders), err)
	}
}
