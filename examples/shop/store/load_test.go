package store_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assentdev/assent/examples/shop/store"
)

func TestAFileThatIsWrongIsRefusedWithThePlace(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"a field that nobody knows", "orders.json", `"status": "cancelled"`, `"status": "cancelled", "colour": "red"`, `load orders.json: #W1023308: json: unknown field "colour"`},
		{"one inside", "users.json", `"brand": "amex"`, `"bank": "x"`, `load users.json: mei_lindqvist_5561: credit_card_4412286: json: unknown field "bank"`},
		{"half a cent", "products.json", "14.2", "14.205", `load products.json: 2304558219: 2304006345: bad_arguments: "14.205" is no amount of whole cents`},
		{"a key given twice", "products.json", `"height": "15 cm"`, `"wood": "oak"`, "2526174408: 2526006767: wood: given twice"},
		{"an order under another id", "orders.json", `"order_id": "#W1031945"`, `"order_id": "#W1"`, `load orders.json: #W1031945: has the id "#W1"`},
		{"a product under another id", "products.json", `"product_id": "2526174408"`, `"product_id": "1"`, `load products.json: 2526174408: has the id "1"`},
		{"a variant under another id", "products.json", `"item_id": "2071005712"`, `"item_id": "1"`, `2071440385: bad_arguments: 2071005712: has the id "1"`},
		{"a gift card without a balance", "users.json", `"balance": 35.5, `, "", "grace_whitfield_6604: bad_arguments: gift_card_7704410: id, source and balance"},
		{"an order of nobody", "orders.json", `"user_id": "juergen_moeller_2217"`, `"user_id": "nobody"`, "load orders.json: #W1017650: write #W1017650 to the store: "},
		{"no object", "users.json", "{", "[{", "load users.json: "},
		{"text after the end", "orders.json", `{`, `{}{`, "load orders.json: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, store.Own())
			err := load(t, s, edited(t, c.file, c.old, c.new))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
	if err := load(t, open(t, store.Own()), fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "users.json") {
		t.Errorf("no files: %v", err)
	}
}

// edited returns the shop's own files with one piece of text replaced.
func edited(t *testing.T, name, old, new string) fs.FS {
	files := fstest.MapFS{}
	for _, f := range []string{"users.json", "products.json", "orders.json"} {
		data := read(t, store.Own(), f)
		if f == name {
			if !strings.Contains(string(data), old) {
				t.Fatalf("%s does not have %s", name, old)
			}
			data = []byte(strings.Replace(string(data), old, new, 1))
		}
		files[f] = &fstest.MapFile{Data: data}
	}
	return files
}

func read(t *testing.T, files fs.FS, name string) []byte {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatWasReadIsWrittenTheSame(t *testing.T) {
	t.Run("own", func(t *testing.T) { sameAgain(t, store.Own()) })
	t.Run("recorded", func(t *testing.T) { sameAgain(t, os.DirFS(retail(t))) })
}

func sameAgain(t *testing.T, files fs.FS) {
	again[store.User](t, read(t, files, "users.json"))
	again[store.Order](t, read(t, files, "orders.json"))
	again[store.Product](t, read(t, files, "products.json"))
}

func again[V any](t *testing.T, data []byte) {
	var all store.Dict[V]
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if !same(string(written), string(data)) {
		t.Errorf("%T is written differently", all)
	}
}

func TestKeysKeepTheirOrder(t *testing.T) {
	const text = `{"z":"1","a":"<2>","m":"3"}`
	var d store.Dict[string]
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	want := store.Dict[string]{{Key: "z", Value: "1"}, {Key: "a", Value: "<2>"}, {Key: "m", Value: "3"}}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("read %v", d)
	}
	if out, _ := json.Marshal(d); string(out) != `{"z":"1","a":"\u003c2\u003e","m":"3"}` {
		t.Errorf("wrote %s", out)
	}
	if d.Find("b") != nil || *d.Find("m") != "3" {
		t.Error("found wrongly")
	}
}

// The shop's own data agree with themselves, and show what pages have to bear.
func TestTheShopsOwnDataAgree(t *testing.T) {
	s := open(t, store.Own())
	orders, err := store.FindOrders(t.Context(), s.Read, "", 100)
	if err != nil || len(orders) != 14 {
		t.Fatalf("%d orders, %v", len(orders), err)
	}
	statuses := map[string]bool{}
	for _, o := range orders {
		statuses[o.Status] = true
		checkOrder(t, s, o)
	}
	if len(statuses) != 7 {
		t.Errorf("orders in %d statuses, want all seven", len(statuses))
	}
	all := string(read(t, store.Own(), "users.json")) + string(read(t, store.Own(), "products.json"))
	for _, awkward := range []string{"O'Brien", "ü", "<b>", `\"`, "&"} {
		if !strings.Contains(all, awkward) {
			t.Errorf("no %s in the data", awkward)
		}
	}
}

func checkOrder(t *testing.T, s *store.Store, o *store.Order) {
	u, err := store.GetUser(t.Context(), s.Read, o.UserID)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(u.Orders, " "), o.ID) {
		t.Errorf("%s does not know %s", u.ID, o.ID)
	}
	var total, paid store.Money
	for _, item := range o.Items {
		p, v, err := store.FindItem(t.Context(), s.Read, item.ItemID)
		if err != nil || p.ID != item.ProductID || p.Name != item.Name || v.Price != item.Price || !reflect.DeepEqual(v.Options, item.Options) {
			t.Errorf("%s: %s is not what the shop sells: %v", o.ID, item.ItemID, err)
		}
		total += item.Price
	}
	for _, p := range o.PaymentHistory {
		if u.PaymentMethods.Find(p.PaymentMethodID) == nil {
			t.Errorf("%s was paid with %s", o.ID, p.PaymentMethodID)
		}
		if p.Type == "payment" {
			paid += p.Amount
		}
	}
	if paid != total {
		t.Errorf("%s: paid %s for %s", o.ID, paid, total)
	}
}
